import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../errors/config-error.ts';
import { readConfig } from './config.ts';
import { settingNames } from './config-schema.ts';
import { secretSettings, settingOf } from './secret-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'cashier-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const problemsOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

describe('[SRV-9] a secret from a file', () => {
  test('is read without the line end that editors add', () => {
    const config = readConfig({
      TOKEN_SECRET_FILE: file('token', `${'t'.repeat(48)}\n`),
      DATABASE_URL_FILE: file('database', 'postgres://app:p%40ss@db/cashier\r\n'),
      DATA_KEY_FILE: file('keys', `${'a'.repeat(32)},${'b'.repeat(32)}\n\n`),
      CHAIN_KEY_TON_FILE: file('ton', 'ton-key\n'),
    });
    expect(config).toMatchObject({
      tokenSecret: 't'.repeat(48),
      databaseUrl: 'postgres://app:p%40ss@db/cashier',
      dataKeys: ['a'.repeat(32), 'b'.repeat(32)],
      chainKeys: { CHAIN_KEY_TON: 'ton-key' },
    });
    expect(config.chainKeys).not.toHaveProperty('CHAIN_KEY_TON_FILE');
  });

  test('is checked like the variable, and never repeated', () => {
    const words = problemsOf({ TOKEN_SECRET_FILE: file('short', 'short-password') });
    expect(words).toBe('TOKEN_SECRET must be at least 32 characters long.');
  });

  test('beside its variable is refused, since nobody knows which of them is meant', () => {
    const words = problemsOf({ TOKEN_SECRET: 'x'.repeat(48), TOKEN_SECRET_FILE: file('token', 't'.repeat(48)) });
    expect(words).toBe('TOKEN_SECRET and TOKEN_SECRET_FILE are both set. Remove one of them.');
  });

  test('that cannot be read is named, with all other problems', () => {
    const missing = join(folder, 'missing');
    const words = problemsOf({ METRICS_TOKEN_FILE: missing, STRIPE_SECRET_KEY_FILE: folder, PORT: '70000' });
    expect(words).toContain(`METRICS_TOKEN_FILE must be a file that the server’s user can read: ${missing}: ENOENT.`);
    expect(words).toContain(
      `STRIPE_SECRET_KEY_FILE must be a file that the server’s user can read: ${folder}: EISDIR.`,
    );
    expect(words).toContain('PORT must be');
    expect(problemsOf({ METRICS_TOKEN_FILE: file('large', 'x'.repeat(70_000)) })).toContain('is too large');
  });

  test('that is empty counts as not set, as an empty variable does', () => {
    expect(readConfig({ TOKEN_SECRET_FILE: file('empty', '\n'), METRICS_TOKEN_FILE: ' ' })).toMatchObject({
      tokenSecret: undefined,
      metricsToken: undefined,
    });
  });

  test('is possible for each setting that is a secret, and for no misspelt name', () => {
    for (const name of secretSettings) expect(settingNames.has(name), name).toBe(true);
    const secrets = [...settingNames].filter((name) => /SECRET|TOKEN|(?:^|_)KEY$|(?:DATABASE|REDIS)_URL$/.test(name));
    expect(secrets.filter((name) => !secretSettings.some((known) => known === name))).toEqual([]);
    expect(problemsOf({ TOKEN_SECRETS_FILE: 'x' })).toContain('Did you mean TOKEN_SECRET_FILE?');
    expect(problemsOf({ STRIPE_PRODUCT_NAME_FILE: 'x' })).toContain('STRIPE_PRODUCT_NAME_FILE is not a setting');
  });

  test('is possible for what only commands read', () => {
    const environment = { DATABASE_OWNER_URL_FILE: file('owner', 'postgres://owner@db/cashier\n') };
    expect(settingOf(environment, 'DATABASE_OWNER_URL')).toBe('postgres://owner@db/cashier');
    expect(problemsOf(environment)).toBe('');
  });
});

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from './config/config.ts';
import { checkStart, explainStart } from './start-checks.ts';
import { widgetFixture } from './transports/testing/running-server.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cashier-start-'));
  writeFileSync(join(folder, 'file'), 'not JSON');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stripe = (mode: string) => ({
  STRIPE_SECRET_KEY: `sk_${mode}_${'1'.repeat(24)}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}`,
});

/** What is printed when the server is started with these settings; nothing when it may start. */
async function printed(environment: Record<string, string>): Promise<string> {
  const settings = { DATA_DIR: join(folder, 'data'), WIDGET_DIR: widgetFixture, ...environment };
  try {
    await checkStart(readConfig(settings));
    return '';
  } catch (error) {
    return explainStart(error);
  }
}

test('good settings may start', async () => {
  expect(await printed({})).toBe('');
  expect(await printed({ SANDBOX: '1', PUBLIC_URL: 'http://localhost:3000', ...stripe('test') })).toBe('');
  expect(await printed({ PUBLIC_URL: 'https://pay.example', ...stripe('live') })).toBe('');
  expect(await printed({ REDIS_URL: 'redis://cache', TOKEN_SECRET: 't'.repeat(32), HOST: '0.0.0.0' })).toBe('');
});

test.each<[string, string, () => Record<string, string>]>([
  ['a data folder that is a file', 'DATA_DIR', () => ({ DATA_DIR: join(folder, 'file') })],
  ['a data folder inside a file', 'DATA_DIR', () => ({ DATA_DIR: join(folder, 'file', 'data') })],
  ['a data folder where no file can be', 'DATA_DIR', () => ({ DATA_DIR: '/proc/none' })],
  ['an address of another machine', 'HOST', () => ({ HOST: '203.0.113.7' })],
  ['a host name that nobody has', 'HOST', () => ({ HOST: 'no-such-host.invalid' })],
  ['a chain file that is not there', 'CRYPTO_FILE', () => ({ CRYPTO_FILE: join(folder, 'none.json') })],
  ['a chain file that is a folder', 'CRYPTO_FILE', () => ({ CRYPTO_FILE: folder })],
  ['a chain file that is no JSON', 'CRYPTO_FILE', () => ({ CRYPTO_FILE: join(folder, 'file') })],
  ['a widget folder that is not there', 'WIDGET_DIR', () => ({ WIDGET_DIR: join(folder, 'none') })],
  ['a widget folder without a page', 'WIDGET_DIR', () => ({ WIDGET_DIR: folder })],
  ['Redis without a token secret', 'TOKEN_SECRET', () => ({ REDIS_URL: 'redis://cache' })],
  ['a public address without TLS', 'PUBLIC_URL', () => ({ PUBLIC_URL: 'http://pay.example' })],
  ['a sandbox beside a live key', 'SANDBOX', () => ({ SANDBOX: '1', ...stripe('live') })],
  [
    'a seeded webhook into this network',
    'SEED_DEMO_WEBHOOK_URL',
    () => ({ SEED_DEMO_OPERATOR_KEY: 'k'.repeat(40), SEED_DEMO_WEBHOOK_URL: 'https://169.254.169.254/hook' }),
  ],
])('%s stops the start with one line that begins with %s', async (_what, name, environment) => {
  const found = await printed(environment());
  expect(found).toMatch(new RegExp(`^${name} must be .+\\.$`));
  expect(found).not.toContain('\n');
});

test('several wrong settings are each a line', async () => {
  const found = await printed({ HOST: '203.0.113.7', WIDGET_DIR: folder, PUBLIC_URL: 'http://pay.example' });
  expect(found.split('\n').map((line) => line.split(' ')[0])).toEqual(['PUBLIC_URL', 'WIDGET_DIR', 'HOST']);
});

test('a node whose database and secret are elsewhere needs no data folder', async () => {
  const elsewhere = { DATABASE_URL: 'postgres://db/cashier', TOKEN_SECRET: 't'.repeat(32) };
  expect(await printed({ ...elsewhere, DATA_DIR: join(folder, 'file') })).toBe('');
});

test('the probe of the data folder leaves nothing behind', async () => {
  const data = join(folder, 'kept');
  mkdirSync(data);
  expect(await printed({ DATA_DIR: data })).toBe('');
  expect(readdirSync(data)).toEqual([]);
});

test('an error that nobody foresaw keeps its frames, and one of the chain file names its setting', () => {
  expect(explainStart(new TypeError('odd'))).toMatch(/^TypeError: odd\n {4}at /);
  const wrong = Object.assign(new Error('The key of btc is none.'), { name: 'AccountKeyError' });
  expect(explainStart(wrong)).toBe('CRYPTO_FILE: The key of btc is none.');
});

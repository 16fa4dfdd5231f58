import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../errors/config-error.ts';
import { readConfig } from './config.ts';

const problemsOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

const stripeKey = `sk_live_${'1'.repeat(24)}`;

describe('the settings', () => {
  test('have defaults for a machine of one person, with the sandbox off', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: join(process.cwd(), '.data'),
      databaseUrl: undefined,
      publicUrl: undefined,
      isSandbox: false,
      demoOperator: undefined,
      hasRateLimits: true,
      trustedProxies: 0,
      drainMs: 3_000,
      product: 'cashier',
      ratesUrl: undefined,
      rateStaleAfterMs: 300_000,
    });
    expect(readConfig({}).widgetDir).toMatch(/apps\/widget\/dist$/);
  });

  test('are read from the environment', () => {
    const config = readConfig({
      PORT: '8080',
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://db/cashier',
      REDIS_URL: 'redis://cache',
      PUBLIC_URL: 'https://cashier.example/',
      DOCS_URL: 'https://docs.example/cashier/',
      SANDBOX: 'true',
      RATE_LIMITS: 'off',
      SEED_DEMO_OPERATOR_KEY: 'k'.repeat(40),
      SEED_DEMO_ORIGIN: 'http://localhost:3001, https://play.example',
      SEED_DEMO_WEBHOOK_URL: 'http://localhost:3001/webhooks/cashier',
    });
    expect(config).toMatchObject({
      port: 8080,
      host: '0.0.0.0',
      databaseUrl: 'postgres://db/cashier',
      redisUrl: 'redis://cache',
      publicUrl: 'https://cashier.example',
      documentation: 'https://docs.example/cashier',
      isSandbox: true,
      hasRateLimits: false,
      demoOperator: {
        secretKey: 'k'.repeat(40),
        origins: ['http://localhost:3001', 'https://play.example'],
        webhookUrl: 'http://localhost:3001/webhooks/cashier',
        webhookSecret: undefined,
      },
    });
  });

  test('take an empty value for none', () => {
    expect(readConfig({ DATABASE_URL: '', PORT: ' ' })).toMatchObject({ databaseUrl: undefined, port: 3000 });
  });

  test('name everything that is wrong at once, and never repeat a value', () => {
    const message = problemsOf({
      PORT: '70000',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://user:password1@db',
      PUBLIC_URL: 'cashier.example',
      SANDBOX: 'maybe',
      TOKEN_SECRET: 'short-password2',
      SEED_DEMO_ORIGIN: 'http://localhost:3001/path',
      PRODUCT: 'api',
      SANDBOX_PROVIDER_SECRET: 'password3'.repeat(8),
    });
    for (const name of [
      'PORT',
      'LOG_LEVEL',
      'DATABASE_URL',
      'PUBLIC_URL',
      'SANDBOX',
      'TOKEN_SECRET',
      'SEED_DEMO_ORIGIN',
      'PRODUCT',
      'SANDBOX_PROVIDER_SECRET',
    ]) {
      expect(message).toContain(`${name} must be`);
    }
    expect(message).not.toMatch(/password/);
  });

  test('of Stripe come together, and its webhook may have two secrets', () => {
    expect(readConfig({}).stripe).toBeUndefined();
    const [first, second] = [`whsec_${'a'.repeat(32)}`, `whsec_${'b'.repeat(32)}`];
    const account = { STRIPE_SECRET_KEY: stripeKey, STRIPE_WEBHOOK_SECRET: `${first}, ${second}` };
    expect(readConfig(account).stripe).toEqual({ secretKey: stripeKey, webhookSecrets: [first, second] });
    expect(readConfig({ ...account, STRIPE_PRODUCT_NAME: 'Balance' }).stripe?.productName).toBe('Balance');
    expect(() => readConfig({ STRIPE_SECRET_KEY: stripeKey })).toThrow(/STRIPE_WEBHOOK_SECRET/);
    expect(() => readConfig({ STRIPE_WEBHOOK_SECRET: first })).toThrow(/STRIPE_SECRET_KEY/);
  });

  test.each(['pk_live_', 'pk_test_', 'live_', ' sk_', 'sk_liv_', 'whsec_'])(
    'refuse a key of Stripe that begins with %s',
    (start) => {
      const account = {
        STRIPE_SECRET_KEY: `${start}${'1'.repeat(24)}`,
        STRIPE_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}`,
      };
      expect(problemsOf(account)).toMatch(/^STRIPE_SECRET_KEY must be a complete secret key of Stripe, .+\.$/);
    },
  );

  test('refuse a key or a secret of Stripe that was cut off, and a secret of another shape', () => {
    const secret = `whsec_${'a'.repeat(32)}`;
    expect(problemsOf({ STRIPE_SECRET_KEY: 'sk_live_', STRIPE_WEBHOOK_SECRET: secret })).toMatch(/^STRIPE_SECRET_KEY/);
    for (const wrong of ['whsec_', 'a'.repeat(38), `${secret}, we_1Nabcdefghijklmnopqr`]) {
      const found = problemsOf({ STRIPE_SECRET_KEY: stripeKey, STRIPE_WEBHOOK_SECRET: wrong });
      expect(found).toMatch(/^STRIPE_WEBHOOK_SECRET must be a complete signing secret of Stripe, .+\.$/);
    }
    expect(problemsOf({ STRIPE_SECRET_KEY: `rk_test_${'1'.repeat(24)}`, STRIPE_WEBHOOK_SECRET: secret })).toBe('');
  });

  test.each([
    ['STRIPE_SECRTE_KEY', 'STRIPE_SECRET_KEY'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['TOKEN_SECRETS', 'TOKEN_SECRET'],
    ['SANDBX', 'SANDBOX'],
    ['public_url', 'PUBLIC_URL'],
    ['SEED_DEMO_ORIGINS', 'SEED_DEMO_ORIGIN'],
  ])('refuse the variable %s, for which %s is meant', (found, meant) => {
    expect(problemsOf({ [found]: 'x' })).toBe(`${found} is not a setting of this server. Did you mean ${meant}?`);
  });

  test('refuse variables that begin like ours, and leave those of others alone', () => {
    expect(problemsOf({ STRIPE_KEY: 'x', GEETEST_ACCOUNT: 'y' })).toBe(
      'STRIPE_KEY is not a setting of this server. Remove it, or see docs/operate.md.\nGEETEST_ACCOUNT is not a setting of this server. Remove it, or see docs/operate.md.',
    );
    const others = [
      'HOME',
      'HOSTNAME',
      'POST',
      'SORT',
      'REDIS_PASSWORD',
      'DATABASE_NAME',
      'XDG_DATA_DIRS',
      'TEST_DATABASE',
    ];
    const kubernetes = [
      'SANDBOX_SERVICE_HOST',
      'STRIPE_PORT_443_TCP_ADDR',
      'STRIPE_SERVICE_PORT_HTTPS',
      'GEETEST_PORT',
    ];
    const known = ['DEMO_PORT', 'CHAIN_KEY_TON', 'OTEL_SERVICE_NAME', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];
    const set = [...others, ...kubernetes, ...known].map((name) => [name, 'x'] as const);
    expect(problemsOf(Object.fromEntries(set))).toBe('');
    expect(problemsOf({ STRIPE_SECRTE_KEY: '' })).toBe('');
  });

  test('count the proxies before the server', () => {
    expect(readConfig({ TRUST_PROXY: '2' }).trustedProxies).toBe(2);
    expect(readConfig({ DRAIN_SECONDS: '0' }).drainMs).toBe(0);
    expect(() => readConfig({ DRAIN_SECONDS: '61' })).toThrow('DRAIN_SECONDS');
    for (const wrong of ['true', '-1', '1.5', '99']) {
      expect(problemsOf({ TRUST_PROXY: wrong })).toContain('TRUST_PROXY must be the number of proxies');
    }
  });

  test('take a captcha account whole or not at all', () => {
    const account = { GEETEST_CAPTCHA_ID: 'the id', GEETEST_KEY: 'the key' };
    expect(readConfig({}).geetest).toBeUndefined();
    const api = 'https://gcaptcha4.geetest.com';
    expect(readConfig(account).geetest).toEqual({ captchaId: 'the id', key: 'the key', api });
    const own = { ...account, GEETEST_API: 'https://verify.example/' };
    expect(readConfig(own).geetest?.api).toBe('https://verify.example');
    expect(problemsOf({ GEETEST_KEY: 'the key' })).toContain('GEETEST_KEY must be set together with');
    expect(problemsOf({ GEETEST_CAPTCHA_ID: 'the id' })).toContain('GEETEST_KEY must be set together with');
    expect(problemsOf({ PRODUCT: 'captcha' })).toContain('PRODUCT must be');
  });

  test.each(['-1', '1.5', 'x', '65536'])('refuse the port %s', (port) => {
    expect(problemsOf({ PORT: port })).toContain('PORT must be a number from 0 to 65535');
  });
});

describe('the table of settings in docs/operate.md', () => {
  const page = readFileSync(new URL('../../../../docs/operate.md', import.meta.url), 'utf8');
  const [, section = ''] = /\n## Settings\n([\s\S]*?)\n## /.exec(page) ?? [];
  const namesIn = (text: string) =>
    [...text.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
  const read = new Set<string>();
  const recording = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_none, name) => {
        read.add(String(name));
        return undefined;
      },
    },
  );
  readConfig(recording);

  test('names every one that is read, whole or by how it begins', () => {
    // The settings of traces have a table of their own.
    const named = namesIn(page);
    const isNamed = (name: string) =>
      named.some((one) =>
        // A secret may come from the file that its `…_FILE` names. The page says so once for all.
        one.endsWith('…') ? name.startsWith(one.slice(0, -1)) : one === name || `${one}_FILE` === name,
      );
    expect(read.size).toBeGreaterThan(25);
    expect([...read].filter((name) => !isNamed(name))).toEqual([]);
  });

  test('names none that nothing reads', () => {
    // `npm start` reads the demo's port and wallet and the documentation's origin. `opencashier migrate` and `find` read addresses that no
    // node gets.
    const elsewhere = ['DEMO_PORT', 'DEMO_WALLET', 'DOCS_ORIGIN', 'DATABASE_OWNER_URL', 'CELL_DATABASES'];
    const names = namesIn(section).filter((name) => !name.endsWith('…') && !elsewhere.includes(name));
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !read.has(name))).toEqual([]);
  });
});

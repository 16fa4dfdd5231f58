import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const least = { OPERATOR_KEY: 'sk_test', WEBHOOK_SECRET: 'whsec_test' };

test('the cashier keeps the balances, and no documentation gets tokens, unless the settings say so', () => {
  expect(readConfig(least)).toMatchObject({ hasOwnWallet: false, docsOrigin: undefined });
  const own = { ...least, DEMO_WALLET: 'operator', DOCS_ORIGIN: 'http://localhost:3003' };
  expect(readConfig(own)).toMatchObject({ hasOwnWallet: true, docsOrigin: 'http://localhost:3003' });
});

test.each([
  ['DEMO_WALLET', 'Operator'],
  ['DOCS_ORIGIN', 'localhost:3003'],
  ['DOCS_ORIGIN', 'http://localhost:3003/'],
])('%s=%s is refused by name', (name, value) => {
  const read = () => readConfig({ ...least, [name]: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(name);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckReport } from '../check/check-wallet.ts';
import { SmallWallet, type WrongParts, walletSecret } from '../check/small-wallet.fixture.ts';
import { runCheck } from './check.ts';

const address = 'http://localhost:4000/wallet';

async function run(args: readonly string[], environment: Record<string, string> = {}, wrong: WrongParts = {}) {
  const wallet = new SmallWallet(wrong);
  wallet.balances.set('u-test', 500n);
  const [lines, errors]: [string[], string[]] = [[], []];
  const asked: string[] = [];
  const code = await runCheck(args, {
    fetch: (url, init) => {
      asked.push(String(url));
      return wallet.fetch(url, init);
    },
    now: () => wallet.now,
    print: (line) => lines.push(line),
    printError: (line) => errors.push(line),
    environment,
  });
  return { code, lines, errors, asked, wallet };
}

const secrets = { WEBHOOK_SECRETS: walletSecret };

test('[SRV-6] a good wallet ends with 0, and each rule is said in words', async () => {
  const { code, lines, errors } = await run([address], secrets);
  expect([code, errors]).toEqual([0, []]);
  expect(lines).toContain(
    'ok   debit: A debit lowers the balance by exactly the amount, and is answered with balance and transactionId.',
  );
  expect(lines.at(-2)).toBe('Balance: 25.00 EUR at the start, 25.00 EUR at the end');
  expect(lines.at(-1)).toBe('All 24 rules hold.');
  expect(lines.join('\n')).not.toContain('whsec_');
});

test('a wrong wallet ends with 1, with cause and remedy', async () => {
  const { code, lines } = await run([address], secrets, { toleranceSeconds: 9e9 });
  expect(code).toBe(1);
  const at = lines.findIndex((line) => line.startsWith('FAIL old-call'));
  expect(lines[at + 1]).toMatch(/Cause: A debit that was signed ten minutes ago moved money/);
  expect(lines[at + 2]).toMatch(/Remedy: Refuse a webhook-timestamp/);
  expect(lines.at(-1)).toBe('23 rules hold, 1 do not, 0 could not be proven.');
});

test('--json prints the report and nothing else', async () => {
  const { code, lines } = await run([address, '--json'], secrets);
  expect(code).toBe(0);
  const report = JSON.parse(lines.join('\n')) as CheckReport;
  expect(report).toMatchObject({ passed: true, balanceAtStart: '25.00 EUR', balanceAtEnd: '25.00 EUR' });
  expect(report.rules[0]).toMatchObject({ rule: 'balance', result: 'passed' });
});

test('an address that may be real needs a test user and https', async () => {
  const nobody = await run(['https://wallet.example.com/calls'], secrets);
  expect([nobody.code, nobody.asked]).toEqual([2, []]);
  expect(nobody.errors[0]).toMatch(/wallet\.example\.com may be real.*--test-user/);
  const plain = await run(['http://wallet.example.com/calls', '--test-user', 'u-test'], secrets);
  expect(plain.errors[0]).toMatch(/needs https/);
  const { code, lines } = await run(['https://wallet.example.com/calls', '--test-user', 'u-test'], secrets);
  expect(code).toBe(0);
  expect(lines[0]).toContain('https://wallet.example.com/calls, user u-test, EUR');
});

test('a secret comes from the environment or a file, and never from an argument', async () => {
  const shown = await run([address, '--secret-file', walletSecret]);
  expect([shown.code, shown.asked]).toEqual([2, []]);
  expect(shown.errors[0]).toMatch(/A secret is no argument/);
  expect(shown.errors[0]).not.toContain(walletSecret);
  const folder = mkdtempSync(join(tmpdir(), 'secret-'));
  try {
    const file = join(folder, 'secret');
    writeFileSync(file, `${walletSecret}\n`);
    expect((await run([address, '--secret-file', file])).code).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  [[address], {}, /Set WEBHOOK_SECRETS/],
  [[address], { WEBHOOK_SECRETS: 'whsec_short' }, /base64/],
  [[address, '--secret-file', '/no/such/file'], {}, /cannot be read/],
  [[], secrets, /Name one address/],
  [['wallet'], secrets, /is no address/],
  [[address, '--amount', '1.005'], secrets, /more than 2 decimals/],
  [[address, '--amount', '0'], secrets, /above zero/],
  [[address, '--currency', 'euro'], secrets, /a code such as EUR/],
  [[address, '--nothing'], secrets, /--nothing/],
])('wrong arguments end with 2 and say what to give: %j', async (args, environment, message) => {
  const { code, errors, asked } = await run(args, environment);
  expect([code, asked]).toEqual([2, []]);
  expect(errors[0]).toMatch(message);
});

test('--help tells the options', async () => {
  const { code, lines } = await run(['--help']);
  expect(code).toBe(0);
  expect(lines[0]).toContain('--test-user <id>');
});

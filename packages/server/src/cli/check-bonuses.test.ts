import { expect, test } from 'vitest';
import type { EngineReport } from '../check-engine/check-engine.ts';
import { engineSecret, SmallEngine, type WrongEngine } from '../check-engine/small-engine.fixture.ts';
import { runCheckBonuses } from './check-bonuses.ts';

const address = 'https://api.example.com/cashier-bonuses';
const secrets = { WEBHOOK_SECRETS: engineSecret };

async function run(args: readonly string[], environment: Record<string, string> = secrets, wrong: WrongEngine = {}) {
  const engine = new SmallEngine(wrong);
  const [lines, errors]: [string[], string[]] = [[], []];
  const code = await runCheckBonuses(args, {
    fetch: engine.fetch,
    now: () => engine.now,
    print: (line) => lines.push(line),
    printError: (line) => errors.push(line),
    environment,
  });
  return { code, lines, errors, asked: engine.asked };
}

test('[SRV-6] a good engine ends with 0, and the report says who sees how many bonuses', async () => {
  const { code, lines, errors } = await run([address, '--test-user', 'one', '--test-user', 'none']);
  expect([code, errors]).toEqual([0, []]);
  expect(lines[0]).toBe(`${address}, one, none, EUR, JPY, KWD\n`);
  expect(lines).toContain('ok   unsigned: A question without a signature is refused.');
  expect(lines).toEqual(expect.arrayContaining(['one, JPY: 1 bonus', 'none, every currency: 0 bonuses']));
  expect(lines.at(-1)).toBe('All 12 rules hold.');
  expect(lines.join('\n')).not.toContain('whsec_');
});

test('a wrong engine ends with 1, with cause and remedy', async () => {
  const { code, lines } = await run([address, '--test-user', 'one'], secrets, { toleranceSeconds: 9e9 });
  expect(code).toBe(1);
  const at = lines.findIndex((line) => line.startsWith('FAIL old-question'));
  expect(lines[at + 1]).toMatch(/Cause: A question that was signed ten minutes ago was not refused/);
  expect(lines[at + 2]).toMatch(/Remedy: Refuse a webhook-timestamp/);
  expect(lines.at(-1)).toBe('11 rules hold, 1 do not, 0 could not be proven.');
});

test('--json prints the report and nothing else, for the currencies that were named', async () => {
  const { code, lines } = await run([address, '--test-user', 'one', '--currency', 'USDT', '--json']);
  expect(code).toBe(0);
  const report = JSON.parse(lines.join('\n')) as EngineReport;
  expect(report.seen.map(({ currency }) => currency)).toEqual(['USDT', undefined]);
  expect(report.rules[0]).toMatchObject({ rule: 'answer', result: 'passed' });
});

test.each([
  [[address], /Name a user who sees bonuses: --test-user/],
  [[address, '--test-user', 'two words'], /without spaces/],
  [[address, '--test-user', 'one', '--currency', 'USX'], /does not know USX/],
  [['http://api.example.com/bonuses', '--test-user', 'one'], /needs https/],
  [['bonuses', '--test-user', 'one'], /is no address such as https:\/\/api\.example\.com\/cashier-bonuses/],
  [[address, '--test-user', 'one', '--secret-file', engineSecret], /A secret is no argument/],
  [[address, '--nothing'], /--nothing/],
])('wrong arguments end with 2 and say what to give: %j', async (args, message) => {
  const { code, errors, asked } = await run(args);
  expect([code, asked]).toEqual([2, 0]);
  expect(errors[0]).toMatch(message);
});

test('without a secret nobody is asked, and --help tells the options', async () => {
  const { code, errors } = await run([address, '--test-user', 'one'], {});
  expect([code, errors[0]]).toEqual([2, expect.stringMatching(/Set WEBHOOK_SECRETS/)]);
  const help = await run(['--help']);
  expect([help.code, help.lines[0]]).toEqual([0, expect.stringContaining('--test-user <id>')]);
});

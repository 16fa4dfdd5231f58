/** Bonuses as a file: tried, applied, exported and listed on the command line. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWithoutMigration } from '../database/connection/open-database.ts';
import type { Database } from '../database/database.ts';
import { makeTestPlace, silentLogger, type TestPlace } from '../database/testing/test-database.ts';
import { keptOpen, type Printed, runCommand } from './run-command.fixture.ts';

let place: TestPlace;
let database: Database;
let environment: Record<string, string>;
beforeAll(async () => {
  place = await makeTestPlace();
  environment = {
    ...place.environment,
    PUBLIC_URL: 'https://pay.example',
    TOKEN_SECRET: 't'.repeat(32),
  };
  const create = 'create-operator acme --name Acme --origin https://acme.example --webhook-url https://1.1.1.1/hooks';
  const created = await runCommand(`${create} --new-database`, { environment, open: openWithoutMigration });
  expect(created.exitCode, created.errors).toBe(0);
  database = await openWithoutMigration({ ...place, logger: silentLogger });
});
afterAll(async () => {
  await database?.close();
  await place.remove();
});

const run = (command: string): Promise<Printed> => runCommand(command, { environment, open: keptOpen(database) });
/** Writes a file and returns its path. */
function fileOf(name: string, text: string): string {
  const path = join(place.dataDir, name);
  writeFileSync(path, text);
  return path;
}

const welcome = `bonuses:
  - id: welcome
    type: deposit
    currency: USD
    title: { en: Welcome bonus }
    depositBonusData: { minDeposit: 10.50, maxBonusAmount: 250, percent: 100, payoutMultiplier: 3, wagerMultiplier: 30 }
`;

test('[SRV-1] a file is tried, applied, exported, listed, and refused when somebody else was faster', async () => {
  expect((await run('bonuses acme')).out).toBe('None.\n');
  const file = fileOf('bonuses.yaml', welcome);
  const tried = await run(`bonuses apply acme ${file} --dry-run`);
  expect([tried.exitCode, tried.errors]).toEqual([0, '']);
  expect(tried.out).toContain('+ welcome: {"type":"deposit"');
  expect(tried.out).toContain('1 difference. Nothing was changed.');
  expect((await run('bonuses history acme')).out).toBe('None.\n');
  expect((await run(`bonuses apply acme ${file} --by maria`)).out).toContain('now have version 1.');
  expect((await run('bonuses list acme')).out).toContain('100 %, at most 250.00');
  const listed = JSON.parse((await run('bonuses list acme --json')).out);
  expect(listed).toMatchObject({ id: 'welcome', depositBonusData: { minDeposit: '10.50' } });
  const exported = (await run('bonuses export acme')).out;
  expect(exported).toContain('# Bonuses of acme, version 1, by maria at ');
  const copy = fileOf('copy.yaml', exported);
  expect((await run(`bonuses apply acme ${copy}`)).out).toBe('Nothing changes.\n');
  const changed = fileOf('changed.yaml', welcome.replace('percent: 100', 'percent: 50'));
  expect((await run(`bonuses apply acme ${changed} --by john`)).out).toContain(
    '~ welcome.depositBonusData.percent: 100 -> 50\n',
  );
  expect((await run('bonuses list acme')).out).toContain('50 %, at most 125.00');
  const stale = await run(`bonuses apply acme ${copy}`);
  expect([stale.exitCode, stale.errors]).toEqual([1, expect.stringContaining('by john')]);
  expect((await run(`bonuses apply acme ${copy} --dry-run`)).errors).toContain('based on version 1');
  const history = (await run('bonuses history acme --json')).out.trim().split('\n');
  expect(history.map((line) => JSON.parse(line))).toMatchObject([
    { version: 2, staff: 'john' },
    { version: 1, staff: 'maria' },
  ]);
  expect((await run('history acme --setting bonuses')).out).toContain('{"bonuses":{"welcome":{"depositBonusData":');
});

test('[SRV-1] one mistake changes nothing, and each is named with its place', async () => {
  const before = (await run('bonuses export acme')).out;
  const wrong = welcome.replace('10.50', '10.555').replace('USD', 'USX').replace('en:', 'de:');
  const failed = await run(`bonuses apply acme ${fileOf('wrong.yaml', wrong)}`);
  expect(failed.exitCode).toBe(1);
  expect(failed.errors.trim().split('\n')).toEqual([
    `${join(place.dataDir, 'wrong.yaml')}:4:5 bonuses.0.currency: The cashier does not know the currency USX.`,
    expect.stringMatching(/wrong\.yaml:5:5 bonuses\.0\.title: Give the text in English/),
    'Nothing was changed.',
  ]);
  const misspelt = fileOf('misspelt.yaml', welcome.replace('percent', 'percnt'));
  expect((await run(`bonuses apply acme ${misspelt}`)).errors).toContain('Did you mean percent?');
  expect((await run('bonuses export acme')).out).toBe(before);
  expect((await run('bonuses apply acme nowhere.yaml')).exitCode).toBe(2);
});

test('the example of docs/bonuses.md can be applied', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/bonuses.md'), 'utf8');
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const applied = await run(`bonuses apply acme ${fileOf('example.yaml', example)} --by maria`);
  expect([applied.exitCode, applied.errors]).toEqual([0, '']);
  expect(applied.out).toContain('+ spins: ');
});

test('[BON-1] update-operator sets, switches and forgets the operator’s own bonus engine', async () => {
  const set = (options: string) => run(`update-operator acme ${options}`);
  expect((await set('--bonus-fallback none')).errors).toContain('Give the address of the bonus engine');
  expect((await set('--bonus-engine http://api.example.com')).errors).toContain('not https');
  expect((await set('--bonus-engine https://api.example.com --bonus-fallback cache')).errors).toContain(
    '--bonus-fallback is wrong',
  );
  const made = await set('--bonus-engine https://8.8.8.8/bonuses?key=secret --by maria');
  expect(made.out).toContain('bonusEngine: none -> {"isOn":true,"fallback":"list","url":"https://8.8.8.8/bonuses"}');
  expect((await set('--bonus-engine off --bonus-fallback none')).out).toContain('"isOn":false,"fallback":"none"');
  expect((await set('')).out).toContain('bonusEngine: {');
  expect((await set('--bonus-engine none')).out).toContain('-> none');
  expect((await run('history acme --setting operator.bonusEngine')).out).toContain('maria');
});

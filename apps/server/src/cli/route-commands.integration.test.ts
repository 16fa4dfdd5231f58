/** `routes …` over a database without a running cashier. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decide } from '@opencashier/core/routing/decide';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { withOperator } from '../database/testing/with-operator.fixture.ts';
import { insertDeposits } from '../deposits/insert-deposits.ts';
import { saveHealths } from '../routing/health-store.ts';
import { readRoutes } from '../routing/policy-store.ts';
import { keptOpen, runCommand } from './run-command.fixture.ts';

const DEPOSIT = '5b0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let folder: string;
let database: Database;
withOperator((opened) => {
  database = opened;
});
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cashier-routes-'));
  const secrets = file('secrets.json', JSON.stringify({ callbackSecret: SECRET }));
  for (const name of ['main', 'backup']) {
    const made = await run(`connections create pk --provider sandbox --name ${name} --mode test --secrets ${secrets}`);
    expect(made).toMatchObject({ exitCode: 0, errors: '' });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: string) =>
  runCommand(command, {
    environment: { DATABASE_URL: 'postgres://nowhere', SANDBOX: '1', MASTER_KEY: `2026-11:${'k'.repeat(40)}` },
    open: keptOpen(database),
  });
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const routes = `routes:
  card:
    strategy: cost
    accounts:
      - connection: main
        costs: { EUR: { percent: 1.4, fixed: 0.25 } }
      - connection: backup
      - installation: sandbox
`;

test('[SRV-4] a file is tried, applied once, exported and applied again without a change', async () => {
  const path = file('routes.yaml', routes);
  const trial = await run(`routes apply pk ${path} --dry-run`);
  expect(trial).toMatchObject({ exitCode: 0, out: expect.stringContaining('Nothing was changed.') });
  expect((await readRoutes(database, 'op')).version).toBe(0);
  const applied = await run(`routes apply pk ${path} --by maria`);
  expect(applied.out).toContain('now have version 1');
  expect(applied.errors).toContain('the connection backup is disabled');
  expect((await run(`routes apply pk ${path}`)).out).toContain('Nothing changes.');
  const exported = file('exported.yaml', (await run('routes export pk')).out);
  expect((await run(`routes apply pk ${exported}`)).out).toContain('Nothing changes.');
  expect((await run('routes pk')).out).toMatch(/card +cost +no +main, backup, installation \(sandbox\)/);
  expect(JSON.parse((await run('routes show pk card')).out).accounts[0].costs).toEqual({
    EUR: { percent: '1.4', fixed: '0.25' },
  });
  expect((await run('routes history pk')).out).toMatch(/1 +maria/);
});

test('[SRV-4] a wrong file names the line and the place of each fault, and changes nothing', async () => {
  const before = await readRoutes(database, 'op');
  const wrong = routes.replace('main', 'mian').replace('strategy: cost', 'strategy: cost\n    exploration: 5');
  const refused = await run(`routes apply pk ${file('wrong.yaml', wrong)}`);
  expect(refused.exitCode).toBe(1);
  expect(refused.errors).toMatch(/wrong\.yaml:4:5 routes\.card\.exploration: Only the strategy success-rate explores/);
  expect(refused.errors).toMatch(/wrong\.yaml:6:\d+ routes\.card\.accounts\.0\.connection: .*Did you mean main\?/);
  expect(refused.errors).toContain('Nothing was changed.');
  const misspelt = await run(
    `routes apply pk ${file('misspelt.yaml', routes.replace('strategy: cost', 'strategy: cheapest'))}`,
  );
  expect(misspelt.errors).toMatch(/misspelt\.yaml:3:5 routes\.card\.strategy/);
  const stale = await run(`routes apply pk ${file('stale.yaml', `baseVersion: 0\n${routes}`)}`);
  expect(stale).toMatchObject({ exitCode: 1, errors: expect.stringContaining('based on version 0') });
  expect(await readRoutes(database, 'op')).toEqual(before);
});

test('[SRV-4] a decision is shown with its reasons, and its replay says whether the rules are the same', async () => {
  const {
    routes: [route],
    version,
  } = await readRoutes(database, 'op');
  if (route === undefined) throw new Error('There is no route');
  const well = { phase: 'well', tries: 0, accepted: 0, isSilent: false } as const;
  const decision = decide({
    route,
    policyVersion: version,
    payment: { operatorId: 'op', method: 'card', currency: 'EUR', amount: '25.00', country: 'DE', seed: DEPOSIT },
    facts: route.candidates.map(({ key }, at) => ({
      key,
      availability: at === 1 ? 'disabled' : 'available',
      health: well,
    })),
  });
  await insertDeposits(database, [
    {
      operatorId: 'op',
      userId: 'ann',
      publicId: DEPOSIT,
      fingerprint: Buffer.alloc(32),
      paymentMethod: 'card',
      provider: 'sandbox',
      connectionId: null,
      connectionVersion: null,
      decision,
      currency: 'EUR',
      amount: 2500n,
      country: 'DE',
      request: { fields: {}, returnUrl: 'https://cashier.example', language: 'en', providerOptions: {} },
      bonus: null,
      isOpenAmount: false,
      openLeast: null,
      openMaximum: null,
      box: null,
      fee: null,
      catalogueVersion: 0,
      userVersion: 0,
      isIdTaken: false,
    },
  ]);
  // A later version of the routes changes nothing about a stored decision.
  await run(`routes apply pk ${file('later.yaml', routes.replace('percent: 1.4', 'percent: 9'))}`);
  const shown = await run(`routes decision pk ${DEPOSIT}`);
  expect(shown.out).toMatch(/^card, cost, version 1: 25\.00 EUR from DE at /);
  expect(shown.out).toContain('1. main (sandbox): strategy, success rate 80 %, cost 0.60');
  expect(shown.out).toContain('-  backup (sandbox): rejected, disabled');
  expect(await run(`routes replay pk ${DEPOSIT}`)).toMatchObject({ exitCode: 0, out: 'The same order.\n' });
  expect((await run('routes decision pk 00000000-0000-4000-8000-000000000000')).exitCode).toBe(1);
});

test('[SRV-4] the health of accounts is shown, and a later change of the phase stays', async () => {
  const {
    routes: [route],
  } = await readRoutes(database, 'op');
  const account = route?.candidates[0]?.key ?? '';
  const until = Date.now() + 60_000;
  const health = {
    outcomes: 'aafffu',
    demotedUntil: until,
    demotions: 1,
    probesAccepted: 0,
    changedAt: 2_000,
    unanswered: 0,
    beganAt: 0,
  };
  await saveHealths(database, [{ operatorId: 'op', account, health }]);
  await saveHealths(database, [
    { operatorId: 'op', account, health: { ...health, demotedUntil: null, changedAt: 1_000 } },
  ]);
  const shown = (await run('routes health pk')).out;
  expect(shown).toContain(`main (sandbox)`);
  expect(shown).toMatch(/demoted +2 of 6/);
  expect(shown).toContain(new Date(until).toISOString());
});

test('the example of docs/routing.md can be applied', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/routing.md'), 'utf8');
  const example = /```yaml\n(.+?)```/s.exec(page)?.[1] ?? '';
  expect(await run(`routes apply pk ${file('documented.yaml', example)}`)).toMatchObject({ exitCode: 0 });
  expect((await run('routes pk')).out).toMatch(/card_stripe +priority +no +main, backup/);
});

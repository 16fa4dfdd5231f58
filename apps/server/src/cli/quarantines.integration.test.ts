/** Accounts in quarantine, as nodes write them and `connections list` shows them. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionView } from '@opencashier/contract/operator';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type QuarantineRow, readQuarantines, saveQuarantines } from '../connections/quarantine-store.ts';
import type { Database } from '../database/database.ts';
import { withOperator } from '../database/testing/with-operator.fixture.ts';
import { keptOpen, runCommand } from './run-command.fixture.ts';

let database: Database;
withOperator((opened) => {
  database = opened;
});
beforeEach(async () => {
  await database.query({ text: 'delete from provider_quarantine' });
});

const provider = 'sandbox';
const HOUR = 3_600_000;
const row = (change: Partial<QuarantineRow> = {}): QuarantineRow => ({
  operatorId: 'op',
  account: 'installation',
  state: 'suspected',
  crashes: 0,
  since: Date.now() - 1_000,
  until: Date.now() + HOUR,
  ...change,
});
const shown = async (account = 'installation', operatorId = 'op') =>
  (await readQuarantines(database, operatorId))(provider, account);
const stored = async () =>
  (await database.query<{ n: number }>({ text: 'select count(*)::int as n from provider_quarantine' }))[0]?.n;

test('[SRV-9] a node replaces what it has in quarantine, and the list has the worst state of all nodes', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  const [since, until] = [Date.now() - 5_000, Date.now() + 2 * HOUR];
  await saveQuarantines(database, { node: one, provider, rows: [row(), row({ account: 'another' })] });
  await saveQuarantines(database, {
    node: other,
    provider,
    rows: [row({ state: 'proven', crashes: 2, since, until })],
  });
  await saveQuarantines(database, { node: other, provider: 'paystack', rows: [row({ state: 'off' })] });
  const [began, ends] = [new Date(since).toISOString(), new Date(until).toISOString()];
  expect(await shown()).toEqual({ state: 'proven', crashes: 2, since: began, until: ends });
  expect(await shown('installation', 'another-operator')).toBeUndefined();

  // The first node keeps one account, with more crashes. The other one has nobody left.
  await saveQuarantines(database, { node: one, provider, rows: [row({ crashes: 1, state: 'off' })] });
  await saveQuarantines(database, { node: other, provider, rows: [] });
  expect(await shown()).toMatchObject({ state: 'off', crashes: 1 });
  expect([await shown('another'), await stored()]).toEqual([undefined, 2]);
});

test('[SRV-9] a quarantine whose time is over is not shown, and its row leaves after a day', async () => {
  await saveQuarantines(database, { node: randomUUID(), provider, rows: [row({ until: Date.now() - 1_000 })] });
  await saveQuarantines(database, { node: randomUUID(), provider, rows: [row({ until: Date.now() - 25 * HOUR })] });
  expect([await shown(), await stored()]).toEqual([undefined, 2]);
  await saveQuarantines(database, { node: randomUUID(), provider, rows: [] });
  expect(await stored()).toBe(1);
});

test('[SRV-9] the command shows which account is in quarantine, until when, and why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-quarantines-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const secrets = join(folder, 'secrets.json');
  writeFileSync(secrets, JSON.stringify({ callbackSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }));
  const run = (command: string) =>
    runCommand(command, {
      environment: {
        DATABASE_URL: 'postgres://nowhere',
        SANDBOX: '1',
        SANDBOX_PROVIDER_SECRET: `whsec_${Buffer.alloc(32, 8).toString('base64')}`,
        MASTER_KEY: `2026-11:${'k'.repeat(40)}`,
      },
      open: keptOpen(database),
    });
  await run(`connections create pk --provider sandbox --name main --mode test --secrets ${secrets}`);
  const before = await run('connections list pk');
  expect([before.exitCode, before.out]).toEqual([0, expect.not.stringContaining('quarantine')]);
  const { connectionId } = JSON.parse((await run('connections show pk main')).out) as ConnectionView;
  const rows = [row({ account: connectionId, state: 'proven', crashes: 2 }), row()];
  await saveQuarantines(database, { node: randomUUID(), provider, rows });

  const { out } = await run('connections list pk');
  expect(out).toMatch(/In quarantine since \S+ until \S+: main\. .* Their own process crashed 2 times\./);
  expect(out).toMatch(
    /In quarantine .*: the installation’s account at sandbox\. .*They run in a process of their own\./,
  );
  const listed = JSON.parse((await run('connections list pk --json')).out) as ConnectionView;
  expect(listed).toMatchObject({ name: 'main', quarantine: { state: 'proven' } });
  const one = JSON.parse((await run('connections show pk main')).out) as ConnectionView;
  expect(one.quarantine).toMatchObject({ state: 'proven', crashes: 2 });
});

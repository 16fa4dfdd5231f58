/**
 * The server dies at every failpoint of a payout by a bank's file: from the confirmed withdrawal to the booked statement. Nothing is paid twice,
 * and nothing is lost. `PAYOUT_KILLS=100` kills a hundred times; without it every failpoint kills once.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cluster } from './cluster.ts';
import { dieDuring, expectSoundAudit, readFailpoints } from './deaths.ts';
import { expectSoundBooks, untilQuiet } from './invariants.ts';
import { Payer } from './payer.ts';
import { paidStatement } from './payout-statement.ts';

const { payoutFileFailpoints } = await readFailpoints();
/** Every moment at which a payout by a file can be interrupted. */
const points = [
  'withdrawal-uncommitted',
  'withdrawal-held',
  'confirm-uncommitted',
  'withdrawal-confirmed',
  'withdrawal-answered',
  'withdrawal-applied',
  'withdrawal-freed',
  ...payoutFileFailpoints,
  'settle-uncommitted',
];
const kills = Number(process.env['PAYOUT_KILLS'] ?? points.length);
const pollFor = { timeout: 90_000, interval: 50 };
const fields = { iban: 'DE02120300000000202051', fullName: 'Ann Example' };

let cluster: Cluster;
let keptByPayers = 0n;
beforeAll(async () => {
  const masterKey = `2026-01:${'secret-of-the-fault-tests'.padEnd(40, 'x')}`;
  cluster = await Cluster.start({ nodes: 1, program: 'dying', env: { MASTER_KEY: masterKey } });
  const request = async (path: string, body: object, method?: 'PATCH' | 'PUT'): Promise<Record<string, unknown>> => {
    const answer = await cluster.askAsOperator(path, body, method);
    const read = (await answer.json()) as Record<string, unknown>;
    expect(answer.status, JSON.stringify(read)).toBe(200);
    return read;
  };
  const { connectionId } = await request('connections', {
    provider: 'sepa',
    name: 'bank',
    mode: 'test',
    currencies: ['EUR'],
    secrets: { iban: 'DE89370400440532013000' },
    options: { name: 'Example Casino', batchMinutes: '1' },
  });
  await request(`connections/${String(connectionId)}`, { isEnabled: true }, 'PATCH');
  await request('catalogue/methods/sepa_withdrawal', { version: 0, staff: 'eve', provider: 'sepa' }, 'PUT');
});
afterAll(() => cluster?.stop());

/** Two withdrawals, their files, the bank's statement, and the end. Every step is repeated until it is answered. */
async function payOut(payer: Payer): Promise<readonly string[]> {
  const transfer = { transferId: randomUUID(), amount: '100.00', currency: 'EUR', from: 'operator', to: 'main' };
  expect((await payer.insistAsOperator(`users/${payer.userId}/transfers`, transfer)).status).toBe(200);
  const ids = [randomUUID(), randomUUID()];
  for (const withdrawalId of ids) {
    const intent = { withdrawalId, amount: '20.50', currency: 'EUR', paymentMethod: 'sepa_withdrawal', fields };
    expect(await payer.insist('withdrawal-create', { ...intent, selectedCountry: 'DE' })).toMatchObject({
      status: 200,
    });
    expect((await payer.insist('withdrawal-confirm', { withdrawalId })).status).toBe(200);
  }
  const files = await filesOf(ids);
  for (const fileId of files) {
    const downloaded = await payer.insistAsOperator(`payout-files/${fileId}/download`, { staff: 'ann' });
    expect(downloaded.status).toBe(200);
    const handed = await payer.insistAsOperator(`payout-files/${fileId}/hand-over`, { staff: 'bob' });
    expect(handed.status, JSON.stringify(handed.body)).toBe(200);
    const content = Buffer.from(paidStatement(String(downloaded.body['content']))).toString('base64');
    const message = { name: 'statement.xml', content, staff: 'ann' };
    expect((await payer.insistAsOperator('bank-messages', message)).body).toMatchObject({ problems: [] });
  }
  for (const id of ids) await payer.untilWithdrawn(id, 1);
  return ids;
}

/** Lets the time of the queued transfers come until each withdrawal is in a file. */
async function filesOf(ids: readonly string[]): Promise<readonly string[]> {
  const filed = async (): Promise<{ file: string | null }[]> => {
    await cluster.query(`update payout_transfer set due_at = now() where state = 'queued' and due_at > now()`);
    return cluster.query('select file_id as file from payout_transfer where withdrawal_id = any($1::uuid[])', [ids]);
  };
  await expect.poll(async () => (await filed()).filter(({ file }) => file !== null), pollFor).toHaveLength(ids.length);
  return [...new Set((await filed()).flatMap(({ file }) => file ?? []))];
}

/** No withdrawal without its transfer, none in two files, and every file holds what it says. */
async function expectEveryTransferOnce(): Promise<void> {
  const lost = `select id from withdrawal where provider = 'sepa' and state in ('submitted', 'paid')
    and not exists (select 1 from payout_transfer one where one.operator_id = withdrawal.operator_id and one.withdrawal_id = withdrawal.id)`;
  const twice = 'select withdrawal_id from payout_file_line where is_live group by withdrawal_id having count(*) > 1';
  const unpaid = `select withdrawal_id from payout_transfer where state = 'paid' and not exists (
    select 1 from payout_file_line line where line.withdrawal_id = payout_transfer.withdrawal_id and line.file_id = payout_transfer.file_id)`;
  const sums = `select id from payout_file file where total <> (select sum(amount) from payout_file_line where file_id = file.id)
    or transfers <> (select count(*) from payout_file_line where file_id = file.id)`;
  for (const wrong of [lost, twice, unpaid, sums]) expect(await cluster.query(wrong), wrong).toEqual([]);
}

for (const [index, point] of points.entries()) {
  // The kills are spread over the points.
  const rounds = Math.floor(kills / points.length) + (index < kills % points.length ? 1 : 0);
  if (rounds === 0) continue;
  test(`[WD-2] [SRV-3] killed ${rounds} times at ${point}: each transfer is in one file, and paid once`, {
    timeout: rounds * 240_000,
  }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const payer = await Payer.of(cluster);
      let ids: readonly string[] = [];
      await dieDuring(cluster, point, async () => {
        ids = await payOut(payer);
      });
      await untilQuiet(cluster);
      await expectEveryTransferOnce();
      expect(await euros(payer.userId)).toEqual({ user: 5_900n, user_hold: 0n });
      const paid = await cluster.query<{ count: string }>(
        `select count(*)::text as count from payout where withdrawal_id = any($1::uuid[]) and state = 'paid'`,
        [ids],
      );
      expect(paid).toEqual([{ count: '2' }]);
      keptByPayers += 5_900n;
    }
  });
}

/** What a user has and what is held, in cents. */
async function euros(userId: string): Promise<Record<string, bigint>> {
  const rows = await cluster.query<{ kind: string; balance: string }>(
    `select kind, balance::text from account where owner = $1 and asset = 'EUR' and kind in ('user', 'user_hold')`,
    [userId],
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, BigInt(balance)]));
}

test('[WD-2] [SRV-2] after all deaths the books are sound, and no file holds a transfer of another one', async () => {
  await expectSoundBooks(cluster);
  await expectSoundAudit(cluster);
  const files = await cluster.query<{ id: string }>('select id from payout_file');
  const references: string[] = [];
  for (const { id } of files) {
    const answer = await cluster.askAsOperator(`payout-files/${id}/download`, { staff: 'ann' });
    const { content } = (await answer.json()) as { content: string };
    for (const [, reference = ''] of content.matchAll(/<EndToEndId>(\w+)</g)) references.push(reference);
  }
  expect(references).toHaveLength(kills * 2);
  expect(new Set(references).size).toBe(references.length);
  const [held] = await cluster.query<{ sum: string }>(
    `select sum(balance)::text as sum from account where asset = 'EUR' and kind = 'user'`,
  );
  expect(BigInt(held?.sum ?? '0')).toBe(keptByPayers);
});

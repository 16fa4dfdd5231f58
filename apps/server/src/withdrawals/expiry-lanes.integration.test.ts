/** Withdrawals that end by time: each operator has places of its own, so many expiries of one delay no other (WD-2). */
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { type Bench, createBench } from '../payments/testing/payments.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { expireWithdrawals } from './cancel-withdrawal.ts';
import type { WithdrawalId } from './withdrawal-store.ts';
import { books, intent, richUser } from './withdrawals.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});
beforeEach(async () => {
  const text = `insert into operator (id, partner_key, name) values ('other', 'pk2', 'Other') on conflict do nothing`;
  await database.query({ text });
});

/** Makes withdrawals of an operator whose time to confirm ended some minutes ago. */
async function overdue(operatorId: string, count: number, minutes: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const caller = await richUser(database, 100_000n, 'main', operatorId);
    await bench.payments.withdrawals.create(intent(caller));
  }
  await database.query({
    text: `update withdrawal set expires_at = now() - make_interval(mins => $2) where operator_id = $1 and state = 'held'`,
    values: [operatorId, minutes],
  });
}

const operatorsOf = (items: readonly WithdrawalId[]): string[] => items.map(({ operatorId }) => operatorId).sort();
const abort = new AbortController();

test('[WD-2] an expiry of one operator is claimed at once, although another has older ones', async () => {
  await overdue('op', 6, 60);
  await overdue('other', 1, 1);
  const work = expireWithdrawals({ database, onChange: () => undefined });
  const first = await work.claim([]);
  expect(operatorsOf(first)).toEqual(['op', 'op', 'op', 'op', 'other']);
  // All places of `op` are taken by this node; `other` has nothing left.
  expect(await work.claim(first)).toEqual([]);
  const [one, ...rest] = first.filter(({ operatorId }) => operatorId === 'op');
  if (one === undefined) throw new Error('nothing was claimed');
  await work.handle(one, abort.signal);
  expect(operatorsOf(await work.claim(rest))).toEqual(['op']);
  // What a stopped node gives back is due at once. A row that has ended stays so.
  await work.giveBack?.(first);
  expect(await work.claim([])).toHaveLength(5);
});

test('[WD-2] all end, and each user has the amount again', async () => {
  await database.query({ text: `update withdrawal set busy_until = null where state = 'held'` });
  const caller = await richUser(database);
  await bench.payments.withdrawals.create(intent(caller));
  await overdue('op', 5, 60);
  await createBench(database).payments.runDueWork();
  const open = await database.query({ text: `select 1 from withdrawal where state <> 'expired'` });
  expect(open).toEqual([]);
  expect(await books(database, caller)).toEqual({ free: 100_000n, additional: 0n, held: 0n });
});

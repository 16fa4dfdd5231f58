/** The rows of a withdrawal's money: its payout, with its journals. */
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { type Bench, refOf } from '../payments/testing/payments.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { intent, reportOn, richUser } from './withdrawals.fixture.ts';
import type { Withdrawals } from './withdrawals.ts';

let database: Database;
let bench: Bench;
let withdrawals: Withdrawals;
withPayments((made) => {
  ({ database, bench } = made);
  withdrawals = bench.payments.withdrawals;
});

/** Every payout of a withdrawal, with its journals. */
async function payoutsOf(withdrawalId: string): Promise<string[]> {
  const rows = await database.query<{ line: string }>({
    text: `select format('%s %s %s %s: %s', currency, amount, state, provider_ref,
        (select string_agg(kind, ' ' order by at, kind) from journal where payout_id = payout.id)) as line
      from payout where withdrawal_id = $1 order by created_at`,
    values: [withdrawalId],
  });
  return rows.map(({ line }) => line);
}

async function confirmed(): Promise<string> {
  const caller = await richUser(database);
  const command = intent(caller);
  await withdrawals.create(command);
  expect(await payoutsOf(command.request.withdrawalId)).toEqual([]);
  await withdrawals.confirm(caller, command.request.withdrawalId);
  return command.request.withdrawalId;
}

test('[WD-2] [SRV-3] a payout is requested, accepted, paid and returned in one row', async () => {
  const withdrawalId = await confirmed();
  const ref = refOf(withdrawalId);
  expect(await payoutsOf(withdrawalId)).toEqual([`INR 97400 accepted ${ref}: `]);
  await withdrawals.apply(reportOn(withdrawalId));
  expect(await payoutsOf(withdrawalId)).toEqual([`INR 97400 paid ${ref}: hold_end`]);
  await withdrawals.apply(reportOn(withdrawalId, { outcome: 'returned' }));
  expect(await payoutsOf(withdrawalId)).toEqual([`INR 97400 returned ${ref}: hold_end withdrawal_return`]);
});

test('[WD-2] [SRV-3] a payout that was paid after a decline stays one row, also after the decision of staff', async () => {
  const withdrawalId = await confirmed();
  const ref = refOf(withdrawalId);
  await withdrawals.apply(reportOn(withdrawalId, { outcome: 'declined' }));
  expect(await payoutsOf(withdrawalId)).toEqual([`INR 97400 declined ${ref}: `]);
  await withdrawals.apply(reportOn(withdrawalId));
  expect(await payoutsOf(withdrawalId)).toEqual([`INR 97400 paid ${ref}: withdrawal_late_paid`]);
  await bench.payments.settleLatePayout({ operatorId: 'op', id: withdrawalId }, 'bear', 'sam');
  expect(await payoutsOf(withdrawalId)).toEqual([
    `INR 97400 paid ${ref}: withdrawal_late_paid withdrawal_late_settled`,
  ]);
});

test('[WD-2] [SRV-3] a cancelled withdrawal has a payout only if the provider paid anyway', async () => {
  const caller = await richUser(database);
  const { request } = intent(caller);
  await withdrawals.create({ caller, request });
  await withdrawals.cancel(caller, request.withdrawalId);
  expect(await payoutsOf(request.withdrawalId)).toEqual([]);
  await withdrawals.apply(reportOn(request.withdrawalId));
  expect(await payoutsOf(request.withdrawalId)).toEqual([
    `INR 97400 paid ${refOf(request.withdrawalId)}: withdrawal_late_paid`,
  ]);
});

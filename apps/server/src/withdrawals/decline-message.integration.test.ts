/** The provider's reason for a decline or return, as the user sees it. */
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import type { Bench } from '../payments/testing/payments.fixture.ts';
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

test('[WD-3] the provider’s reason for a decline is made safe, never changes, and is the same in every answer', async () => {
  const ann = await richUser(database);
  const command = intent(ann);
  const { withdrawalId } = command.request;
  await withdrawals.create(command);
  bench.provider.onWithdraw = async () => ({
    kind: 'declined',
    code: 'R03',
    cause: 'account-closed',
    message: `This account\n is \u202eclosed.${'!'.repeat(400)}`,
  });
  const decline = { declineCause: 'account-closed', message: `This account is closed.${'!'.repeat(276)}…` };
  await expect(withdrawals.confirm(ann, withdrawalId)).rejects.toMatchObject({ message: decline.message });
  expect(await withdrawals.status(ann, withdrawalId)).toMatchObject(decline);
  expect(await withdrawals.status(ann, withdrawalId)).toMatchObject(decline);
  const [pushed] = await database.query<{ body: unknown }>({
    text: "select body from outbox where user_id = $1 and name = 'withdrawal.status' order by id desc limit 1",
    values: [ann.userId],
  });
  expect(pushed?.body).toMatchObject({ status: 2, ...decline });
  const change = database.query({
    text: "update withdrawal set decline_message = 'Something else' where id = $1",
    values: [withdrawalId],
  });
  await expect(change).rejects.toThrow(/written once/);
  // A late payout hides the reason, because the provider did pay.
  await withdrawals.apply(reportOn(withdrawalId));
  const late = await withdrawals.status(ann, withdrawalId);
  expect(late).toMatchObject({ status: 3, reason: 'withdrawal.reason.late' });
  expect(late).not.toHaveProperty('message');
  expect(late).not.toHaveProperty('declineCause');
});

test.each(['declined', 'returned'] as const)(
  '[WD-3] a later or too early report adds the reason for %s; other texts about the same event change nothing',
  async (outcome) => {
    const ann = await richUser(database);
    const command = intent(ann);
    const { withdrawalId } = command.request;
    await withdrawals.create(command);
    await withdrawals.confirm(ann, withdrawalId);
    const why = { cause: 'name-mismatch', message: 'Der Name \u2066passt nicht.' } as const;
    const report = reportOn(withdrawalId, { outcome, ...why });
    if (outcome === 'returned') {
      expect(await withdrawals.apply(report)).toMatchObject({ outcome: 'unmatched' });
      await withdrawals.apply(reportOn(withdrawalId));
      await bench.payments.runDueWork();
    } else await withdrawals.apply(report);
    const decline = { status: 2, declineCause: 'name-mismatch', message: 'Der Name passt nicht.' };
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject(decline);
    const again = await withdrawals.apply({ ...report, message: 'Another language' });
    expect(again).toMatchObject({ outcome: 'unchanged' });
    expect(bench.logs.filter(({ message }) => message.includes('other content'))).toEqual([]);
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject(decline);
  },
);

/** A call that takes longer than its lease, while a repeat has sent the withdrawal: its late failure ends and frees nothing of the repeat (WD-2). */
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, refOf } from '../payments/testing/payments.fixture.ts';
import { codeOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import type { ProviderWithdrawResult } from '../providers/withdrawal-provider.ts';
import { books, intent, reportOn, richUser } from './withdrawals.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

/** The answers that the provider has not given yet, in the order of the calls. */
let answers: ((result: ProviderWithdrawResult) => void)[] = [];
beforeEach(() => {
  answers = [];
  bench.provider.onWithdraw = () =>
    new Promise((resolve) => {
      answers.push(resolve);
    });
});

/** Two calls for one withdrawal that wait for the provider. The lease of the first one is over. */
async function twoCalls(): Promise<{
  readonly caller: Caller;
  readonly withdrawalId: string;
  readonly first: Promise<string>;
  readonly repeat: Promise<string>;
}> {
  const caller = await richUser(database);
  const command = intent(caller);
  const { withdrawalId } = command.request;
  const { withdrawals } = bench.payments;
  await withdrawals.create(command);
  const first = codeOf(withdrawals.confirm(caller, withdrawalId));
  await expect.poll(() => answers.length).toBe(1);
  await database.query({ text: 'update withdrawal set busy_until = now() where id = $1', values: [withdrawalId] });
  const repeat = codeOf(withdrawals.confirm(caller, withdrawalId));
  await expect.poll(() => answers.length).toBe(2);
  return { caller, withdrawalId, first, repeat };
}

test('[WD-2] a failure that comes after a repeat was accepted keeps the hold, and the payout is paid once', async () => {
  const { caller, withdrawalId, first, repeat } = await twoCalls();
  answers[1]?.({ kind: 'accepted', providerRef: refOf(withdrawalId) });
  expect(await repeat).toBe('ok');
  answers[0]?.({ kind: 'failed', code: 'down' });
  expect(await first).toBe('ok');
  const { withdrawals } = bench.payments;
  expect(await withdrawals.status(caller, withdrawalId)).toMatchObject({ status: 3 });
  expect(await books(database, caller)).toMatchObject({ free: 0n, held: 100_000n });
  await withdrawals.apply(reportOn(withdrawalId));
  expect(await withdrawals.status(caller, withdrawalId)).toMatchObject({ status: 1 });
  expect(await books(database, caller)).toMatchObject({ free: 0n, held: 0n });
});

test('[WD-2] a failure that comes while a repeat asks is no outcome, and the repeat alone asks on', async () => {
  const { caller, withdrawalId, first, repeat } = await twoCalls();
  answers[0]?.({ kind: 'failed', code: 'down' });
  expect(await first).toBe('unknown-outcome');
  expect(await codeOf(bench.payments.withdrawals.confirm(caller, withdrawalId))).toBe('in-flight');
  expect(answers).toHaveLength(2);
  answers[1]?.({ kind: 'declined', code: 'blocked' });
  expect(await repeat).toBe('provider-error');
  expect(await books(database, caller)).toMatchObject({ free: 100_000n, held: 0n });
});

/** A provider that answers that it does not know a deposit, while a retry sends the deposit again (SRV-3). */
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { ann, type Bench, commandOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { codeOf, depositStateOf, withPayments } from '../payments/testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

/** Lets so many seconds pass for a deposit, and makes its next question due. */
async function wait(depositId: string, seconds: number): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'alter table deposit disable trigger deposit_guarded' });
    await transaction.query({
      text: `update deposit set created_at = created_at - make_interval(secs => $2),
        busy_until = busy_until - make_interval(secs => $2), check_at = now() where id = $1`,
      values: [depositId, seconds],
    });
    await transaction.query({ text: 'alter table deposit enable trigger deposit_guarded' });
  });
}

/** A deposit whose first call ended without an answer, so long ago that it cannot reach the provider any more. */
async function lostDeposit(userId: string): Promise<{ readonly depositId: string; retry(): Promise<string> }> {
  const command = commandOf({}, { ...ann, userId });
  const { depositId } = command.request;
  bench.provider.onCreate = async () => ({ kind: 'unknown', code: 'timeout' });
  expect(await codeOf(bench.payments.createDeposit(command))).toBe('unknown-outcome');
  await wait(depositId, 700);
  return { depositId, retry: () => codeOf(bench.payments.createDeposit(command)) };
}

test('[SRV-3] an answer that is older than a retry declines nothing: the provider may have the payment now', async () => {
  const { depositId, retry } = await lostDeposit('older-answer');
  bench.provider.onInquire = async () => {
    expect(await retry()).toBe('unknown-outcome');
    return undefined;
  };
  await bench.payments.runDueWork();
  expect(bench.provider.creates).toHaveLength(2);
  expect(await depositStateOf(database, depositId)).toBe('submitted_unknown');
  await bench.payments.apply(reportOf(depositId));
  expect(await depositStateOf(database, depositId)).toBe('credited');
});

test('[SRV-3] a question while a retry runs declines nothing, also when the retry ends before the answer', async () => {
  const { depositId, retry } = await lostDeposit('during-retry');
  let end = (): void => undefined;
  bench.provider.onCreate = () =>
    new Promise((resolve) => {
      end = () => resolve({ kind: 'unknown', code: 'timeout' });
    });
  const retried = retry();
  await expect.poll(() => bench.provider.creates.length).toBe(2);
  await database.query({ text: 'update deposit set check_at = now() where id = $1', values: [depositId] });
  bench.provider.onInquire = async () => {
    end();
    expect(await retried).toBe('unknown-outcome');
    return undefined;
  };
  await bench.payments.runDueWork();
  expect(await depositStateOf(database, depositId)).toBe('submitted_unknown');
});

test('[SRV-3] a retry may arrive late, so the provider is asked until it cannot arrive any more', async () => {
  const { depositId, retry } = await lostDeposit('late-retry');
  expect(await retry()).toBe('unknown-outcome');
  await wait(depositId, 60);
  await bench.payments.runDueWork();
  expect(await depositStateOf(database, depositId)).toBe('submitted_unknown');
  await wait(depositId, 700);
  await bench.payments.runDueWork();
  expect(await depositStateOf(database, depositId)).toBe('declined');
});

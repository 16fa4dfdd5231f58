/**
 * Providers that accept a payment and do not answer. The user waits, is not charged twice, and the cashier asks until
 * it knows.
 */
import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { userBalance } from '../ledger/ledger.ts';
import { PROVIDER_TIMEOUT_MS } from '../payment-ports/provider-failure.ts';
import {
  ann,
  type Bench,
  callbackOf,
  commandOf,
  createBench,
  refOf,
  reportOf,
} from '../payments/testing/payments.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import type { ProviderCreateResult } from '../providers/provider.ts';

let database: Database;
withPayments((made) => {
  ({ database } = made);
});

/** Whole seconds until the next question to the provider. */
async function askedIn(depositId: string): Promise<number> {
  const [row] = await database.query<{ seconds: number }>({
    text: 'select extract(epoch from check_at - updated_at)::float8 as seconds from deposit where id = $1',
    values: [depositId],
  });
  return Math.round(row?.seconds ?? -1);
}

/** Makes the next question due now. */
async function ask({ payments }: Bench, depositId: string): Promise<void> {
  await database.query({ text: 'update deposit set check_at = now() where id = $1', values: [depositId] });
  await payments.runDueWork();
}

type Answer = (late: Promise<void>, depositId: string) => Promise<ProviderCreateResult>;

/** Each provider has accepted the payment before the failure. */
const troubles: readonly [string, Answer][] = [
  ['never answers', () => new Promise(() => undefined)],
  [
    'answers after the time limit',
    async (late, depositId) => {
      await late;
      return { kind: 'created', providerRef: refOf(depositId), source: 'https://pay.example/late' };
    },
  ],
  ['closes the connection before its answer', () => Promise.reject(new TypeError('terminated'))],
  ['answers with its own error', async () => ({ kind: 'unknown', code: 'http-502' })],
];

test.each(troubles)(
  '[SRV-3] [SRV-6] a provider that accepts a payment and %s: the outcome is unknown, reconciliation asks on time, and the credit is booked once',
  async (_what, answer) => {
    const clock = createTestClock();
    const bench = createBench(database, { clock });
    let isTooLate = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      isTooLate = resolve;
    });
    bench.provider.onCreate = ({ depositId }) => answer(late, depositId);
    bench.provider.onInquire = () => Promise.reject(new Error('silent'));
    const caller = { ...ann, userId: `patient-${troubles.findIndex(([, one]) => one === answer)}` };
    const command = commandOf({}, caller);
    const { depositId } = command.request;
    const created = bench.payments.createDeposit(command).catch((error: unknown) => error);
    await expect.poll(() => bench.provider.creates.length).toBe(1);
    await clock.advanceAsync(PROVIDER_TIMEOUT_MS);
    const failure = await created;
    expect(failure).toBeInstanceOf(DomainError);
    expect(failure).toMatchObject({ code: 'unknown-outcome', message: expect.stringContaining('Do not pay again') });
    isTooLate();

    for (const seconds of [10, 30, 120, 600, 3600, 21_600, 21_600]) {
      expect(await askedIn(depositId)).toBe(seconds);
      expect(await bench.payments.depositStatus(caller, depositId)).toMatchObject({
        status: 0,
        isOutcomeUnknown: true,
      });
      await ask(bench, depositId);
    }

    const paid = reportOf(depositId);
    bench.provider.onInquire = async () => paid;
    await Promise.all([ask(bench, depositId), bench.payments.receiveCallback('fake', callbackOf(paid))]);
    await bench.payments.runDueWork();
    expect(await bench.payments.depositStatus(caller, depositId)).toMatchObject({ status: 1, finalAmount: '500.00' });
    expect(await userBalance(database, 'op', caller.userId, 'INR')).toBe(50_000n);
    expect(await bench.payments.createDeposit(command)).toMatchObject({ apiResponse: { depositId } });
    expect(bench.provider.creates).toHaveLength(1);
  },
);

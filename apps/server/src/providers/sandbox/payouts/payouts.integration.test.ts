import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import type { ProviderWithdrawal, WithdrawalProvider, WithdrawalReport } from '../../withdrawal-provider.ts';
import { HANG_MS } from '../payments/scenarios.ts';
import { setUpBench } from '../testing/bench.ts';
import { endingPayouts, payoutScenarioOf, usualPayout } from './payout-scenarios.ts';

const bench = setUpBench();

function payoutSide(): WithdrawalProvider {
  const { withdrawals } = bench().sandbox.provider;
  if (withdrawals === undefined) throw new Error('The sandbox has no payouts');
  return withdrawals;
}

const withdrawal = (ending: number, more: Partial<ProviderWithdrawal> = {}): ProviderWithdrawal => ({
  withdrawalId: randomUUID(),
  paymentMethod: 'card_withdrawal',
  amountMinor: 10_000n + BigInt(ending),
  receivesMinor: 9_900n + BigInt(ending),
  currency: 'USD',
  country: 'IN',
  fields: {},
  providerOptions: {},
  language: 'en',
  signal: new AbortController().signal,
  ...more,
});

/** The verified callbacks about one withdrawal, as reports. */
function verifiedReports(withdrawalId: string): WithdrawalReport[] {
  const { receiver, sandbox, clock } = bench();
  return receiver.received.flatMap(({ headers, rawBody }) => {
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const verdict = sandbox.provider.verify({ headers: plain, rawBody, receivedAt: clock.now() });
    const report = payoutSide().read(rawBody);
    if (report instanceof Promise) throw new Error('The sandbox reads at once');
    return verdict.kind === 'verified' && report?.withdrawalId === withdrawalId ? [report] : [];
  });
}

const outcomesOf = (withdrawalId: string): string[] => verifiedReports(withdrawalId).map(({ outcome }) => outcome);

test.each([
  [0, 3_000, ['paid']],
  [5, 0, ['paid']],
  [6, 6_000, ['paid']],
  [8, 2_000, ['paid', 'paid', 'paid']],
  [9, 1_000, ['paid', 'pending']],
  [10, 2_000, ['declined']],
  [11, 1_000, ['paid']],
  [12, 4_000, ['declined']],
  [12, 5_000, ['declined', 'paid']],
  [13, 10_000, ['paid', 'returned']],
  [19, 2_000, ['declined']],
] as const)('[WD-2] ending %i: accepted, and after %i ms the callbacks say %j', async (ending, ms, outcomes) => {
  const wanted = withdrawal(ending);
  const answer = await payoutSide().withdraw(wanted);
  expect(answer).toMatchObject({ kind: 'accepted' });
  // A repeated request with the same id is the same payout.
  expect(await payoutSide().withdraw(wanted)).toEqual(answer);
  await bench().pass(ms);
  expect(outcomesOf(wanted.withdrawalId)).toEqual(outcomes);
  for (const { paidMinor, currency } of verifiedReports(wanted.withdrawalId)) {
    expect({ paidMinor, currency }).toEqual({ paidMinor: wanted.receivesMinor, currency: 'USD' });
  }
  const last = outcomes.filter((outcome) => outcome !== 'pending').at(-1);
  const asked = await payoutSide().inquire({ withdrawalId: wanted.withdrawalId });
  expect(asked?.outcome).toBe(last);
  // An inquiry gives the same report as the callback.
  expect(verifiedReports(wanted.withdrawalId).find(({ outcome }) => outcome === last)).toEqual(asked);
});

test('[WD-2] endings that refuse: declined at once, failed, and declined with a message for the user', async () => {
  for (const [ending, code, cause] of [
    [1, 'account-closed', 'account-closed'],
    [15, 'account-invalid', 'account-details'],
    [16, 'limit-exceeded', 'limit'],
    [17, 'name-mismatch', 'name-mismatch'],
    [18, 'bank-unavailable', 'bank-unavailable'],
  ] as const) {
    expect(await payoutSide().withdraw(withdrawal(ending))).toEqual({ kind: 'declined', code, cause });
  }
  expect(await payoutSide().withdraw(withdrawal(2))).toEqual({ kind: 'failed', code: 'sandbox-unavailable' });
  const told = async (language: string) => payoutSide().withdraw({ ...withdrawal(14), language });
  expect(await told('en')).toMatchObject({ kind: 'declined', message: /bank does not allow/ });
  expect(await told('de-AT')).toMatchObject({ kind: 'declined', message: /^Ihre Bank hat diese Zahlung abgelehnt/ });
});

test('[WD-3] a later refusal names its cause, in the callback and in the inquiry alike', async () => {
  const closed = withdrawal(10);
  const worded = withdrawal(19, { language: 'de-AT' });
  for (const wanted of [closed, worded]) await payoutSide().withdraw(wanted);
  await bench().pass(2_000);
  expect(verifiedReports(closed.withdrawalId)).toMatchObject([{ outcome: 'declined', cause: 'account-closed' }]);
  const [report] = verifiedReports(worded.withdrawalId);
  expect(report).toMatchObject({
    reason: 'bank-refuses',
    message: expect.stringMatching(/^Ihre Bank hat diese Zahlung abgelehnt/),
  });
  expect(report).not.toHaveProperty('cause');
  expect(await payoutSide().inquire({ withdrawalId: worded.withdrawalId })).toEqual(report);
});

test('[WD-2] endings with an unknown outcome: an inquiry finds one, and never the other', async () => {
  for (const ending of [3, 4]) {
    const wanted = withdrawal(ending);
    const timersBefore = bench().clock.pending();
    const answer = payoutSide().withdraw(wanted);
    // The sandbox stores the payout first, and then hangs on a timer of the clock.
    await vi.waitFor(() => expect(bench().clock.pending()).toBeGreaterThan(timersBefore), { timeout: 10_000 });
    bench().clock.advance(HANG_MS);
    expect(await answer).toEqual({ kind: 'unknown', code: 'timeout' });
    await bench().pass(1_000);
    expect(outcomesOf(wanted.withdrawalId)).toEqual([]);
    const asked = payoutSide().inquire({ withdrawalId: wanted.withdrawalId });
    if (ending === 3) expect(await asked).toMatchObject({ outcome: 'paid', paidMinor: wanted.receivesMinor });
    else await expect(asked).rejects.toThrow('does not answer');
  }
});

test('[WD-2] one id with two amounts has an unknown outcome, and an id that was never sent is undefined', async () => {
  const wanted = withdrawal(5);
  await payoutSide().withdraw(wanted);
  expect(await payoutSide().withdraw({ ...wanted, receivesMinor: 1n })).toEqual({
    kind: 'unknown',
    code: 'idempotency-conflict',
  });
  expect(await payoutSide().inquire({ withdrawalId: randomUUID() })).toBeUndefined();
});

test('a callback about a payment is not read as a payout', () => {
  const body = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  expect(payoutSide().read(body({ type: 'payment.paid' }))).toBeUndefined();
  expect(() => payoutSide().read(body({ type: 'payout.paid' }))).toThrow();
  expect(() => payoutSide().read(body({}))).toThrow();
});

test('every amount has one row, and docs/sandbox.md lists them all', () => {
  const page = readFileSync(new URL('../../../../../../docs/sandbox.md', import.meta.url), 'utf8');
  const section = page.slice(page.indexOf('## Withdrawals'));
  for (const { ending, name, summary } of endingPayouts) {
    expect(section).toContain(`| \`.${String(ending).padStart(2, '0')}\` | \`${name}\` | ${summary} |`);
    expect(payoutScenarioOf(12_300n + BigInt(ending ?? 0)).name).toBe(name);
  }
  expect(payoutScenarioOf(12_300n)).toBe(usualPayout);
});

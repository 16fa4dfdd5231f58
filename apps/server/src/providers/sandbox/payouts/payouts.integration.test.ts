import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import type { ProviderWithdrawal, WithdrawalEvidence, WithdrawalProvider } from '../../withdrawal-provider.ts';
import { HANG_MS } from '../payments/scenarios.ts';
import { setUpBench } from '../testing/bench.ts';
import { endingPayouts, payoutScenarioOf, usualPayout } from './payout-scenarios.ts';

const bench = setUpBench();

function half(): WithdrawalProvider {
  const { withdrawals } = bench().sandbox.provider;
  if (withdrawals === undefined) throw new Error('The sandbox pays out');
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

/** What a cashier would believe about one withdrawal of what came. */
function believed(withdrawalId: string): WithdrawalEvidence[] {
  const { ear, sandbox, clock } = bench();
  return ear.received.flatMap(({ headers, rawBody }) => {
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const verdict = sandbox.provider.verify({ headers: plain, rawBody, receivedAt: clock.now() });
    const report = half().read(rawBody);
    return verdict.kind === 'verified' && report?.withdrawalId === withdrawalId ? [report] : [];
  });
}

const outcomesOf = (withdrawalId: string): string[] => believed(withdrawalId).map(({ outcome }) => outcome);

test.each([
  [0, 3_000, ['paid']],
  [5, 0, ['paid']],
  [6, 6_000, ['paid']],
  [8, 2_000, ['paid', 'paid', 'paid']],
  [9, 1_000, ['paid', 'pending']],
  [10, 2_000, ['declined']],
  [11, 1_000, ['paid']],
  [13, 10_000, ['paid', 'returned']],
  [19, 2_000, ['declined']],
] as const)('[WD-2] ending %i: taken, and after %i ms the call-backs say %j', async (ending, ms, outcomes) => {
  const wanted = withdrawal(ending);
  const answer = await half().withdraw(wanted);
  expect(answer).toMatchObject({ kind: 'accepted' });
  // Told again under the same id it is the same payout.
  expect(await half().withdraw(wanted)).toEqual(answer);
  await bench().pass(ms);
  expect(outcomesOf(wanted.withdrawalId)).toEqual(outcomes);
  for (const { paidMinor, currency } of believed(wanted.withdrawalId)) {
    expect({ paidMinor, currency }).toEqual({ paidMinor: wanted.receivesMinor, currency: 'USD' });
  }
  const last = outcomes.filter((outcome) => outcome !== 'pending').at(-1);
  const asked = await half().inquire({ withdrawalId: wanted.withdrawalId });
  expect(asked?.outcome).toBe(last);
  // An answer to a question is the same fact as its call-back.
  expect(believed(wanted.withdrawalId).find(({ outcome }) => outcome === last)).toEqual(asked);
});

test('[WD-2] endings that refuse: at once, broken, and with words for the person', async () => {
  for (const [ending, code, cause] of [
    [1, 'account-closed', 'account-closed'],
    [15, 'account-invalid', 'account-details'],
    [16, 'limit-exceeded', 'limit'],
    [17, 'name-mismatch', 'name-mismatch'],
    [18, 'bank-unavailable', 'bank-unavailable'],
  ] as const) {
    expect(await half().withdraw(withdrawal(ending))).toEqual({ kind: 'declined', code, cause });
  }
  expect(await half().withdraw(withdrawal(2))).toEqual({ kind: 'failed', code: 'sandbox-unavailable' });
  const told = async (language: string) => half().withdraw({ ...withdrawal(14), language });
  expect(await told('en')).toMatchObject({ kind: 'declined', message: /bank does not allow/ });
  expect(await told('de-AT')).toMatchObject({ kind: 'declined', message: /^Ihre Bank erlaubt/ });
});

test('[WD-3] a later refusal says why, in a call-back and in an answer alike', async () => {
  const closed = withdrawal(10);
  const worded = withdrawal(19, { language: 'de-AT' });
  for (const wanted of [closed, worded]) await half().withdraw(wanted);
  await bench().pass(2_000);
  expect(believed(closed.withdrawalId)).toMatchObject([{ outcome: 'declined', cause: 'account-closed' }]);
  const [report] = believed(worded.withdrawalId);
  expect(report).toMatchObject({ reason: 'bank-refuses', message: expect.stringMatching(/^Ihre Bank erlaubt/) });
  expect(report).not.toHaveProperty('cause');
  expect(await half().inquire({ withdrawalId: worded.withdrawalId })).toEqual(report);
});

test('[WD-2] endings of unknown outcome: one is found by asking, the other never', async () => {
  for (const ending of [3, 4]) {
    const wanted = withdrawal(ending);
    const timersBefore = bench().clock.pending();
    const answer = half().withdraw(wanted);
    // Its books are written first; then it hangs, on a timer of the clock.
    await vi.waitFor(() => expect(bench().clock.pending()).toBeGreaterThan(timersBefore), { timeout: 10_000 });
    bench().clock.advance(HANG_MS);
    expect(await answer).toEqual({ kind: 'unknown', code: 'timeout' });
    await bench().pass(1_000);
    expect(outcomesOf(wanted.withdrawalId)).toEqual([]);
    const asked = half().inquire({ withdrawalId: wanted.withdrawalId });
    if (ending === 3) expect(await asked).toMatchObject({ outcome: 'paid', paidMinor: wanted.receivesMinor });
    else await expect(asked).rejects.toThrow('does not answer');
  }
});

test('[WD-2] one id with two amounts is neither paid nor refused, and an id never told of is not known', async () => {
  const wanted = withdrawal(5);
  await half().withdraw(wanted);
  expect(await half().withdraw({ ...wanted, receivesMinor: 1n })).toEqual({
    kind: 'unknown',
    code: 'idempotency-conflict',
  });
  expect(await half().inquire({ withdrawalId: randomUUID() })).toBeUndefined();
});

test('a call-back about a payment is none about a payout', () => {
  const body = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  expect(half().read(body({ type: 'payment.paid' }))).toBeUndefined();
  expect(() => half().read(body({ type: 'payout.paid' }))).toThrow();
  expect(() => half().read(body({}))).toThrow();
});

test('every amount has one row, and the page for people lists them all', () => {
  const page = readFileSync(new URL('../../../../../../docs/sandbox.md', import.meta.url), 'utf8');
  const section = page.slice(page.indexOf('## Withdrawals'));
  for (const { ending, name, summary } of endingPayouts) {
    expect(section).toContain(`| \`.${String(ending).padStart(2, '0')}\` | \`${name}\` | ${summary} |`);
    expect(payoutScenarioOf(12_300n + BigInt(ending ?? 0)).name).toBe(name);
  }
  expect(payoutScenarioOf(12_300n)).toBe(usualPayout);
});

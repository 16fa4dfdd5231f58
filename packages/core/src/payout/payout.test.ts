import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeWithdrawalMove, WITHDRAWAL_STATES, type WithdrawalState } from '../withdrawal/withdrawal-lifecycle.ts';
import { arrivesOf, type WithdrawalAggregate } from './aggregate.ts';
import { PAYOUT_MOVES, type PayoutState, payoutStateOf } from './payout-lifecycle.ts';
import { reduceLatePayout } from './reduce-late-payout.ts';
import { reducePayout } from './reduce-payout.ts';
import type { PayoutEffect, PayoutReport } from './report.ts';

const withdrawal = {
  provider: 'bank',
  providerRef: null,
  state: 'submitted' as WithdrawalState,
  amount: 10_000n,
  fee: 100n,
  currency: 'INR',
  payoutCurrency: null,
  payoutAmount: null,
};

/** A withdrawal in a state, with the payout that belongs to this state. */
function aggregate(more: Partial<WithdrawalAggregate['withdrawal']> = {}, approvalsNeeded = 0): WithdrawalAggregate {
  const facts = { ...withdrawal, ...more };
  const state = payoutStateOf(facts.state);
  return { withdrawal: facts, approvalsNeeded, ...(state !== undefined && { payout: { id: 'payout', state } }) };
}

const paid: PayoutReport = {
  provider: 'bank',
  providerRef: 'out-1',
  outcome: 'paid',
  paidMinor: 9_900n,
  currency: 'INR',
};

test('[SRV-3] a payout never re-enters a state, and only `returned` is final', () => {
  const { first, next } = PAYOUT_MOVES;
  const after = (state: PayoutState): PayoutState[] => next[state].flatMap((one) => [one, ...after(one)]);
  const states = Object.keys(next) as PayoutState[];
  for (const state of states) expect(after(state)).not.toContain(state);
  expect(states.filter((state) => next[state].length === 0)).toEqual(['returned']);
  expect(new Set(first.flatMap((state) => [state, ...after(state)]))).toEqual(new Set(states));
});

test('[SRV-3] each move of a withdrawal implies an allowed move of its payout', () => {
  for (const from of WITHDRAWAL_STATES) {
    for (const to of WITHDRAWAL_STATES.filter((state) => judgeWithdrawalMove(from, state) === 'move')) {
      const was = payoutStateOf(from);
      const is = payoutStateOf(to);
      if (is === undefined || is === was) continue;
      // Staff can decline a withdrawal that has no payout yet. So the state alone does not say whether a payout
      // exists.
      const allowed = was === undefined ? PAYOUT_MOVES.first : PAYOUT_MOVES.next[was];
      expect(allowed, `${from} to ${to}`).toContain(is);
    }
  }
});

test('[WD-2] the user receives the amount less the fee, or the agreed amount in another currency', () => {
  expect(arrivesOf(withdrawal)).toEqual({ currency: 'INR', minor: 9_900n });
  expect(arrivesOf({ ...withdrawal, payoutCurrency: 'USDT', payoutAmount: 500_000n })).toEqual({
    currency: 'USDT',
    minor: 500_000n,
  });
});

describe('[WD-2] a payout report', () => {
  test.each<[string, PayoutReport, readonly PayoutEffect[]]>([
    [
      'of `paid` moves payout and withdrawal to paid',
      paid,
      [
        { kind: 'set-payout', to: 'paid' },
        { kind: 'move', to: 'paid' },
      ],
    ],
    [
      'of `declined` without an amount declines both',
      { provider: 'bank', outcome: 'declined', cause: 'account-closed' },
      [
        { kind: 'set-payout', to: 'declined' },
        { kind: 'move', to: 'declined', reason: 'withdrawal.reason.declined', isDecline: true },
      ],
    ],
    ['of the present state changes nothing', { ...paid, outcome: 'pending' }, []],
  ])('%s', (_name, report, effects) => {
    expect(reducePayout(aggregate(), report)).toEqual({ kind: 'effects', effects });
  });

  test('of `returned` returns the whole amount, and is unmatched before the payout was paid', () => {
    const returned: PayoutReport = { ...paid, outcome: 'returned' };
    expect(reducePayout(aggregate(), returned)).toEqual({ kind: 'unmatched', why: 'not-paid-yet' });
    expect(reducePayout(aggregate({ state: 'paid' }), returned)).toEqual({
      kind: 'effects',
      effects: [
        { kind: 'set-payout', to: 'returned' },
        { kind: 'book-return' },
        { kind: 'move', to: 'returned', reason: 'withdrawal.reason.returned', isDecline: true },
      ],
    });
  });

  test.each(['declined', 'cancelled', 'expired'] as const)(
    'of `paid` for a %s withdrawal needs a decision of staff',
    (state) => {
      expect(reducePayout(aggregate({ state }), paid)).toEqual({
        kind: 'effects',
        effects: [
          { kind: 'set-payout', to: 'paid' },
          { kind: 'book-late-payout' },
          { kind: 'move', to: 'late_paid', reason: 'withdrawal.reason.late' },
        ],
      });
    },
  );

  test('that a late payout came back books it back, and only before staff decided', () => {
    const returned: PayoutReport = { ...paid, outcome: 'returned' };
    expect(reducePayout(aggregate({ state: 'late_paid' }), returned)).toEqual({
      kind: 'effects',
      effects: [
        { kind: 'set-payout', to: 'returned' },
        { kind: 'book-late-return' },
        { kind: 'move', to: 'late_returned', reason: 'withdrawal.reason.declined' },
      ],
    });
    expect(reducePayout(aggregate({ state: 'late_settled' }), returned)).toEqual({
      kind: 'unmatched',
      why: 'returned-after-settlement',
    });
  });

  test('only `paid` makes a late payout of a withdrawal whose amount went back', () => {
    const none = { kind: 'effects', effects: [] };
    expect(reducePayout(aggregate({ state: 'declined' }), { ...paid, outcome: 'declined' })).toEqual(none);
    expect(reducePayout(aggregate({ state: 'cancelled' }), { ...paid, outcome: 'pending' })).toEqual(none);
    expect(reducePayout(aggregate({ state: 'cancelled' }), { ...paid, outcome: 'declined' })).toEqual({
      kind: 'unmatched',
      why: 'forbidden',
    });
  });

  test.each<[string, Partial<PayoutReport>, string]>([
    ['another provider', { provider: 'other' }, 'other-provider'],
    ['another amount', { paidMinor: 9_899n }, 'other-amount'],
    ['another currency', { currency: 'USD' }, 'other-amount'],
    ['another reference', { providerRef: 'out-2' }, 'other-ref'],
  ])('with %s is unmatched', (_name, more, why) => {
    const known = aggregate({ providerRef: 'out-1' });
    expect(reducePayout(known, { ...paid, ...more })).toEqual({ kind: 'unmatched', why });
  });

  test('that the payout cannot follow any more is unmatched', () => {
    const known: WithdrawalAggregate = { ...aggregate(), payout: { id: 'payout', state: 'returned' } };
    expect(reducePayout(known, paid)).toEqual({ kind: 'unmatched', why: 'forbidden' });
  });

  test('of `paid` without an amount is unmatched', () => {
    const { paidMinor: _paidMinor, ...bare } = paid;
    expect(reducePayout(aggregate(), bare)).toEqual({ kind: 'unmatched', why: 'other-amount' });
  });

  test('[SRV-1] of a payout that staff have not approved is unmatched', () => {
    expect(reducePayout(aggregate({ state: 'held' }, 1), paid)).toEqual({ kind: 'unmatched', why: 'forbidden' });
    expect(reducePayout(aggregate({ state: 'awaiting_approval' }), paid)).toEqual({
      kind: 'unmatched',
      why: 'forbidden',
    });
  });
});

test('[WD-2] [SRV-2] for any reports in any order, money leaves at most once and every move is allowed', () => {
  const outcome = fc.constantFrom<PayoutReport['outcome']>('pending', 'paid', 'declined', 'returned');
  const start = fc.constantFrom<WithdrawalState>('held', 'submitted_unknown', 'submitted', 'cancelled', 'expired');
  fc.assert(
    fc.property(start, fc.array(outcome, { maxLength: 12 }), (first, outcomes) => {
      let state = first;
      let payout = payoutStateOf(first);
      let left = 0;
      for (const one of outcomes) {
        const verdict = reducePayout(aggregate({ state }), { ...paid, outcome: one });
        if (verdict.kind === 'unmatched') continue;
        for (const effect of verdict.effects) {
          if (effect.kind === 'set-payout') {
            expect(payout === undefined ? PAYOUT_MOVES.first : PAYOUT_MOVES.next[payout]).toContain(effect.to);
            if (effect.to === 'paid') left += 1;
            payout = effect.to;
          } else if (effect.kind === 'move') {
            expect(judgeWithdrawalMove(state, effect.to)).toBe('move');
            state = effect.to;
          }
        }
        expect(payout).toBe(payoutStateOf(state));
      }
      expect(left).toBeLessThanOrEqual(1);
    }),
  );
});

test('[WD-2] staff decide about a late payout once', () => {
  expect(reduceLatePayout('late_paid', 'charge')).toEqual([
    { kind: 'settle-late-payout', decision: 'charge' },
    { kind: 'move', to: 'late_settled' },
  ]);
  for (const state of WITHDRAWAL_STATES.filter((one) => one !== 'late_paid')) {
    expect(reduceLatePayout(state, 'bear')).toBeUndefined();
  }
});

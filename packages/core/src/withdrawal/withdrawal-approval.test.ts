import fc from 'fast-check';
import { expect, test } from 'vitest';
import { approvalsNeeded, DAY_STATES, judgeApproval, judgeWithdrawalReport } from './withdrawal-approval.ts';
import {
  canUserCancelWithdrawal,
  holdEffectOf,
  judgeWithdrawalMove,
  WITHDRAWAL_STATES,
  type WithdrawalState,
  withdrawalRank,
} from './withdrawal-lifecycle.ts';

test('[SRV-1] an amount above the first threshold needs one approval, above the second two, without thresholds none', () => {
  const needed = (...asked: Parameters<typeof approvalsNeeded>) => approvalsNeeded(...asked).needed;
  expect(needed(10n ** 15n, 10n ** 15n, undefined)).toBe(0);
  expect(needed(1n, 0n, { one: 0n })).toBe(1);
  expect(needed(500n, 10_000n, { one: 500n, two: 900n })).toBe(0);
  expect(needed(501n, 0n, { one: 500n, two: 900n })).toBe(1);
  expect(needed(900n, 0n, { one: 500n, two: 900n })).toBe(1);
  expect(needed(901n, 0n, { one: 500n, two: 900n })).toBe(2);
  expect(needed(1n, 0n, { one: 0n, two: 0n })).toBe(2);
});

test('[SRV-1] a withdrawal that lifts the daily sum above its limit needs one approval, with the reason `day`', () => {
  expect(approvalsNeeded(400n, 600n, { day: 1000n })).toEqual({ needed: 0 });
  expect(approvalsNeeded(401n, 600n, { day: 1000n })).toEqual({ needed: 1, because: 'day' });
  expect(approvalsNeeded(1n, 0n, { day: 0n })).toEqual({ needed: 1, because: 'day' });
  expect(approvalsNeeded(401n, 600n, { one: 400n, day: 1000n })).toEqual({ needed: 1, because: 'amount' });
  expect(approvalsNeeded(901n, 600n, { one: 400n, two: 900n, day: 1000n })).toEqual({ needed: 2, because: 'amount' });
});

test('[SRV-1] however a user splits amounts over a day, at most the daily limit leaves without approval', () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 400n }), { maxLength: 12 });
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 0n, max: 1_000n }), (wanted, day) => {
      let [confirmed, unseen] = [0n, 0n];
      for (const amount of wanted) {
        if (approvalsNeeded(amount, confirmed, { day }).needed === 0) unseen += amount;
        confirmed += amount;
      }
      expect(unseen <= day).toBe(true);
    }),
  );
});

test('[SRV-1] every state with a confirmed, not returned amount counts for the daily sum', () => {
  const isBackOrUnconfirmed = (state: WithdrawalState) =>
    ['checking', 'refused', 'held', 'returned', 'late_returned'].includes(state) || holdEffectOf(state) === 'release';
  const away = WITHDRAWAL_STATES.filter((state) => !isBackOrUnconfirmed(state));
  expect([...DAY_STATES].sort()).toEqual([...away].sort());
});

test('[SRV-3] a late decision, or a second approval by the same person, changes nothing', () => {
  const waiting = {
    state: 'awaiting_approval',
    needed: 2,
    approvedBy: ['Eve'],
    isOverdue: false,
    isFrozen: false,
  } as const;
  expect(judgeApproval(waiting, 'approve', 'eve')).toEqual({ kind: 'refused', why: 'same-person' });
  expect(judgeApproval(waiting, 'approve', 'mallory')).toEqual({ kind: 'move', to: 'submitted_unknown' });
  expect(judgeApproval(waiting, 'decline', 'eve')).toEqual({ kind: 'move', to: 'declined' });
  expect(judgeApproval({ ...waiting, approvedBy: [] }, 'approve', 'eve')).toEqual({ kind: 'counted' });
  expect(judgeApproval({ ...waiting, isOverdue: true }, 'approve', 'mallory')).toEqual({
    kind: 'refused',
    why: 'overdue',
  });
  const frozen = { ...waiting, isFrozen: true };
  expect(judgeApproval(frozen, 'approve', 'mallory')).toEqual({ kind: 'refused', why: 'frozen' });
  expect(judgeApproval(frozen, 'decline', 'mallory')).toEqual({ kind: 'move', to: 'declined' });
  for (const state of ['held', 'submitted_unknown', 'cancelled', 'paid'] as const) {
    expect(judgeApproval({ ...waiting, state }, 'decline', 'eve')).toEqual({ kind: 'refused', why: 'not-waiting' });
  }
});

const people = ['eve', 'EVE', 'mallory', 'trent'];
type Event =
  | { what: 'confirm' | 'cancel' | 'expire' }
  | { what: 'approve' | 'decline'; by: string }
  | { what: 'report'; to: WithdrawalState };
// Endings are rare, so that long sequences occur too.
const event = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ what: 'confirm' } as const) },
  { weight: 1, arbitrary: fc.constant({ what: 'cancel' } as const) },
  { weight: 1, arbitrary: fc.constant({ what: 'expire' } as const) },
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constantFrom('approve', 'approve', 'approve', 'decline'),
      by: fc.constantFrom(...people),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('report'),
      to: fc.constantFrom('submitted', 'paid', 'declined', 'returned'),
    }),
  },
) as fc.Arbitrary<Event>;
const confirm: Event = { what: 'confirm' };
const approve = (by: string): Event => ({ what: 'approve', by });
const report = (to: WithdrawalState): Event => ({ what: 'report', to });
/** Sequences to the ends that must be met, and the approvals that they need. They always run besides the random ones. */
const WAYS: [Event[], number][] = [
  [[confirm, report('paid')], 0],
  [[confirm, approve('eve'), report('paid'), report('returned')], 1],
  [[confirm, approve('eve'), approve('EVE'), approve('mallory'), report('paid')], 2],
  [[confirm, { what: 'decline', by: 'eve' }], 1],
  [[confirm, approve('eve'), { what: 'expire' }], 2],
];

test('[SRV-3] [WD-2] no sequence pays twice, pays without the needed approvals, or loses the hold', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(event, { maxLength: 24, size: 'max' }), fc.constantFrom(0, 1, 2), (events, needed) => {
      let state: WithdrawalState = 'held';
      const approvedBy: string[] = [];
      let [posted, released] = [0, 0];
      const goTo = (to: WithdrawalState) => {
        expect(judgeWithdrawalMove(state, to)).toBe('move');
        expect(withdrawalRank(to)).toBeGreaterThan(withdrawalRank(state));
        const isSubmitted = withdrawalRank(to) > withdrawalRank('awaiting_approval') && withdrawalRank(to) < 80;
        if (isSubmitted || to === 'paid')
          expect(new Set(approvedBy.map((name) => name.toLowerCase())).size).toBeGreaterThanOrEqual(needed);
        state = to;
        if (holdEffectOf(to) === 'post') posted += 1;
        if (holdEffectOf(to) === 'release') released += 1;
        seen.add(`${needed} ${to}`);
      };
      for (const one of events) {
        const before: WithdrawalState = state;
        if (one.what === 'confirm' && before === 'held') goTo(needed > 0 ? 'awaiting_approval' : 'submitted_unknown');
        if (one.what === 'cancel' && canUserCancelWithdrawal(before)) goTo('cancelled');
        if (one.what === 'expire' && canUserCancelWithdrawal(before)) goTo('expired');
        if (one.what === 'report' && judgeWithdrawalReport(before, one.to, needed) === 'move') goTo(one.to);
        if (one.what === 'approve' || one.what === 'decline') {
          const verdict = judgeApproval(
            { state, needed, approvedBy, isOverdue: false, isFrozen: false },
            one.what,
            one.by,
          );
          if (verdict.kind !== 'refused' && one.what === 'approve') approvedBy.push(one.by);
          if (verdict.kind === 'move') goTo(verdict.to);
        }
        const isHeld = ['held', 'awaiting_approval', 'submitted_unknown', 'submitted'].includes(state);
        expect(posted + released).toBe(isHeld ? 0 : 1);
      }
    }),
    { numRuns: 2000, examples: WAYS },
  );
  // The sequences must really reach these states.
  for (const end of ['0 paid', '1 paid', '2 paid', '2 awaiting_approval', '1 declined', '2 expired', '1 returned'])
    expect([...seen]).toContain(end);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  canDepositExpire,
  canUserCancelDeposit,
  DEPOSIT_STATES,
  type DepositState,
  depositRank,
  depositStateOnPayment,
  isDepositState,
  judgeDepositMove,
  statusOfDepositState,
} from './deposit-lifecycle.ts';

const pairs = DEPOSIT_STATES.flatMap((from) => DEPOSIT_STATES.map((to) => [from, to] as const));

test('[SRV-3] the rank rises along every allowed transition', () => {
  for (const [from, to] of pairs) {
    if (judgeDepositMove(from, to) === 'move') expect(depositRank(to)).toBeGreaterThan(depositRank(from));
  }
});

test('[SRV-3] the table allows exactly these transitions', () => {
  const allowed = Object.fromEntries(
    DEPOSIT_STATES.map((from) => [
      from,
      DEPOSIT_STATES.filter((to) => judgeDepositMove(from, to) === 'move')
        .sort()
        .join(' '),
    ]),
  );
  expect(allowed).toEqual({
    created: 'awaiting_payment cancelled confirming credited declined detected expired submitted_unknown',
    submitted_unknown: 'awaiting_payment cancelled confirming credited declined detected expired',
    awaiting_payment: 'cancelled confirming credited declined detected expired',
    detected: 'cancelled confirming credited declined expired',
    confirming: 'cancelled credited declined expired',
    declined: 'late_paid',
    cancelled: 'late_paid',
    expired: 'late_paid',
    late_paid: 'credited refunded',
    credited: 'refunded reversed',
    refunded: '',
    reversed: '',
  });
});

test('[SRV-3] every pair of states is judged: move, same, stale or forbidden', () => {
  expect(judgeDepositMove('credited', 'credited')).toBe('same');
  expect(judgeDepositMove('credited', 'awaiting_payment')).toBe('stale');
  expect(judgeDepositMove('credited', 'declined')).toBe('stale');
  expect(judgeDepositMove('expired', 'cancelled')).toBe('stale');
  expect(judgeDepositMove('expired', 'credited')).toBe('forbidden');
  expect(judgeDepositMove('created', 'reversed')).toBe('forbidden');
  expect(judgeDepositMove('detected', 'refunded')).toBe('forbidden');
  for (const [from, to] of pairs) {
    if (depositRank(to) < depositRank(from)) expect(judgeDepositMove(from, to)).toBe('stale');
  }
});

test('[DEP-15] [SRV-3] only the state credited is shown as processed', () => {
  const byStatus = (status: string) => DEPOSIT_STATES.filter((state) => statusOfDepositState(state) === status);
  expect(byStatus('processed')).toEqual(['credited']);
  expect(byStatus('accepted')).toEqual(['late_paid']);
  expect(byStatus('mistaked')).toEqual(['declined', 'cancelled', 'expired', 'refunded', 'reversed']);
  expect(byStatus('waiting')).toEqual(['created', 'submitted_unknown', 'awaiting_payment', 'detected', 'confirming']);
});

test('[SRV-3] the user can cancel only while nobody has paid', () => {
  const unpaid = ['created', 'submitted_unknown', 'awaiting_payment'];
  expect(DEPOSIT_STATES.filter((state) => canUserCancelDeposit(state))).toEqual(unpaid);
  expect(DEPOSIT_STATES.filter((state) => canDepositExpire(state))).toEqual(unpaid);
  // The seen payment has vanished.
  const vanished = [...unpaid, 'detected', 'confirming'];
  expect(DEPOSIT_STATES.filter((state) => canUserCancelDeposit(state, false))).toEqual(vanished);
  expect(DEPOSIT_STATES.filter((state) => canDepositExpire(state, false))).toEqual(vanished);
  expect(DEPOSIT_STATES.filter((state) => canUserCancelDeposit(state, true))).toEqual(unpaid);
});

test('[DEP-11] a payment after an ending is late, and a second proof credits nothing', () => {
  expect(Object.fromEntries(DEPOSIT_STATES.map((state) => [state, depositStateOnPayment(state)]))).toEqual({
    created: 'credited',
    submitted_unknown: 'credited',
    awaiting_payment: 'credited',
    detected: 'credited',
    confirming: 'credited',
    declined: 'late_paid',
    cancelled: 'late_paid',
    expired: 'late_paid',
    late_paid: undefined,
    credited: undefined,
    refunded: undefined,
    reversed: undefined,
  });
});

test('[SRV-3] with report in any order the rank never falls, and a deposit is credited at most once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...DEPOSIT_STATES), { maxLength: 40 }), (report) => {
      let state: DepositState = 'created';
      let credits = 0;
      for (const to of report) {
        if (judgeDepositMove(state, to) !== 'move') continue;
        expect(depositRank(to)).toBeGreaterThan(depositRank(state));
        state = to;
        if (to === 'credited') credits += 1;
      }
      expect(credits).toBeLessThanOrEqual(1);
    }),
  );
});

test('a state from outside is checked by name', () => {
  expect(isDepositState('credited')).toBe(true);
  expect(['CREDITED', 'constructor', '__proto__', '', null, 90].map(isDepositState)).toEqual(Array(6).fill(false));
});

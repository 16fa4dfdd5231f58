import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from './decide.ts';
import { nextAfter, type RoutingAttempt } from './next-after.ts';
import { arbitraryInputs, inputs } from './routing.fixture.ts';

const decision = decide(inputs());

test('[SRV-4] begins with the first, and goes on after certain failures alone', () => {
  expect(nextAfter(decision, [])).toEqual({ kind: 'try', key: 'one' });
  const failed: RoutingAttempt[] = [{ key: 'one', outcome: 'failed' }];
  expect(nextAfter(decision, failed)).toEqual({ kind: 'try', key: 'two' });
});

test.each(['unknown', 'pending'] as const)(
  '[SRV-4] an attempt that is %s locks the deposit to its account',
  (outcome) => {
    const attempts: RoutingAttempt[] = [
      { key: 'one', outcome: 'failed' },
      { key: 'two', outcome },
    ];
    expect(nextAfter(decision, attempts)).toEqual({ kind: 'locked', key: 'two' });
  },
);

test('[SRV-4] a decline ends the deposit, unless the route says otherwise', () => {
  const declined: RoutingAttempt[] = [{ key: 'one', outcome: 'declined' }];
  expect(nextAfter(decision, declined)).toEqual({ kind: 'declined', key: 'one' });
  const generous = decide(inputs({ afterDecline: 'next' }));
  expect(nextAfter(generous, declined)).toEqual({ kind: 'try', key: 'two' });
  const refused: RoutingAttempt[] = [{ key: 'one', outcome: 'declined', declineCause: 'bank-refused' }];
  expect(nextAfter(generous, refused)).toEqual({ kind: 'try', key: 'two' });
  const ofPayer: RoutingAttempt[] = [{ key: 'one', outcome: 'declined', declineCause: 'insufficient-funds' }];
  expect(nextAfter(generous, ofPayer)).toEqual({ kind: 'declined', key: 'one' });
});

test('[SRV-4] no more accounts are tried than the route allows', () => {
  const attempts: RoutingAttempt[] = [
    { key: 'one', outcome: 'failed' },
    { key: 'two', outcome: 'failed' },
  ];
  expect(nextAfter(decide(inputs({ mostTries: 2 })), attempts)).toEqual({ kind: 'exhausted' });
  expect(nextAfter(decision, [...attempts, { key: 'three', outcome: 'failed' }])).toEqual({ kind: 'exhausted' });
});

test('[SRV-4] whatever happens, no account is asked after one that may have the payment, none twice and none that was rejected', () => {
  const outcomes = fc.array(fc.constantFrom('accepted', 'declined', 'failed', 'unknown', 'pending'), { maxLength: 8 });
  fc.assert(
    fc.property(arbitraryInputs, outcomes, (made, ends) => {
      const decided = decide(made);
      const attempts: RoutingAttempt[] = [];
      for (const outcome of ends) {
        const next = nextAfter(decided, attempts);
        if (next.kind !== 'try') break;
        attempts.push({ key: next.key, outcome: outcome as RoutingAttempt['outcome'] });
      }
      const uncertain = attempts.findIndex(({ outcome }) => outcome !== 'failed' && outcome !== 'declined');
      if (uncertain !== -1) expect(uncertain).toBe(attempts.length - 1);
      expect(new Set(attempts.map(({ key }) => key)).size).toBe(attempts.length);
      expect(attempts.length).toBeLessThanOrEqual(made.route.mostTries);
      const rejected = decided.rejected.map(({ key }) => key);
      expect(attempts.filter(({ key }) => rejected.includes(key))).toEqual([]);
    }),
  );
});

test('[SRV-4] one uncertain attempt locks the deposit, wherever it is in the list', () => {
  const certain = fc.record({ key: fc.uuid(), outcome: fc.constantFrom('failed' as const, 'declined' as const) });
  fc.assert(
    fc.property(fc.array(certain), fc.array(certain), arbitraryInputs, (before, behind, made) => {
      const attempts: RoutingAttempt[] = [...before, { key: 'uncertain', outcome: 'unknown' }, ...behind];
      expect(nextAfter(decide(made), attempts)).toEqual({ kind: 'locked', key: 'uncertain' });
    }),
  );
});

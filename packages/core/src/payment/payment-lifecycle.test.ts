import { expect, test } from 'vitest';
import { DISPUTE_MOVES, PAYMENT_MOVES, REFUND_MOVES } from './payment-lifecycle.ts';

test.each([
  ['payment', PAYMENT_MOVES, ['refunded', 'charged_back']],
  ['refund', REFUND_MOVES, ['declined', 'bounced']],
  ['dispute', DISPUTE_MOVES, ['won']],
] as const)(
  '[SRV-3] a %s never re-enters a state, and only its final states have no next state',
  (_name, moves, last) => {
    const next = (state: string): readonly string[] =>
      Object.entries(moves.next).find(([from]) => from === state)?.[1] ?? [];
    const after = (state: string): string[] => next(state).flatMap((one) => [one, ...after(one)]);
    for (const state of Object.keys(moves.next)) expect(after(state)).not.toContain(state);
    expect(Object.keys(moves.next).filter((state) => next(state).length === 0)).toEqual(last);
    const reached = new Set(moves.first.flatMap((state) => [state, ...after(state)]));
    expect(reached).toEqual(new Set(Object.keys(moves.next)));
  },
);

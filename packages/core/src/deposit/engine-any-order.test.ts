import type { Transaction } from '@opencashier/contract/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { initialEngineState, isBusy, transition } from './engine.ts';
import type { DepositIntent, EngineEvent, EngineState } from './engine-state.ts';
import type { NextStep } from './next-step.ts';

type Body = { readonly amount: string };
const intent: DepositIntent<Body> = {
  depositId: 'id-1',
  request: { amount: '25.00' },
  paymentMethod: 'card',
  needsPreparation: false,
  needsCaptcha: false,
  opensWindow: false,
};
const redirect: NextStep = {
  kind: 'redirect',
  depositId: 'id-1',
  href: 'https://psp.example/',
  method: 'GET',
  fields: {},
};
const field = { name: 'phone', type: 'text' } as const;
const tx = (status: number, more: Partial<Transaction> = {}): Transaction => ({
  depositId: 'id-1',
  paymentMethod: 'card',
  status,
  amount: '25.00',
  currency: 'USD',
  created: '2026-01-01T00:00:00Z',
  serverTime: '2026-01-01T00:00:00Z',
  ...more,
});

const anyRun = fc.integer({ min: 0, max: 3 });
const anyFailure = fc.record({
  status: fc.constantFrom(undefined, 400, 409, 422, 428, 500, 503),
  code: fc.constantFrom(undefined, 'captcha_required', 'in-flight', 'unknown-outcome', 'limit-min', 'internal'),
});
const anyEvent: fc.Arbitrary<EngineEvent<Body>> = fc.oneof(
  fc.record({
    type: fc.constant('submit'),
    isValid: fc.boolean(),
    intent: fc
      .record({
        needsPreparation: fc.boolean(),
        needsCaptcha: fc.boolean(),
        opensWindow: fc.boolean(),
        depositId: fc.uuid(),
      })
      .map((more) => ({ ...intent, ...more })),
  }),
  fc.record({
    type: fc.constantFrom('prepare-failed', 'captcha-failed', 'create-failed'),
    run: anyRun,
    failure: anyFailure,
  }),
  fc.record({ type: fc.constant('claimed'), run: anyRun, depositId: fc.uuid() }),
  fc.record({ type: fc.constant('prepared'), run: anyRun, fields: fc.constantFrom(undefined, [field]) }),
  fc.record({ type: fc.constant('captcha-done'), run: anyRun, result: fc.constant({ passToken: 'p' }) }),
  fc.record({ type: fc.constant('created'), run: anyRun, step: fc.constant(redirect) }),
  fc.record({
    type: fc.constant('status-found'),
    run: anyRun,
    transaction: fc
      .record({ code: fc.integer({ min: 0, max: 4 }), unknown: fc.boolean() })
      .map(({ code, unknown }) => tx(code, { isOutcomeUnknown: unknown })),
  }),
  fc.record({ type: fc.constantFrom('status-absent', 'status-failed', 'key-voided'), run: anyRun }),
  fc.record({ type: fc.constantFrom('cancel', 'close', 'reset') }),
);

test('[DEP-16] whatever happens in whatever order: one key per run, at most three calls, one outcome, one notice', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
      let state: EngineState<Body> = initialEngineState();
      const ids = new Map<number, Set<string>>();
      const counts = new Map<string, number>();
      for (const event of events) {
        const before = JSON.stringify(state);
        const next = transition(state, event);
        expect(JSON.stringify(state)).toBe(before);
        for (const effect of next.effects) {
          const key = `${next.state.run}:${effect.type}`;
          counts.set(key, (counts.get(key) ?? 0) + 1);
          if (effect.type === 'create') {
            ids.set(effect.run, (ids.get(effect.run) ?? new Set()).add(effect.depositId));
            expect(state.at === 'idle' || isBusy(next.state)).toBe(true);
          }
        }
        if ('run' in event && event.run !== state.run) expect(next).toEqual({ state, effects: [] });
        expect(next.state.run).toBeGreaterThanOrEqual(state.run);
        state = next.state;
      }
      for (const used of ids.values()) expect(used.size).toBe(1);
      for (const [key, count] of counts) {
        if (key.endsWith(':create')) expect(count).toBeLessThanOrEqual(3);
        if (/:(report-metric|go|notify-session-closed|open-window)$/.test(key)) expect(count).toBe(1);
      }
    }),
    { numRuns: 1000 },
  );
});

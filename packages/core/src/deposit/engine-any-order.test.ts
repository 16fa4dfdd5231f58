import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Body, field, intent, redirect, tx } from './engine.fixture.ts';
import { initialEngineState, transition } from './engine.ts';
import { type EngineEvent, type EngineState, isBusy } from './engine-state.ts';

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

test('[DEP-16] with events in any order: one key per run, at most three calls, one outcome, one notice', () => {
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

import type { Transaction } from '@opencashier/contract/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DepositIntent,
  depositIdForSubmit,
  type EngineEffect,
  type EngineEvent,
  type EngineState,
  initialEngineState,
  isBusy,
  transition,
} from './engine.ts';
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

/** Runs events from the start; answers the last state and the types of all effects in order. No other tab has the same wish. */
function play(...events: EngineEvent<Body>[]) {
  let state: EngineState<Body> = initialEngineState();
  const effects: EngineEffect<Body>[] = [];
  const happen = (event: EngineEvent<Body>): void => {
    const next = transition(state, event);
    state = next.state;
    effects.push(...next.effects);
    for (const effect of next.effects) {
      if (effect.type === 'claim-deposit-id') happen({ ...effect, type: 'claimed' });
    }
  };
  for (const event of events) happen(event);
  return { state, effects, types: effects.map(({ type }) => type) };
}
const submit = (more: Partial<DepositIntent<Body>> = {}, isValid = true): EngineEvent<Body> => ({
  type: 'submit',
  intent: { ...intent, ...more },
  isValid,
});
const failed = (status: number | undefined, code?: string): EngineEvent<Body> => ({
  type: 'create-failed',
  run: 1,
  failure: { status, code },
});

describe('the order of a creation', () => {
  test('[DEP-1] [DEP-2] the window is opened within the tap, then the key is stored, then prepare, create', () => {
    const { types } = play(
      submit({ needsPreparation: true, opensWindow: true }),
      { type: 'prepared', run: 1 },
      { type: 'created', run: 1, step: redirect },
    );
    expect(types).toEqual(['open-window', 'claim-deposit-id', 'prepare', 'create', 'report-metric', 'go']);
  });

  test('[DEP-1] [DEP-2] prepare, captcha, create; the window waits for the captcha, which it would cover', () => {
    const { state, types, effects } = play(
      submit({ needsPreparation: true, needsCaptcha: true, opensWindow: true }),
      { type: 'prepared', run: 1 },
      { type: 'captcha-done', run: 1, result: { lotNumber: 'x' } },
      { type: 'created', run: 1, step: redirect },
    );
    expect(types).toEqual([
      'claim-deposit-id',
      'prepare',
      'run-captcha',
      'open-window',
      'create',
      'report-metric',
      'go',
    ]);
    expect(effects[4]).toMatchObject({ depositId: 'id-1', request: intent.request, captcha: { lotNumber: 'x' } });
    expect(effects[5]).toEqual({ type: 'report-metric', outcome: 'ok' });
    expect(state).toMatchObject({ at: 'done', step: redirect });
  });

  test('[DEP-1] without preparation and captcha the call goes out as soon as its key is known', () => {
    expect(play(submit()).types).toEqual(['claim-deposit-id', 'create']);
  });

  test('[FORM-11] [DEP-1] an invalid form creates nothing', () => {
    const { state, types } = play(submit({ opensWindow: true }, false));
    expect(types).toEqual(['show-errors']);
    expect(state.at).toBe('idle');
  });

  test('[DEP-16] the key that another tab has for this wish takes the place of the proposed one, for all that follows', () => {
    const start = transition(initialEngineState<Body>(), submit({ opensWindow: true }));
    expect(start.effects.map(({ type }) => type)).toEqual(['open-window', 'claim-deposit-id']);
    expect(isBusy(start.state)).toBe(true);
    expect(transition(start.state, submit({ depositId: 'id-2' })).effects).toEqual([]);
    const { state, effects } = transition(start.state, { type: 'claimed', run: 1, depositId: 'id-of-the-other-tab' });
    expect(effects).toMatchObject([{ type: 'create', depositId: 'id-of-the-other-tab' }]);
    expect(transition(state, failed(undefined)).effects.at(-1)).toMatchObject({ depositId: 'id-of-the-other-tab' });
  });

  test('[DEP-1] whoever gives up while the key is looked for sends nothing', () => {
    const { state } = transition(initialEngineState<Body>(), submit());
    const cancelled = transition(state, { type: 'cancel' });
    expect(cancelled.effects.map(({ type }) => type)).toEqual(['abort', 'close-window']);
    expect(transition(cancelled.state, { type: 'claimed', run: 1, depositId: 'id-1' }).effects).toEqual([]);
  });

  test('[DEP-16] a second click does nothing at any stage', () => {
    const stages: EngineEvent<Body>[][] = [
      [submit({ needsPreparation: true })],
      [submit({ needsCaptcha: true })],
      [submit()],
      [submit(), failed(undefined)],
    ];
    for (const events of stages) {
      const before = play(...events);
      expect(isBusy(before.state)).toBe(true);
      const after = transition(before.state, submit({ depositId: 'id-2' }));
      expect(after).toEqual({ state: before.state, effects: [] });
    }
  });

  test('a step that stays in the widget closes the window', () => {
    const step: NextStep = { kind: 'unified-form', depositId: 'id-1', data: { unifiedFlow: true } };
    expect(play(submit({ opensWindow: true }), { type: 'created', run: 1, step }).types).toContain('close-window');
    expect(play(submit({ opensWindow: true }), { type: 'created', run: 1, step: redirect }).types).not.toContain(
      'close-window',
    );
  });
});

describe('captcha', () => {
  test('[ERR-5] [DEP-16] captcha_required runs the captcha again once, with the same key', () => {
    const { state, effects, types } = play(
      submit(),
      failed(428, 'captcha_required'),
      { type: 'captcha-done', run: 1, result: { passToken: 'p' } },
      failed(428, 'captcha_required'),
    );
    expect(types).toEqual([
      'claim-deposit-id',
      'create',
      'close-window',
      'run-captcha',
      'create',
      'close-window',
      'handle-error',
      'report-metric',
    ]);
    expect(effects.filter(({ type }) => type === 'create')).toMatchObject([
      { depositId: 'id-1', captcha: undefined },
      { depositId: 'id-1', captcha: { passToken: 'p' } },
    ]);
    expect(state.at).toBe('failed');
  });

  test('[ERR-5] a captcha that was closed ends the run and keeps the key', () => {
    const { state, types } = play(submit({ needsCaptcha: true, opensWindow: true }), {
      type: 'captcha-failed',
      run: 1,
      failure: { message: 'closed' },
    });
    expect(types).not.toContain('create');
    expect(types).toContain('close-window');
    expect(state).toMatchObject({ at: 'failed', keepsId: true });
  });
});

describe('failure and doubt', () => {
  test('[DEP-7] a refusal closes the window, handles the error and reports fail', () => {
    const { state, effects } = play(submit({ opensWindow: true }), failed(422, 'limit-min'));
    expect(effects.slice(-3)).toEqual([
      { type: 'close-window' },
      { type: 'handle-error', failure: { status: 422, code: 'limit-min' } },
      { type: 'report-metric', outcome: 'fail' },
    ]);
    expect(state).toMatchObject({ at: 'failed', keepsId: false });
  });

  test.each([
    [undefined, 'socket.networkError'],
    [503, 'unknown-outcome'],
    [409, 'in-flight'],
    [500, 'internal'],
  ])('[DEP-16] %s %s is being checked: not failed, not done, and nothing is sent again by itself', (status, code) => {
    const { state, effects, types } = play(submit(), failed(status, code));
    expect(state.at).toBe('checking');
    expect(types).not.toContain('handle-error');
    expect(types).not.toContain('report-metric');
    expect(effects.at(-1)).toMatchObject({ type: 'ask-status', depositId: 'id-1', afterMs: 0 });
  });

  test('[DEP-16] a deposit that waits is answered by repeating the call once under its key', () => {
    const first = play(submit(), failed(undefined), { type: 'status-found', run: 1, transaction: tx(0) });
    expect(first.effects.at(-1)).toMatchObject({ type: 'create', depositId: 'id-1' });
    const again = play(
      submit(),
      failed(undefined),
      { type: 'status-found', run: 1, transaction: tx(0) },
      failed(undefined),
      { type: 'status-found', run: 1, transaction: tx(0) },
    );
    expect(again.types.filter((type) => type === 'create')).toHaveLength(2);
    expect(again.state).toMatchObject({ at: 'done', step: { kind: 'complete', status: 'waiting' } });
  });

  test('[DEP-16] while the server does not know, it is asked again, without end and without a second payment', () => {
    const { state, effects, types } = play(
      submit(),
      failed(undefined),
      { type: 'status-failed', run: 1 },
      { type: 'status-found', run: 1, transaction: tx(0, { isOutcomeUnknown: true }) },
    );
    expect(state.at).toBe('checking');
    expect(types.filter((type) => type === 'create')).toHaveLength(1);
    expect(effects.slice(-2)).toMatchObject([{ afterMs: 5000 }, { afterMs: 5000 }]);
  });

  test('[DEP-16] a deposit that the server never got may be sent again under the same key', () => {
    const { state } = play(submit(), failed(undefined), { type: 'status-absent', run: 1 });
    expect(state).toMatchObject({ at: 'failed', keepsId: true });
    const makeId = () => 'id-2';
    expect(depositIdForSubmit(state, true, makeId)).toBe('id-1');
    expect(depositIdForSubmit(state, false, makeId)).toBe('id-2');
    expect(depositIdForSubmit(play(submit(), failed(422, 'limit-min')).state, true, makeId)).toBe('id-2');
    expect(depositIdForSubmit(initialEngineState(), true, makeId)).toBe('id-2');
  });

  test.each([
    [1, 'processed', 'ok'],
    [2, 'mistaked', 'fail'],
    [3, 'accepted', 'ok'],
  ])('a check that finds status %d goes to the complete screen as %s', (code, status, outcome) => {
    const { state, effects } = play(submit(), failed(undefined), {
      type: 'status-found',
      run: 1,
      transaction: tx(code),
    });
    expect(state).toMatchObject({ at: 'done', step: { kind: 'complete', status } });
    expect(effects).toContainEqual({ type: 'report-metric', outcome });
  });

  test('[ERR-2] a response without data fails with its message', () => {
    const { effects } = play(submit(), {
      type: 'created',
      run: 1,
      step: { kind: 'failure', depositId: 'id-1', reason: 'data-null' },
    });
    expect(effects).toContainEqual({
      type: 'handle-error',
      failure: { message: 'Deposit data is null after creation.' },
    });
  });
});

describe('more fields', () => {
  test.each<[string, EngineEvent<Body>]>([
    ['prepare', { type: 'prepared', run: 1, fields: [field] }],
    ['create', { type: 'created', run: 1, step: { kind: 'fields', depositId: 'id-1', fields: [field] } }],
  ])('[DEP-3] fields that %s asks for are shown, and the next submit keeps the key', (from, event) => {
    const { state, types } = play(submit({ needsPreparation: from === 'prepare', opensWindow: true }), event);
    expect(state).toMatchObject({ at: 'needs-fields', fields: [field] });
    expect(types.slice(-2)).toEqual(['close-window', 'show-fields']);
    expect(types).not.toContain('go');
    expect(depositIdForSubmit(state, true, () => 'id-2')).toBe('id-1');
  });
});

describe('cancelling and closing', () => {
  test('[DEP-1] a cancel before the call left aborts and asks the server for nothing', () => {
    const { state, types } = play(submit({ needsCaptcha: true }), { type: 'cancel' });
    expect(state.at).toBe('cancelled');
    expect(types).toEqual(['claim-deposit-id', 'run-captcha', 'abort', 'close-window']);
  });

  test('[DEP-11] a cancel during the call cancels the deposit on the server, and a late answer is ignored', () => {
    const late: EngineEvent<Body> = { type: 'created', run: 1, step: redirect };
    const { state, types, effects } = play(submit(), { type: 'cancel' }, late);
    expect(effects).toContainEqual({ type: 'cancel-deposit', depositId: 'id-1', paymentMethod: 'card' });
    expect(state.at).toBe('cancelled');
    expect(types).not.toContain('go');
  });

  test('[DEP-11] a cancel during the captcha that followed a create call cancels on the server as well', () => {
    expect(play(submit(), failed(428, 'captcha_required'), { type: 'cancel' }).types).toContain('cancel-deposit');
  });

  test('[DEP-9] closing during creation notifies once, and the creation goes on', () => {
    const { state, types } = play(
      submit(),
      { type: 'close' },
      { type: 'close' },
      { type: 'created', run: 1, step: redirect },
    );
    expect(types.filter((type) => type === 'notify-session-closed')).toHaveLength(1);
    expect(state.at).toBe('done');
    expect(play({ type: 'close' }).types).toEqual([]);
  });

  test('a reset forgets a finished run but not one under way', () => {
    expect(play(submit(), failed(422), { type: 'reset' }).state.at).toBe('idle');
    expect(play(submit(), { type: 'reset' }).state.at).toBe('creating');
  });
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
  fc.record({ type: fc.constantFrom('status-absent', 'status-failed'), run: anyRun }),
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

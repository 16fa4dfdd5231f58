import { describe, expect, test } from 'vitest';
import type { statusOfCode } from '../transaction/status.ts';
import { type Body, field, intent, redirect, tx } from './engine.fixture.ts';
import { depositIdForSubmit, initialEngineState, knownDeposit, transition } from './engine.ts';
import { type DepositIntent, type EngineEffect, type EngineEvent, type EngineState, isBusy } from './engine-state.ts';
import type { NextStep } from './next-step.ts';

/**
 * Runs events from the start. Returns the last state, and the types of all effects in order. No other tab has the intent.
 */
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

describe('the order of effects', () => {
  test('[DEP-1] [DEP-2] opens the window within the tap, then stores the key, prepares and creates', () => {
    const { types } = play(
      submit({ needsPreparation: true, opensWindow: true }),
      { type: 'prepared', run: 1 },
      { type: 'created', run: 1, step: redirect },
    );
    expect(types).toEqual(['open-window', 'claim-deposit-id', 'prepare', 'create', 'report-metric', 'go']);
  });

  test('[DEP-1] [DEP-2] prepares, runs the captcha, creates; the window opens after the captcha, which it would cover', () => {
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

  test('[DEP-1] without preparation and captcha the call is sent as soon as the key is known', () => {
    expect(play(submit()).types).toEqual(['claim-deposit-id', 'create']);
  });

  test('[FORM-11] [DEP-1] an invalid form creates nothing', () => {
    const { state, types } = play(submit({ opensWindow: true }, false));
    expect(types).toEqual(['show-errors']);
    expect(state.at).toBe('idle');
  });

  test('[DEP-16] another tab’s key for this intent replaces the proposed key in every later step', () => {
    const start = transition(initialEngineState<Body>(), submit({ opensWindow: true }));
    expect(start.effects.map(({ type }) => type)).toEqual(['open-window', 'claim-deposit-id']);
    expect(isBusy(start.state)).toBe(true);
    expect(transition(start.state, submit({ depositId: 'id-2' })).effects).toEqual([]);
    const { state, effects } = transition(start.state, { type: 'claimed', run: 1, depositId: 'id-of-the-other-tab' });
    expect(effects).toMatchObject([{ type: 'create', depositId: 'id-of-the-other-tab' }]);
    expect(transition(state, failed(undefined)).effects.at(-1)).toMatchObject({ depositId: 'id-of-the-other-tab' });
  });

  test('[DEP-1] a cancel during the key lookup sends nothing', () => {
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

describe('failures and unknown outcomes', () => {
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
  ])('[DEP-16] %s %s is an unknown outcome: it is checked, and nothing is sent again', (status, code) => {
    const { state, effects, types } = play(submit(), failed(status, code));
    expect(state.at).toBe('checking');
    expect(types).not.toContain('handle-error');
    expect(types).not.toContain('report-metric');
    expect(effects.at(-1)).toMatchObject({ type: 'ask-status', depositId: 'id-1', afterMs: 0 });
  });

  test('[DEP-16] a waiting deposit is resolved by repeating the call once with its key', () => {
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

  test('[DEP-16] while the server does not know the deposit, the status is polled without a second payment', () => {
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

  test('[DEP-16] [ERR-2] one "not known" proves nothing: the key is voided before the user is informed', () => {
    const absent: EngineEvent<Body> = { type: 'status-absent', run: 1 };
    const asked = play(submit(), failed(undefined), absent);
    expect(asked.state.at).toBe('checking');
    expect(asked.types).not.toContain('handle-error');
    expect(asked.effects.at(-1)).toEqual({
      type: 'void-key',
      run: 1,
      depositId: 'id-1',
      paymentMethod: 'card',
      ifUnknown: true,
    });
    // The cancel call may be lost, or may arrive after the create call.
    expect(play(submit(), failed(undefined), absent, { type: 'status-failed', run: 1 }).effects.at(-1)).toMatchObject({
      type: 'ask-status',
      afterMs: 5000,
    });
    const overtaken = play(submit(), failed(undefined), absent, { type: 'status-found', run: 1, transaction: tx(1) });
    expect(overtaken.state).toMatchObject({ at: 'done', step: { status: 'processed' } });
    const { state, effects } = play(submit(), failed(undefined), absent, { type: 'key-voided', run: 1 });
    expect(effects).toContainEqual({ type: 'handle-error', failure: { code: 'socket.networkError' } });
    expect(state).toMatchObject({ at: 'failed', keepsId: false });
    // A void key creates no deposit, not even for the same intent.
    expect(depositIdForSubmit(state, true, () => 'id-2')).toBe('id-2');
  });

  test('[DEP-16] a call that never left the device fails at once and may be sent again with the same key', () => {
    const failure = { code: 'socket.networkError', isUnsent: true };
    const { state, types } = play(submit(), { type: 'create-failed', run: 1, failure });
    expect(types).toContain('handle-error');
    expect(types).not.toContain('ask-status');
    const makeId = () => 'id-2';
    expect(depositIdForSubmit(state, true, makeId)).toBe('id-1');
    expect(depositIdForSubmit(state, false, makeId)).toBe('id-2');
    expect(depositIdForSubmit(play(submit(), failed(422, 'limit-min')).state, true, makeId)).toBe('id-2');
    expect(depositIdForSubmit(initialEngineState(), true, makeId)).toBe('id-2');
  });

  test('[DEP-16] a repeat that could not be sent proves nothing about the existing deposit: the status is checked', () => {
    const failure = { code: 'socket.networkError', isUnsent: true };
    const { state, effects, types } = play(
      submit(),
      failed(undefined),
      { type: 'status-found', run: 1, transaction: tx(0) },
      { type: 'create-failed', run: 1, failure },
    );
    expect(state.at).toBe('checking');
    expect(types).not.toContain('handle-error');
    expect(effects.at(-1)).toMatchObject({ type: 'ask-status', depositId: 'id-1', afterMs: 5000 });
  });

  test('[DEP-16] with another tab’s key a temporary refusal cancels nothing, because that tab may show the deposit', () => {
    const start = transition(initialEngineState<Body>(), submit());
    const shared = transition(start.state, { type: 'claimed', run: 1, depositId: 'id-of-the-other-tab' });
    const refused = transition(shared.state, failed(429, 'rate-limited'));
    expect(refused.effects.map(({ type }) => type)).toEqual(['close-window', 'ask-status']);
    const found = transition(refused.state, { type: 'status-found', run: 1, transaction: tx(3) });
    expect(found.state).toMatchObject({ at: 'done', step: { depositId: 'id-of-the-other-tab' } });
    const absent = transition(refused.state, { type: 'status-absent', run: 1 });
    const none = transition(absent.state, { type: 'key-voided', run: 1 });
    expect(none.effects).toContainEqual({ type: 'handle-error', failure: { status: 429, code: 'rate-limited' } });
  });

  test('[DEP-16] a temporarily refused call is cancelled, because a copy of the call may still succeed', () => {
    const clear = { type: 'clear-former', depositId: 'id-1', paymentMethod: 'card' };
    for (const [status, code] of [
      [429, 'rate-limited'],
      [503, 'temporarily-unavailable'],
      [413, 'invalid-response'],
    ] as const) {
      expect(play(submit(), failed(status, code)).effects).toContainEqual(clear);
    }
    expect(play(submit(), failed(422, 'limit-min')).effects).not.toContainEqual(clear);
    const alive = play(submit(), { type: 'former-found', run: 1, transaction: tx(1, { depositId: 'id-0' }) });
    expect(alive.state).toMatchObject({ at: 'done', step: { depositId: 'id-0', status: 'processed' } });
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

  test('[ERR-2] [DEP-16] a response without data cancels its deposit, then shows the message', () => {
    const unusable: EngineEvent<Body> = {
      type: 'created',
      run: 1,
      step: { kind: 'failure', depositId: 'id-1', reason: 'data-null' },
    };
    const { state, effects } = play(submit(), unusable);
    expect(state.at).toBe('checking');
    expect(effects.at(-1)).toMatchObject({ type: 'void-key', depositId: 'id-1', ifUnknown: false });
    const cancelled = play(submit(), unusable, { type: 'key-voided', run: 1 });
    expect(cancelled.effects).toContainEqual({
      type: 'handle-error',
      failure: { message: 'Deposit data is null after creation.' },
    });
    const paid = play(submit(), unusable, { type: 'status-found', run: 1, transaction: tx(1) });
    expect(paid.state).toMatchObject({ at: 'done', step: { status: 'processed' } });
  });
});

describe('more fields', () => {
  test.each<[string, EngineEvent<Body>]>([
    ['prepare', { type: 'prepared', run: 1, fields: [field] }],
    ['create', { type: 'created', run: 1, step: { kind: 'fields', depositId: 'id-1', fields: [field] } }],
  ])('[DEP-3] the fields that %s requests are shown, and the next submit keeps the key', (from, event) => {
    const { state, types } = play(submit({ needsPreparation: from === 'prepare', opensWindow: true }), event);
    expect(state).toMatchObject({ at: 'needs-fields', fields: [field] });
    expect(types.slice(-2)).toEqual(['close-window', 'show-fields']);
    expect(types).not.toContain('go');
    expect(depositIdForSubmit(state, true, () => 'id-2')).toBe('id-1');
  });
});

describe('cancelling and closing', () => {
  test('[DEP-1] a cancel before the call left aborts it and asks the server for nothing', () => {
    const { state, types } = play(submit({ needsCaptcha: true }), { type: 'cancel' });
    expect(state.at).toBe('cancelled');
    expect(types).toEqual(['claim-deposit-id', 'run-captcha', 'abort', 'close-window']);
  });

  test('[DEP-11] a cancel during the call cancels the deposit on the server, and a late response is ignored', () => {
    const late: EngineEvent<Body> = { type: 'created', run: 1, step: redirect };
    const { state, types, effects } = play(submit(), { type: 'cancel' }, late);
    expect(effects).toContainEqual({ type: 'clear-former', depositId: 'id-1', paymentMethod: 'card' });
    expect(state.at).toBe('cancelled');
    expect(types).not.toContain('go');
  });

  test('[DEP-11] a cancel during the captcha after a create call cancels on the server, too', () => {
    expect(play(submit(), failed(428, 'captcha_required'), { type: 'cancel' }).types).toContain('clear-former');
  });

  test('[DEP-9] closing during creation notifies once, and the creation continues', () => {
    const { state, types } = play(
      submit(),
      { type: 'close' },
      { type: 'close' },
      { type: 'created', run: 1, step: redirect },
    );
    expect(types.filter((type) => type === 'notify-session-closed')).toHaveLength(1);
    // The page would be gone and could not fill the empty window.
    expect(types.indexOf('close-window')).toBeLessThan(types.indexOf('notify-session-closed'));
    expect(state.at).toBe('done');
    expect(play({ type: 'close' }).types).toEqual([]);
  });

  test('a reset forgets a finished run, but not a run in progress', () => {
    expect(play(submit(), failed(422), { type: 'reset' }).state.at).toBe('idle');
    expect(play(submit(), { type: 'reset' }).state.at).toBe('creating');
  });
});

const withStatus = (status: ReturnType<typeof statusOfCode>, depositId = 'id-1') => ({ depositId, status });
test.each<[string, ReturnType<typeof knownDeposit>, EngineEvent<Body>[]]>([
  ['before anything was sent', undefined, []],
  ['while the call is in progress', undefined, [submit()]],
  ['when it is left in the middle of the call', withStatus('waiting'), [submit(), { type: 'close' }]],
  ['when no answer came', withStatus('waiting'), [submit(), failed(undefined)]],
  ['when it was refused', undefined, [submit(), failed(422)]],
  ['when it exists', withStatus('waiting'), [submit(), { type: 'created', run: 1, step: redirect }]],
  [
    'when it was found to be over',
    withStatus('mistaked'),
    [submit(), failed(undefined), { type: 'status-found', run: 1, transaction: tx(2) }],
  ],
  [
    'when an earlier one came alive',
    withStatus('accepted', 'id-0'),
    [submit(), { type: 'former-found', run: 1, transaction: { ...tx(7), depositId: 'id-0' } }],
  ],
])('[HOST-15] the host’s view of a deposit %s: %o', (_, known, events) => {
  const deposit = knownDeposit(play(...events).state);
  expect(deposit && { depositId: deposit.depositId, status: deposit.status }).toEqual(known);
});

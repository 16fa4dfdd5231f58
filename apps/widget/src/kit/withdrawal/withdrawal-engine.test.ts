import type { WithdrawalTransaction } from '@opencashier/contract/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type EngineEffect,
  type EngineEvent,
  type EngineState,
  heldState,
  initialState,
  transition,
  type WithdrawalRequest,
} from './withdrawal-engine.ts';

const request: WithdrawalRequest = { amount: '100', currency: 'USD', paymentMethod: 'card', fields: {} };
const intent = (isRemembered = false) => ({ withdrawalId: 'key-1', request, isRemembered });
const submit = (isRemembered = false): EngineEvent => ({
  type: 'submit',
  intent: intent(isRemembered),
  isValid: true,
  isClaimed: true,
});
const refused = (code: string, status = 422) => ({ code, status, message: code });
const lost = { code: 'socket.networkError', message: 'lost' };

/** Plays events against the newest run; answers the last state and every effect. */
function play(start: EngineState, ...events: readonly (EngineEvent | Unrun)[]) {
  let state = start;
  const effects: EngineEffect[] = [];
  for (const event of events) {
    const next = transition(state, { run: state.run, ...event } as EngineEvent);
    state = next.state;
    effects.push(...next.effects);
  }
  return { state, effects, went: effects.flatMap((effect) => (effect.type === 'go' ? effect.to : [])) };
}
type Unrun = EngineEvent extends infer Event ? (Event extends { run: number } ? Omit<Event, 'run'> : never) : never;

const answered = (status: number): Unrun => ({ type: 'answered', status });
const failed = (failure: object): Unrun => ({ type: 'call-failed', failure });
const found = (status: number, more: Partial<WithdrawalTransaction> = {}): Unrun => ({
  type: 'status-found',
  transaction: {
    withdrawalId: 'key-1',
    paymentMethod: 'card',
    status,
    accountType: 'main',
    amount: '100.00',
    currency: 'USD',
    fee: '1.00',
    receives: '99.00',
    created: '2026-01-01T00:00:00Z',
    expires: '2026-01-01T00:15:00Z',
    serverTime: '2026-01-01T00:01:00Z',
    canCancel: status === 0,
    ...more,
  },
});

describe('[WD-2] create', () => {
  test('before a send the tabs agree on one key for the intent', () => {
    const fresh = { type: 'submit', intent: intent(), isValid: true, isClaimed: false } as const;
    const asked = play(initialState, fresh, fresh);
    expect(asked.effects).toEqual([{ type: 'claim-id', run: 1, withdrawalId: 'key-1', request }]);
    const own = play(asked.state, { type: 'claimed', withdrawalId: 'key-1' });
    expect(own.effects).toMatchObject([{ type: 'call', withdrawalId: 'key-1', step: { kind: 'create' } }]);
    expect(play(own.state, failed(refused('state-conflict', 409))).effects).not.toContainEqual(
      expect.objectContaining({ type: 'send-under-new-key' }),
    );
    const theirs = play(asked.state, { type: 'claimed', withdrawalId: 'key-2' });
    expect(theirs.effects).toMatchObject([{ type: 'call', withdrawalId: 'key-2', step: { kind: 'create' } }]);
    // What another tab has given up, or sends elsewhere, says nothing of this intent: it goes on under a key of its own.
    expect(play(theirs.state, failed(refused('state-conflict', 409))).effects).toEqual([
      { type: 'forget-id', withdrawalId: 'key-2' },
      { type: 'send-under-new-key', request },
    ]);
    expect(play(theirs.state, answered(0)).went).toEqual(['confirm']);
  });

  test('stores the key before the call; a held amount leads to the confirm screen, and a second press does nothing', () => {
    const { state, effects } = play(initialState, submit(), submit());
    expect(effects.map(({ type }) => type)).toEqual(['store-id', 'call']);
    const held = play(state, answered(0), submit());
    expect(held.state.at).toBe('held');
    expect(held.went).toEqual(['confirm']);
  });

  test('an invalid form sends nothing', () => {
    expect(play(initialState, { type: 'submit', intent: intent(), isValid: false, isClaimed: true }).effects).toEqual([
      { type: 'show-errors' },
    ]);
  });

  test('a refusal is shown, and the next try is another withdrawal', () => {
    const { state, effects } = play(initialState, submit(), failed(refused('insufficient-funds')));
    expect(state).toMatchObject({ at: 'failed', keepsId: false });
    expect(effects).toContainEqual({ type: 'forget-id', withdrawalId: 'key-1' });
  });

  test('a call that never left the device is reported at once and keeps its key', () => {
    const { state, effects } = play(initialState, submit(), failed({ ...lost, isUnsent: true }));
    expect(state).toMatchObject({ at: 'failed', keepsId: true });
    expect(effects.some(({ type }) => type === 'handle-error')).toBe(true);
  });

  test('after a refusal for now the amount is given back, because a copy of the call may still be accepted', () => {
    const clear = { type: 'clear-former', withdrawalId: 'key-1', paymentMethod: 'card' };
    expect(play(initialState, submit(), failed(refused('rate-limited', 429))).effects).toContainEqual(clear);
    expect(play(initialState, submit(), failed(refused('limit-min'))).effects).not.toContainEqual(clear);
  });

  test.each([
    lost,
    refused('internal', 500),
    { code: 'temporarily-unavailable', message: 'a later try' },
    refused('in-flight', 409),
  ])('without a certain answer the status is asked, again and again: %o', (failure) => {
    const { state, effects, went } = play(initialState, submit(), failed(failure), { type: 'status-failed' });
    expect(state.at).toBe('checking');
    expect(effects.filter(({ type }) => type === 'ask-status')).toMatchObject([{ afterMs: 0 }, { afterMs: 5000 }]);
    expect(effects.some(({ type }) => type === 'handle-error')).toBe(false);
    expect(went).toEqual([]);
    expect(play(state, found(0)).went).toEqual(['confirm']);
    expect(play(state, found(3)).went).toEqual(['complete']);
    // Not known is no proof that nothing will arrive: only a void key is.
    const absent = play(state, { type: 'status-absent' });
    expect(absent.state.at).toBe('checking');
    expect(absent.effects).toEqual([{ type: 'void-key', run: state.run, withdrawalId: 'key-1' }]);
    expect(play(absent.state, { type: 'status-failed' }).state.at).toBe('checking');
    expect(play(absent.state, answered(0)).went).toEqual(['confirm']);
    expect(play(absent.state, { type: 'key-voided' }).state).toMatchObject({ at: 'failed', keepsId: false });
  });

  test.each([failed(refused('idempotency-conflict', 409)), failed(refused('state-conflict', 409)), answered(2)])(
    'a remembered key that is over, or another intent, makes room for a new one: %o',
    (answer) => {
      expect(play(initialState, submit(true), answer).effects).toContainEqual({ type: 'send-under-new-key', request });
      expect(play(initialState, submit(false), answer).effects.some(({ type }) => type === 'send-under-new-key')).toBe(
        false,
      );
    },
  );

  test.each([[found(0)], [{ type: 'status-absent' } as const, answered(0)]])(
    'an amount on hold under a remembered key may be for another destination, so the create is repeated: %o',
    (...events) => {
      const { state, effects, went } = play(initialState, submit(true), failed(lost), ...events);
      expect(went).toEqual([]);
      expect(effects.at(-1)).toMatchObject({ type: 'call', withdrawalId: 'key-1', step: { kind: 'create' } });
      expect(play(state, answered(0)).went).toEqual(['confirm']);
      expect(play(state, failed(refused('idempotency-conflict', 422))).effects).toEqual([
        { type: 'forget-id', withdrawalId: 'key-1' },
        { type: 'send-under-new-key', request },
      ]);
      // A refusal for now does not give up the amount on hold. The next questions are no faster than any other check.
      const now = [refused('rate-limited', 429), refused('unauthorized', 401)];
      for (const failure of [lost, { ...lost, isUnsent: true }, ...now]) {
        expect(play(state, failed(failure)).effects).toMatchObject([{ type: 'ask-status', afterMs: 5000 }]);
      }
    },
  );

  test('a remembered key that was confirmed meanwhile leads to its status, never to a second withdrawal', () => {
    expect(play(initialState, submit(true), answered(3)).went).toEqual(['complete']);
  });
});

describe('[WD-2] confirm', () => {
  const held = heldState('key-1');
  const confirm: EngineEvent = { type: 'confirm', code: '123456' };

  test('submits once, forgets the key and shows the status', () => {
    const { state, effects, went } = play(held, confirm, confirm, answered(3));
    expect(effects.filter(({ type }) => type === 'call')).toHaveLength(1);
    expect(effects).toContainEqual({ type: 'forget-id', withdrawalId: 'key-1' });
    expect(state.at).toBe('over');
    expect(went).toEqual(['complete']);
  });

  test.each(['code-wrong', 'code-expired', 'rate-limited'])('%s leaves the amount held, to be tried again', (code) => {
    const { state, effects, went } = play(held, confirm, failed(refused(code)));
    expect(state.at).toBe('held');
    expect(effects).toContainEqual({ type: 'handle-error', step: 'confirm', failure: refused(code) });
    expect(went).toEqual([]);
  });

  test.each(['banking.merchantClientError', 'provider-error', 'code-attempts'])(
    '%s is told once: by the status page, which the server tells why',
    (code) => {
      const { effects } = play(held, confirm, failed(refused(code)), { type: 'status-failed' }, found(2));
      expect(effects.some(({ type }) => type === 'handle-error')).toBe(false);
      expect(effects.filter(({ type }) => type === 'go')).toEqual([
        { type: 'go', to: 'complete', withdrawalId: 'key-1' },
      ]);
    },
  );

  test('refused and still held: the user sees why and can press again', () => {
    const { state, effects } = play(held, confirm, failed(refused('provider-error', 502)), found(0));
    expect(state.at).toBe('held');
    expect(effects.filter(({ type }) => type === 'handle-error')).toEqual([
      { type: 'handle-error', step: 'confirm', failure: refused('provider-error', 502) },
    ]);
  });

  test.each([1, 3])('a create that the server carried out after all (%i) is shown by its status', (status) => {
    const { effects } = play(held, confirm, failed(refused('provider-error', 502)), found(status));
    expect(effects.find(({ type }) => type === 'go')).toEqual({ type: 'go', to: 'complete', withdrawalId: 'key-1' });
  });

  test('lost on the way and still held: it may be pressed again, under the same key', () => {
    const { state, effects } = play(held, confirm, failed(lost), found(0), confirm);
    expect(state.at).toBe('calling');
    expect(effects.filter(({ type }) => type === 'call')).toMatchObject([
      { withdrawalId: 'key-1' },
      { withdrawalId: 'key-1' },
    ]);
  });

  test('held after its end counts as ended', () => {
    expect(
      play(held, confirm, failed(refused('state-conflict', 409)), found(0, { serverTime: '2026-01-01T00:15:00Z' }))
        .went,
    ).toEqual(['complete']);
  });
});

describe('[WD-2] cancel', () => {
  const held = heldState('key-1');
  const cancel: EngineEvent = { type: 'cancel' };

  test('gives the amount back and leads to the form', () => {
    expect(play(held, cancel, answered(2)).went).toEqual(['form']);
  });

  test('that came too late shows the status', () => {
    expect(play(held, cancel, failed(refused('state-conflict', 409)), found(3)).went).toEqual(['complete']);
  });

  test('that was lost leaves the user on the screen', () => {
    const { state, effects, went } = play(held, cancel, failed(lost), found(0));
    expect(state.at).toBe('held');
    expect(effects.some(({ type }) => type === 'handle-error')).toBe(true);
    expect(went).toEqual([]);
  });

  test('nothing can be cancelled while it is being confirmed', () => {
    const { effects } = play(held, { type: 'confirm' }, cancel);
    expect(effects.filter(({ type }) => type === 'call')).toHaveLength(1);
  });
});

test('[WD-2] after any events in any order there is one call at a time, all under the key of the intent', () => {
  const event: fc.Arbitrary<EngineEvent | Unrun> = fc.oneof(
    fc.constantFrom<EngineEvent>(submit(), submit(true), { type: 'confirm' }, { type: 'cancel' }),
    fc.constantFrom(0, 1, 2, 3).map(answered),
    fc.constantFrom(0, 1, 2, 3).map((status) => found(status)),
    fc.constantFrom(lost, refused('in-flight', 409), refused('code-wrong'), refused('provider-error', 502)).map(failed),
    fc.constantFrom<Unrun>({ type: 'status-absent' }, { type: 'status-failed' }, { type: 'key-voided' }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      let state: EngineState = initialState;
      for (const next of events) {
        const before = state;
        const { state: after, effects } = transition(state, { run: state.run, ...next } as EngineEvent);
        const calls = effects.filter((effect) => effect.type === 'call');
        expect(calls.length).toBeLessThanOrEqual(1);
        const mayRepeat = before.at === 'checking' && before.step.kind === 'create' && before.step.intent.isRemembered;
        if (calls.length === 1 && !mayRepeat) expect(['calling', 'checking']).not.toContain(before.at);
        for (const { withdrawalId } of calls) expect(withdrawalId).toBe('key-1');
        // After the end nothing is ever sent again.
        if (before.at === 'over' || before.at === 'released') expect(effects).toEqual([]);
        state = after;
      }
    }),
  );
});

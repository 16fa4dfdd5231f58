import { createTestClock } from '@opencashier/core/time/test-clock';
import { describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { causeOf } from './call-failure.ts';
import { createEngineRunner } from './engine-runner.ts';

type Event =
  | { readonly type: 'go' | 'arrived'; readonly run: number }
  | { readonly type: 'failed'; readonly run: number; readonly failure: object }
  | { readonly type: 'status-found'; readonly run: number; readonly transaction: string }
  | { readonly type: 'status-absent' | 'status-failed'; readonly run: number };

const failureOfKind = (kind: ClientError['kind'], code = 'socket.networkError', status = 0) =>
  new ClientError({ kind, code, status, message: code });

/** The state is the list of events so far; `go` has one effect. */
function createLoggingRunner() {
  const clock = createTestClock();
  const order: string[] = [];
  const runner = createEngineRunner<readonly Event[], Event, string, string>({
    clock,
    start: [],
    transition: (state, event) => ({ state: [...state, event], effects: event.type === 'go' ? ['call'] : [] }),
    onState: (state) => order.push(`state ${state.length}`),
    carryOut: (effect) => order.push(effect),
  });
  runner.subscribe(() => order.push('listener'));
  return { clock, order, runner };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};
const failed = (failure: object): Event => ({ type: 'failed', run: 1, failure });

describe('an event', () => {
  test('[DEP-1] [WD-2] changes the state, then carries out the effects, then tells the screen', () => {
    const { order, runner } = createLoggingRunner();
    runner.dispatch({ type: 'go', run: 1 });
    expect(order).toEqual(['state 1', 'call', 'listener']);
    expect(runner.getState()).toEqual([{ type: 'go', run: 1 }]);
  });

  test('[DEP-1] after the screen has gone no event changes the state or tells a listener', async () => {
    const { order, runner } = createLoggingRunner();
    runner.follow(Promise.resolve({ type: 'arrived', run: 1 }), failed);
    runner.dispose();
    await settled();
    expect(runner.getState()).toEqual([]);
    expect(order).toEqual([]);
  });
});

describe('a call', () => {
  test('[DEP-16] [WD-2] an answer after the abort is ignored; the next call has a signal of its own', async () => {
    const { runner } = createLoggingRunner();
    let resolve: (event: Event) => void = () => undefined;
    const promise = new Promise<Event>((done) => {
      resolve = done;
    });
    const signal = runner.signal();
    runner.follow(promise, failed);
    runner.abort();
    resolve({ type: 'arrived', run: 1 });
    await settled();
    expect(runner.getState()).toEqual([]);
    expect(signal.aborted).toBe(true);
    expect(runner.signal().aborted).toBe(false);
  });

  test.each([
    ['network', { isUnsent: true, status: undefined }],
    ['unknown', { isUnsent: false, status: undefined }],
    ['refused', { isUnsent: false, status: 429 }],
  ] as const)('[DEP-16] [ERR-2] a %s failure keeps what it says about the money, and its error', async (kind, said) => {
    const { runner } = createLoggingRunner();
    const error = failureOfKind(kind, 'rate-limited', 429);
    runner.follow(Promise.reject(error), failed);
    await settled();
    const [event] = runner.getState();
    expect(event).toMatchObject({ type: 'failed', failure: { ...said, code: 'rate-limited' } });
    expect(event?.type === 'failed' && causeOf(event.failure)).toBe(error);
  });

  test('[DEP-16] a repeat that never left is not "unsent": the earlier create may have arrived', async () => {
    const { runner } = createLoggingRunner();
    runner.follow(Promise.reject(failureOfKind('network')), failed, true);
    await settled();
    expect(runner.getState()).toMatchObject([{ failure: { isUnsent: false, status: undefined } }]);
  });

  test('[ERR-2] a fault of the widget itself has no status, so its outcome is not known', async () => {
    const { runner } = createLoggingRunner();
    runner.follow(Promise.reject(new TypeError('broken')), failed);
    await settled();
    expect(runner.getState()).toEqual([{ type: 'failed', run: 1, failure: { message: 'broken' } }]);
  });
});

describe('the status', () => {
  test.each([
    ['found', () => Promise.resolve('paid'), { type: 'status-found', transaction: 'paid' }],
    ['absent', () => Promise.reject(failureOfKind('refused', 'not-found', 404)), { type: 'status-absent' }],
    ['not answered', () => Promise.reject(failureOfKind('network')), { type: 'status-failed' }],
  ])('[DEP-16] [WD-2] is asked for after the delay: %s', async (_case, ask, event) => {
    const { clock, runner } = createLoggingRunner();
    runner.askStatus(7, ask, 5000);
    await clock.advanceAsync(4999);
    expect(runner.getState()).toEqual([]);
    await clock.advanceAsync(1);
    expect(runner.getState()).toEqual([{ run: 7, ...event }]);
  });

  test('[DEP-16] is asked for once: a later question replaces a waiting one, and an abort cancels both', async () => {
    const { clock, runner } = createLoggingRunner();
    const [first, second] = [vi.fn(), vi.fn(() => Promise.resolve('paid'))];
    runner.askStatus(1, first, 100);
    runner.askStatus(1, second, 100);
    await clock.advanceAsync(100);
    runner.askStatus(1, first, 100);
    runner.abort();
    await clock.advanceAsync(1000);
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledOnce();
  });
});

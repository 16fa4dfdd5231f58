// @vitest-environment jsdom
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { pendingDeposit } from '../deposit/pending-deposit.ts';
import { pendingWithdrawal } from '../withdrawal/pending-withdrawal.ts';

const intent = { userId: 'user-1', fingerprint: '["25","USD","card",null]' };
const reported = vi.fn();
let clock: TestClock;
let proposals = 0;

beforeEach(() => {
  vi.stubGlobal('reportError', reported.mockReset());
  localStorage.clear();
  sessionStorage.clear();
  clock = createTestClock();
});

/** As a browser that shares locks among its tabs. @param afterTurn what happens when a turn is over */
function createLocks(afterTurn: () => void = () => undefined): LockManager {
  const held: { name: string }[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  const request = async (name: string, options: LockOptions, work: (lock: Lock) => unknown): Promise<unknown> => {
    const lock = { name, mode: options.mode ?? 'exclusive' } as const;
    const hold = async (): Promise<unknown> => {
      held.push(lock);
      try {
        return await work(lock);
      } finally {
        held.splice(held.indexOf(lock), 1);
      }
    };
    if (options.mode === 'shared') return hold();
    const mine = turn.then(hold).finally(afterTurn);
    turn = mine;
    return mine;
  };
  return { request: request as LockManager['request'], query: async () => ({ held: [...held], pending: [] }) };
}

const claim = (more: Partial<typeof intent> = {}, locks?: LockManager) =>
  pendingDeposit.claim(`proposed-${++proposals}`, { ...intent, ...more }, clock, locks);

describe.each([
  ['with locks', createLocks],
  ['without', () => undefined],
])('%s', (_how, make) => {
  test('[DEP-16] the same intent of the same user finds its key, after a reload and in another tab', async () => {
    const locks = make();
    const first = await claim({}, locks);
    expect(await claim({}, locks)).toBe(first);
    clock.advance(599_000);
    expect(await claim({}, locks)).toBe(first);
  });

  test('[DEP-16] another intent, another user and another day have other keys', async () => {
    const locks = make();
    const first = await claim({}, locks);
    expect(await claim({ fingerprint: '["26","USD","card",null]' }, locks)).not.toBe(first);
    const second = await claim({}, locks);
    expect(await claim({ userId: 'user-2' }, locks)).not.toBe(second);
    const third = await claim({}, locks);
    clock.advance(600_000);
    expect(await claim({}, locks)).not.toBe(third);
    localStorage.setItem('cashier.deposit', 'nonsense');
    clock.advance(3000);
    expect(await claim({}, locks)).toMatch(/^proposed-/);
  });

  test('a settled deposit forgets its own key alone', async () => {
    const locks = make();
    const id = await claim({}, locks);
    pendingDeposit.forget('another');
    expect(await claim({}, locks)).toBe(id);
    pendingDeposit.forget(id);
    expect(await claim({}, locks)).not.toBe(id);
  });

  test('[DEP-16] a press just after another tab’s was answered is the same intent; this tab’s own next press is not', async () => {
    const locks = make();
    const id = await claim({}, locks);
    pendingDeposit.settle(id);
    expect(await claim({}, locks)).not.toBe(id);
    const again = await claim({}, locks);
    pendingDeposit.settle(again);
    // What a reload keeps is this tab's alone.
    sessionStorage.clear();
    expect(await claim({}, locks)).toBe(again);
    pendingDeposit.settle(again);
    sessionStorage.clear();
    clock.advance(3000);
    expect(await claim({}, locks)).not.toBe(again);
  });

  test('nothing that was typed can be read from the storage', async () => {
    await claim({ fingerprint: '["1234.56","USDT","btc","bc1qwallet"]' }, make());
    expect(localStorage.getItem('cashier.deposit')).not.toMatch(/1234|bc1q|btc|user-1/);
  });
});

test('[WD-2] a withdrawal has a key beside that of a deposit, for as long as its amount is held', async () => {
  const locks = createLocks();
  const deposit = await claim({}, locks);
  const withdrawalOf = (proposed: string) => pendingWithdrawal.claim(proposed, intent, clock, locks);
  const [one, other] = await Promise.all([withdrawalOf('one'), withdrawalOf('other')]);
  expect([one, other]).toEqual(['one', 'one']);
  expect(await claim({}, locks)).toBe(deposit);
  clock.advance(899_000);
  expect(await withdrawalOf('later')).toBe('one');
  pendingWithdrawal.keep('anew', intent, clock.now());
  await clock.advanceAsync(3000);
  expect(await withdrawalOf('later still')).toBe('anew');
  clock.advance(900_000);
  expect(await withdrawalOf('another day')).toBe('another day');
});

describe('two tabs in the same moment', () => {
  test('[DEP-16] agree on one key, although neither sees yet what the other has stored', async () => {
    const locks = createLocks(() => localStorage.clear());
    const [one, other] = await Promise.all([claim({}, locks), claim({}, locks)]);
    expect(other).toBe(one);
  });

  test('[DEP-16] a key is shown for a moment only: the same intent later is another deposit', async () => {
    const locks = createLocks(() => localStorage.clear());
    const first = await claim({}, locks);
    clock.advance(2999);
    await Promise.resolve();
    expect(await claim({}, locks)).toBe(first);
    await clock.advanceAsync(3000);
    expect(await claim({}, locks)).not.toBe(first);
    expect((await locks.query()).held?.every(({ name }) => !name?.includes('1234'))).toBe(true);
  });

  test('[DEP-16] no tab waits for a sleeping tab that holds the lock', async () => {
    const asleep = (_name: string, { signal }: LockOptions) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
      );
    const waiting = claim({}, { ...createLocks(), request: asleep as LockManager['request'] });
    await clock.advanceAsync(1000);
    const id = await waiting;
    expect(id).toMatch(/^proposed-/);
    expect(await claim()).toBe(id);
    expect(clock.pending()).toBe(0);
    expect(reported).not.toHaveBeenCalled();
  });

  test('[DEP-16] in a frame without locks the storage alone decides', async () => {
    const refused = () => Promise.reject(new DOMException('not here', 'SecurityError'));
    const locks = { ...createLocks(), request: refused as LockManager['request'] };
    const id = await claim({}, locks);
    expect(await claim({}, locks)).toBe(id);
    expect(reported).not.toHaveBeenCalled();
  });

  test('[DEP-16] an unexpected fault is reported and does not block the payment', async () => {
    const fault = new TypeError('a mistake of ours');
    const locks = { ...createLocks(), query: () => Promise.reject(fault) };
    const id = await claim({}, locks);
    expect(reported).toHaveBeenCalledExactlyOnceWith(fault);
    expect(await claim()).toBe(id);
  });
});

// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Cashier, createCashier } from './cashier.ts';
import type { CashierOptions } from './options.ts';
import type { PaymentRequest } from './payments.ts';
import { cashierUrl, loaded, says } from './testing.ts';

let cashier: Cashier;
const frame = () => cashier.element as HTMLIFrameElement;
const told = (event: string, id: object = { depositId: 'd-1' }) =>
  says(frame(), { messageType: 'transaction', payload: { event, ...id } });

function start(options: Partial<CashierOptions> = {}): void {
  cashier = createCashier({ cashierUrl, partner: 'acme', container: document.body, getToken: () => 'jwt', ...options });
}

/** Lets the part be loaded and the token come; then the widget has started. */
async function begun(): Promise<unknown[]> {
  await vi.waitFor(() => expect(frame().src).toContain('/deposit'));
  await vi.dynamicImportSettled();
  const posted: unknown[] = [];
  vi.spyOn(frame().contentWindow as Window, 'postMessage').mockImplementation(
    ((message: unknown) => void posted.push(message)) as Window['postMessage'],
  );
  says(frame(), loaded);
  await vi.waitFor(() => expect(posted).toHaveLength(1));
  says(frame(), { messageType: 'init', payload: { success: true } });
  return posted;
}

beforeEach(() => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('{"problems":[{"code":"origin-not-listed","message":"Not listed: list it."}]}')),
  );
});
afterEach(() => {
  cashier.destroy();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('ready', () => {
  test('[HOST-12] resolves with the first screen, and rejects with the reason where there is none', async () => {
    start();
    await begun();
    await expect(cashier.ready).resolves.toBeUndefined();
    cashier.update({ locale: 'ar' });
    const again = cashier.ready;
    says(frame(), { messageType: 'init', payload: { success: false, error: 'The host did not answer' } });
    await expect(again).rejects.toThrow('The host did not answer');
  });

  test('of a modal waits for the opening, and ends with it', async () => {
    HTMLDialogElement.prototype.showModal ??= () => undefined;
    HTMLDialogElement.prototype.close ??= () => undefined;
    vi.stubGlobal(
      'CSSStyleSheet',
      class {
        replaceSync(): void {}
      },
    );
    document.adoptedStyleSheets ??= [];
    start({ mode: 'modal', container: undefined });
    const waiting = cashier.ready;
    cashier.open();
    cashier.close();
    await expect(waiting).rejects.toThrow('closed');
    expect(cashier.ready).not.toBe(waiting);
  });
});

describe('a destroyed handle', () => {
  test('stays destroyed: nothing opens it, and its promises end', async () => {
    start();
    const waiting = cashier.ready;
    cashier.destroy();
    cashier.open();
    cashier.update({ locale: 'ar' });
    expect(cashier.isOpen).toBe(false);
    expect(document.querySelector('iframe')).toBeNull();
    await expect(waiting).rejects.toThrow('closed');
    await expect(cashier.ready).rejects.toThrow('closed');
    await expect(cashier.deposit()).resolves.toEqual({ status: 'closed' });
    expect(document.querySelector('iframe')).toBeNull();
  });
});

describe('deposit()', () => {
  test('that is credited is not asked for again by a change of options over its receipt', async () => {
    start({ payload: { currency: 'EUR' } });
    const outcome = cashier.deposit({ amount: '25.00', method: 'card' });
    await vi.dynamicImportSettled();
    await begun();
    told('success');
    await outcome;
    cashier.update({ locale: 'ar' });
    expect(JSON.stringify(await begun())).not.toContain('25.00');
  });

  test('begins with the method and the amount, and resolves when it is credited', async () => {
    start({ payload: { currency: 'EUR' }, path: '/cryptobalance/deposit' });
    const outcome = cashier.deposit({ amount: '25.00', method: 'card' });
    await vi.dynamicImportSettled();
    const posted = await begun();
    expect(frame().src).toContain('/cashier/cryptobalance/deposit?');
    expect(posted).toEqual([
      {
        messageType: 'loaded',
        payload: {
          currency: 'EUR',
          start: { direction: 'deposit', currency: 'EUR', amount: '25.00', method: 'card' },
          token: 'jwt',
        },
      },
    ]);
    told('progress');
    told('success');
    await expect(outcome).resolves.toEqual({ status: 'processed', depositId: 'd-1' });
    // The receipt still stands there.
    expect(cashier.isOpen).toBe(true);
  });

  test.each([
    [[], { status: 'closed' }],
    [['progress'], { status: 'pending', depositId: 'd-1' }],
    [['progress', 'processing'], { status: 'pending', depositId: 'd-1' }],
    [['decline'], { status: 'declined', depositId: 'd-1' }],
    [['decline', 'progress'], { status: 'pending', depositId: 'd-1' }],
  ])('who leaves after %j has the outcome %j', async (steps, wanted) => {
    start();
    const outcome = cashier.deposit();
    await vi.dynamicImportSettled();
    await begun();
    for (const step of steps) told(step);
    told('success', { withdrawalId: 'w-1' });
    says(frame(), { messageType: 'close', payload: {} });
    await expect(outcome).resolves.toEqual(wanted);
  });

  test('goes on over a change of options, with its path, amount and method', async () => {
    start({ payload: { currency: 'USD' } });
    const ended = vi.fn();
    const outcome = cashier.withdraw({ amount: '25.00', method: 'card' });
    void outcome.then(ended);
    await vi.waitFor(() => expect(frame().src).toContain('/cashier/withdrawal?'));
    cashier.update({ locale: 'ar', payload: { currency: 'EUR' } });
    expect(frame().src).toContain('/cashier/withdrawal?');
    const posted: unknown[] = [];
    vi.spyOn(frame().contentWindow as Window, 'postMessage').mockImplementation(
      ((message: unknown) => void posted.push(message)) as Window['postMessage'],
    );
    says(frame(), loaded);
    await vi.waitFor(() => expect(posted).toHaveLength(1));
    // The amount is of the currency that stood there when it was asked for.
    const wanted = { direction: 'withdrawal', currency: 'USD', amount: '25.00', method: 'card' };
    const payload = { currency: 'EUR', start: wanted, token: 'jwt' };
    expect(posted).toEqual([{ messageType: 'loaded', payload }]);
    expect(ended).not.toHaveBeenCalled();
    told('success', { withdrawalId: 'w-1' });
    await expect(outcome).resolves.toEqual({ status: 'processed', withdrawalId: 'w-1' });
  });

  test('what has moved is pending and never failed, though the cashier is taken away', async () => {
    start();
    const outcome = cashier.deposit();
    await vi.dynamicImportSettled();
    await begun();
    told('progress');
    says(frame(), { messageType: 'init', payload: { success: false, error: 'broken' } });
    await expect(outcome).resolves.toEqual({ status: 'pending', depositId: 'd-1' });
  });

  test('a cashier that cannot start is taken away, and the outcome names the problem', async () => {
    start();
    const outcome = cashier.deposit();
    await vi.dynamicImportSettled();
    vi.spyOn(frame().contentWindow as Window, 'postMessage').mockReturnValue(undefined);
    says(frame(), { messageType: 'init', payload: { success: false, error: 'The host did not answer' } });
    await expect(outcome).resolves.toEqual({
      status: 'failed',
      problem: { code: 'origin-not-listed', message: 'Not listed: list it.' },
    });
    expect(cashier.isOpen).toBe(false);
  });

  const ofPagesWithoutTypes = [{ amount: 25 }, { method: 7 }, { amount: null }] as unknown as PaymentRequest[];
  test.each([
    { amount: '1e3' },
    { amount: '-5' },
    { amount: '12,50' },
    { method: '../withdrawal' },
    ...ofPagesWithoutTypes,
  ])('an impossible request %j is refused and opens nothing', async (request) => {
    start();
    await expect(cashier.deposit(request)).rejects.toThrow(TypeError);
    expect(frame().src).not.toContain('withdrawal');
  });

  test('the next plain opening begins as the options say', async () => {
    start();
    const outcome = cashier.withdraw({ amount: '10.00' });
    await vi.waitFor(() => expect(frame().src).toContain('/cashier/withdrawal?'));
    says(frame(), { messageType: 'close', payload: {} });
    await expect(outcome).resolves.toEqual({ status: 'closed' });
    cashier.open();
    expect(frame().src).toContain('/cashier/deposit?');
    const posted = await begun();
    expect(posted).toEqual([{ messageType: 'loaded', payload: { token: 'jwt' } }]);
  });
});

test('withdraw() resolves by the withdrawal alone', async () => {
  start();
  const outcome = cashier.withdraw();
  await vi.waitFor(() => expect(frame().src).toContain('/withdrawal'));
  told('success');
  told('success', { withdrawalId: 'w-1' });
  await expect(outcome).resolves.toEqual({ status: 'processed', withdrawalId: 'w-1' });
});

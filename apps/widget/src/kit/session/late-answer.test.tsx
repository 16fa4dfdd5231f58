// @vitest-environment jsdom
/** An answer that comes after the user has left the screen leads nobody anywhere, and opens no page (NAV-7). */
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { type OpenedWidget, openWidget } from '../../app/shell/shell-fixture.tsx';
import { depositId as onrampId, onrampServices } from '../../flows/onramp/onramp-fixture.ts';
import { data } from '../../flows/unified-form/unified-form-fixture.ts';
import { paymentId, paymentReport, paymentServices, refusal } from '../payment/payment-fixture.ts';
import type { FixtureServices } from './services-fixture.ts';

const user = userEvent.setup();
const payment = `/deposit/redirect/bank_card/unified-form?depositId=${paymentId}`;
const popup = { closed: false, opener: null as unknown, location: { replace: vi.fn() }, close: vi.fn() };

/** Answers a call when the test says so. */
function answerLater(services: FixtureServices, call: string) {
  let resolve: (answer: unknown) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<unknown>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  promise.catch(() => undefined);
  services.answer(call, () => promise);
  return { resolve, reject };
}

const press = (name: RegExp | string) => user.click(screen.getByRole('button', { name }));

type Widget = Pick<OpenedWidget, 'pass'>;

async function passTurns(widget: Widget) {
  for (let turn = 0; turn < 5; turn += 1) await widget.pass(0);
}

async function leave(widget: Widget, path = '/deposit') {
  history.pushState(null, '', `/cashier${path}`);
  act(() => void dispatchEvent(new PopStateEvent('popstate')));
  await passTurns(widget);
}

/** A payment whose cancel is asked for, and not answered yet. */
async function cancelling() {
  const services = paymentServices(data);
  const later = answerLater(services, 'deposit-cancel');
  const widget = await openWidget(payment, services);
  await widget.pass(0);
  await press('Cancel deposit');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel deposit' }));
  return { services, widget, ...later };
}

// Lazy in the widget; here only its reading takes time.
beforeAll(() => import('../deposit/reopen-deposit.tsx'));

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  vi.clearAllMocks();
  const page = document.implementation.createHTMLDocument();
  vi.spyOn(window, 'open').mockReturnValue({ ...popup, document: page } as unknown as Window);
});

describe('[NAV-7] after the user has left', () => {
  test('[DEP-5] the answer to "I have paid" does not lead to the status', async () => {
    const services = paymentServices(data);
    const { resolve } = answerLater(services, 'deposit-complete');
    const widget = await openWidget(payment, services);
    await widget.pass(0);
    await press('I have paid');
    await leave(widget);
    resolve({});
    await widget.pass(0);
    expect(widget.address()).toBe('/deposit');
  });

  test('[DEP-5] the answer to "I have paid" of one payment does not leave the next', async () => {
    const services = paymentServices(data);
    const { resolve } = answerLater(services, 'deposit-complete');
    const widget = await openWidget(payment, services);
    await widget.pass(0);
    await press('I have paid');
    const other = '/deposit/redirect/bank_card/unified-form?depositId=01890a5d-ac96-774b-bcce-b302099a8058';
    await leave(widget, other);
    expect(screen.getByRole('button', { name: 'I have paid' })).not.toHaveAttribute('aria-busy', 'true');
    resolve({});
    await widget.pass(0);
    expect(widget.address()).toBe(other);
  });

  test.each([true, false])('the answer to a cancel (cancelled: %s) leads nowhere', async (isCancelled) => {
    const { widget, resolve } = await cancelling();
    await leave(widget, '/deposit/redirect/bank_card');
    resolve({ depositId: paymentId, isCancelled });
    await widget.pass(0);
    expect(widget.address()).toBe('/deposit/redirect/bank_card');
  });

  test('[DEP-15] a reopened payment opens no page, and its waiting window is closed', async () => {
    const services = paymentServices(null);
    services.answer('deposit-status', () => paymentReport(services));
    const { resolve } = answerLater(services, 'deposit-create');
    const widget = await openWidget(`/deposit/complete?depositId=${paymentId}&method=bank_card`, services);
    await user.click(await screen.findByRole('button', { name: 'Reopen payment page' }));
    await leave(widget);
    resolve({ apiResponse: { depositId: paymentId, source: 'https://pay.example/p/1', method: 'GET' } });
    await widget.pass(0);
    expect(popup.location.replace).not.toHaveBeenCalled();
    expect(popup.close).toHaveBeenCalledOnce();
    expect(widget.address()).toBe('/deposit');
  });

  test.each([
    ['the page of the seller', ({ resolve }: Later) => resolve({ redirect: 'https://seller.example/pay' })],
    ['a failure', ({ resolve }: Later) => resolve({ error: 'sold out' })],
    ['a deposit that is over', ({ reject }: Later) => refusal('state-conflict', 409)().catch(reject)],
  ])('[DEP-14] %s of an on-ramp offer opens nothing', async (_case, settle) => {
    const services = onrampServices({});
    const later = answerLater(services, 'external-deposit-continue');
    const widget = await openWidget(`/deposit/onramp/onramp_card/offer-list?depositId=${onrampId}`, services);
    await press(/^Continue with/);
    await leave(widget);
    await settle(later);
    await widget.pass(0);
    expect(window.open).not.toHaveBeenCalled();
    expect(widget.address()).toBe('/deposit');
  });
});

describe('[DEP-5] [NAV-7] when the push about a deposit is faster than the answer to its cancel', () => {
  const status = `/deposit/complete?depositId=${paymentId}&method=bank_card`;
  const cancelled = { depositId: paymentId, isCancelled: true };
  const fails = (kind: 'network' | 'unknown') => new ClientError({ kind, code: 'lost', status: 0, message: 'lost' });

  test.each([
    ['cancels', ({ resolve }: Later) => resolve(cancelled), '/deposit'],
    ['does not cancel', ({ resolve }: Later) => resolve({ ...cancelled, isCancelled: false }), status],
    ['refuses', ({ reject }: Later) => refusal('state-conflict', 409)().catch(reject), status],
    ['is lost', ({ reject }: Later) => reject(fails('unknown')), status],
    ['was not sent', ({ reject }: Later) => reject(fails('network')), status],
  ])('the payer waits for it; if it %s, it leads on', async (_case, settle, end) => {
    const { services, widget, ...later } = await cancelling();
    services.answer('deposit-status', () => paymentReport(services, { status: 2 }));
    act(() => services.push('deposit.status', paymentReport(services, { status: 2 })));
    await passTurns(widget);
    expect(widget.address()).toBe(payment);
    await settle(later);
    await passTurns(widget);
    expect(widget.address()).toBe(end);
  });

  test('a payment leads to its status at once, and the answer to the cancel leads nowhere', async () => {
    const { services, widget, resolve } = await cancelling();
    services.answer('deposit-status', () => paymentReport(services, { status: 1 }));
    act(() => services.push('deposit.status', paymentReport(services, { status: 1 })));
    await passTurns(widget);
    expect(widget.address()).toBe(status);
    resolve({ ...cancelled, isCancelled: false });
    await passTurns(widget);
    expect(widget.address()).toBe(status);
  });

  test('the answer to the cancel of one payment does not lead away from the next', async () => {
    const { services, widget, resolve } = await cancelling();
    const otherId = '01890a5d-ac96-774b-bcce-b302099a8058';
    const other = payment.replace(paymentId, otherId);
    services.answer('deposit-status', paymentReport(services, { depositId: otherId }));
    await leave(widget, other);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'Cancel deposit' })).not.toHaveAttribute('aria-busy', 'true');
    resolve(cancelled);
    await passTurns(widget);
    expect(widget.address()).toBe(other);
    const next = paymentReport(services, { depositId: otherId, status: 2 });
    services.answer('deposit-status', next);
    act(() => services.push('deposit.status', next));
    await passTurns(widget);
    expect(widget.address()).toContain('/deposit/complete');
  });
});

type Later = ReturnType<typeof answerLater>;

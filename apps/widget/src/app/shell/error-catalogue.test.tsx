// @vitest-environment jsdom
/** Section 8, line by line: each message is provoked, and appears where the specification says (ERR-2). */
import { methodsPaymentV5 } from '@opencashier/contract/api';
import type { WidgetMessage } from '@opencashier/contract/host';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { createClient } from '../../api/create-client.ts';
import { RequestTimeout, requestGroupTimeoutMs } from '../../api/request-group.ts';
import type { Exchange } from '../../api/transport.ts';
import { createHostChannel } from '../../host/channel.ts';
import { pollWindowProperty } from '../../host/window-property.ts';
import { cardMethod, indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { type Answers, createFixtureServices, createSession } from '../../kit/session/services-fixture.ts';
import { createLocale } from '../locale/locale.ts';
import { failureText } from '../telemetry/telemetry.ts';
import { openWidget } from './shell-fixture.tsx';

const user = userEvent.setup();

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(window, 'open').mockReturnValue(null);
});

const { fields: _fields, prefilledAmount: _amount, ...plainCard } = cardMethod;
const catalogue = { ...indiaCatalogue, methods: [{ ...plainCard, fields: [] }] };
const failed = (code: string, status: number, message = code) =>
  new ClientError({ kind: status === 0 ? 'network' : 'refused', code, status, message });
const rejecting = (error: Error) => () => Promise.reject(error);

/** A deposit that ends as `answer` says; gives the words beside the button. */
async function deposit(answer: unknown, more: Answers = {}) {
  const services = createFixtureServices({
    'methods-payment-v5': catalogue,
    'deposit-limits': { currency: 'INR', min: '0', max: '0' },
    'session-start': { paymentSessionId: 's-1' },
    'deposit-create': answer,
    ...more,
  });
  const widget = await openWidget('/deposit/redirect/bank_card', services);
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1500');
  await user.click(screen.getByRole('button', { name: /^Deposit/ }));
  await widget.pass(0);
  await widget.pass(0);
  return { ...widget, alert: () => within(screen.getByRole('main')).getByRole('alert') };
}

describe('[ERR-2] [ERR-4] a deposit that fails: the text by precedence, beside the button', () => {
  const provider =
    'The payment provider did not accept this deposit. Nothing was charged. Try again or choose another method.';
  test.each([
    [
      'the server’s own words',
      failed('banking.merchantClientError', 422, 'Card <b>4242</b> expired'),
      'Card <b>4242</b> expired',
    ],
    ['no words of the server', failed('banking.merchantClientError', 422, ' '), provider],
    ['a code with a text', failed('limit-max', 422), 'The amount is above the maximum.'],
    ['a code without one', failed('no.such.code', 422), provider],
    [
      'a decline with its cause',
      new ClientError({
        kind: 'refused',
        code: 'provider-error',
        status: 502,
        message: 'no',
        params: { declineCause: 'card-expired' },
      }),
      'The card has expired. Use another card or choose another method.',
    ],
    [
      'a decline with a cause that nobody knows',
      new ClientError({
        kind: 'refused',
        code: 'provider-error',
        status: 502,
        message: 'no',
        params: { declineCause: 'x' },
      }),
      'Nothing was added to your balance. Contact your bank or choose another method.',
    ],
    ['banking.paymentMethodRegex', failed('banking.paymentMethodRegex', 422), provider],
  ])('%s', async (_name, error, text) => {
    const { alert, pass } = await deposit(rejecting(error));
    expect(alert()).toHaveTextContent(text);
    expect(alert().querySelector('b')).toBeNull();
    await pass(60_000);
    expect(alert()).toHaveTextContent(text);
  });

  test('[ERR-5] `captcha_required`: the captcha is run, and without an id says that it cannot be', async () => {
    const { alert, services } = await deposit(rejecting(failed('captcha_required', 428)));
    await waitFor(() => expect(alert()).toHaveTextContent('The security check is not available here.'));
    expect(errorsOf(services.posted)).toContain('Captcha id is empty');
    expect(services.requestsOf('deposit-create')).toHaveLength(1);
  });

  test('`Deposit data is null after creation.`: the provider error to the person', async () => {
    const { alert, services } = await deposit(
      ({ depositId }: { depositId: string }) => ({ apiResponse: { depositId, data: null } }),
      { 'deposit-cancel': ({ depositId }: { depositId: string }) => ({ depositId, isCancelled: true }) },
    );
    // Nobody can pay it, so it is cancelled before another one may be made.
    expect(services.requestsOf('deposit-cancel')).toHaveLength(1);
    expect(alert()).toHaveTextContent(provider);
    expect(services.metrics).toContainEqual(['deposit.create', 'fail']);
  });
});

describe('[ERR-2] the list', () => {
  const open = (answers: Record<string, unknown>, path = '/deposit') =>
    openWidget(path, createFixtureServices(answers, { session: createSession() }));
  const none = { ...indiaCatalogue, groups: [], methods: [] };

  test('[NAV-6] `Empty payment methods` to the host; the texts of the empty page to the person', async () => {
    const { services } = await open({ 'methods-payment-v5': none });
    expect(screen.getByText('There are no payment methods available for this region')).toBeVisible();
    expect(screen.getByText('Choose another region, or try again later')).toBeVisible();
    expect(errorsOf(services.posted)).toEqual(['Empty payment methods']);
  });

  test('`Empty withdrawal methods`', async () => {
    const { services } = await open({ 'methods-withdrawal': none }, '/withdrawal');
    expect(errorsOf(services.posted)).toEqual(['Empty withdrawal methods']);
  });

  test('`No payment-method`: nothing is chosen that the catalogue knows', async () => {
    const { services } = await open({ 'methods-payment-v5': catalogue }, '/deposit/redirect/no_such');
    expect(errorsOf(services.posted)).toContain('No payment-method');
  });

  test('[NET-3] [NET-5] `socket.networkError`: its text and a way to connect again', async () => {
    const { services, address, pass } = await open({
      'methods-payment-v5': rejecting(failed('socket.networkError', 0)),
    });
    expect(screen.getByText('Error occurred')).toBeVisible();
    expect(screen.getByText('No connection. Your request was not sent. Try again.')).toBeVisible();
    expect(screen.getByText('Try to refresh the section')).toBeVisible();
    services.answer('methods-payment-v5', catalogue);
    await user.click(screen.getByRole('button', { name: 'Reconnect' }));
    await pass(0);
    expect(address()).toBe('/deposit');
    expect(screen.getByRole('button', { name: 'Bank card' })).toBeVisible();
  });

  test('[NET-6] `Request timeout` after thirty seconds, with its stack where logging is forced', async () => {
    const services = createFixtureServices({}, { session: createSession({ forceLogging: true }) });
    const { pass, address } = await openWidget('/deposit', services);
    await pass(requestGroupTimeoutMs - 1);
    expect(address()).toBe('/deposit');
    await pass(1);
    await pass(0);
    expect(address()).toBe('/error?backRoute=%2Fdeposit');
    expect(screen.getByText('Request timeout')).toBeVisible();
    expect(document.querySelector('pre')?.textContent).toContain('RequestTimeout');
    expect(services.made.find(({ name }) => name === 'methods-payment-v5')?.options?.signal?.reason).toBeInstanceOf(
      RequestTimeout,
    );
  });

  test('`Unknown error` where nothing better is known', async () => {
    await open({ 'methods-payment-v5': catalogue }, '/error');
    expect(screen.getByText('Unknown error')).toBeVisible();
  });
});

function errorsOf(posted: readonly WidgetMessage[]): string[] {
  return posted.flatMap((message) => (message.messageType === 'error' ? [message.payload.message] : []));
}

describe('[ERR-2] calls', () => {
  async function failureOf(...exchanges: Exchange[]) {
    const clock = createTestClock();
    const onTokenExpired = vi.fn();
    const onFailure = vi.fn();
    let attempt = 0;
    const transport = {
      name: 'http' as const,
      exchange: async () => exchanges[Math.min(attempt++, exchanges.length - 1)] as Exchange,
      onPush: () => () => undefined,
      renew: () => undefined,
      close: () => undefined,
    };
    const client = createClient({ transport, clock, onTokenExpired, onFailure });
    const outcome = client.call(methodsPaymentV5, { country: 'IN', currency: 'INR' }).catch((error: unknown) => error);
    for (let turn = 0; turn < 6; turn += 1) await clock.advanceAsync(10_000);
    return { error: (await outcome) as ClientError, attempts: attempt, onTokenExpired, onFailure };
  }
  const lost = (reason: string): Exchange => ({ kind: 'lost', sent: false, reason });

  test.each(['Network connection failed', 'timeout', 'parse error', 'server disconnect'])(
    '[ERR-3] [NET-5] `%s`: four attempts, then socket.networkError, told with its reason',
    async (reason) => {
      const { error, attempts, onFailure } = await failureOf(lost(reason));
      expect(attempts).toBe(4);
      expect(error).toMatchObject({ kind: 'network', code: 'socket.networkError' });
      expect(onFailure).toHaveBeenCalledExactlyOnceWith('methods-payment-v5', error);
      expect(failureText(error)).toBe(`socket.networkError 0 … was not answered: ${reason}.`);
    },
  );

  test('[HOST-11] 401 asks the host for another token', async () => {
    const { error, onTokenExpired } = await failureOf({
      kind: 'answer',
      status: 401,
      error: { code: 'token-expired', message: 'The token has expired.' },
    });
    expect(onTokenExpired).toHaveBeenCalledOnce();
    expect(error).toMatchObject({ code: 'token-expired', status: 401 });
  });

  test('[ERR-1] anything but 2xx is reported with message and code', async () => {
    const { error } = await failureOf({
      kind: 'answer',
      status: 503,
      error: { code: 'temporarily-unavailable', message: 'Come back soon.' },
    });
    expect(error).toMatchObject({ code: 'temporarily-unavailable', status: 503, message: 'Come back soon.' });
  });
});

describe('[ERR-2] the start', () => {
  test('[HOST-2] `Incorrect data from host` for a loaded without payload', () => {
    const posted: WidgetMessage[] = [];
    const onFailed = vi.fn();
    let deliver: (data: unknown) => void = () => undefined;
    const channel = createHostChannel({
      outlet: { send: (message) => posted.push(message) > 0 },
      inlets: {
        listen(take) {
          deliver = (data) => take(data, { kind: 'window', origin: 'https://host.example' });
          return () => undefined;
        },
      },
      clock: createTestClock(),
      events: {
        loaded: vi.fn(),
        renewed: vi.fn(),
        bonuses: vi.fn(),
        appearance: vi.fn(),
        close: vi.fn(),
        failed: onFailed,
      },
    });
    channel.start();
    deliver({ messageType: 'loaded' });
    expect(onFailed).toHaveBeenCalledExactlyOnceWith('Incorrect data from host');
    expect(posted).toContainEqual({
      messageType: 'init',
      payload: { success: false, error: 'Incorrect data from host' },
    });
  });

  test('[HOST-5] `Can’t find a property in window` after five seconds', () => {
    const clock = createTestClock();
    const missing = vi.fn();
    pollWindowProperty({}, clock, vi.fn(), missing);
    clock.advance(4990);
    expect(missing).not.toHaveBeenCalled();
    clock.advance(10);
    expect(missing).toHaveBeenCalledOnce();
  });

  test('[ERR-6] `Locale receiving error {locale}` and English; `Missing translation for {locale}: {key}`', async () => {
    const report = vi.fn();
    const locale = createLocale({
      built: 'h en ar',
      base: '/cashier/',
      fetch: async (file) =>
        file.includes('/ar.') ? new Response('', { status: 500 }) : new Response('{"header.back":"Back"}'),
      report,
    });
    await locale.show('ar');
    expect(report).toHaveBeenCalledWith('Locale receiving error ar');
    expect(locale.texts.getState().translate('header.back')).toBe('Back');
    locale.texts.getState().translate('no.such.key');
    expect(report).toHaveBeenCalledWith('Missing translation for en: no.such.key');
  });
});

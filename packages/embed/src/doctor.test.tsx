// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Cashier, createCashier } from './cashier.ts';
import { diagnose, type Patient } from './doctor.ts';
import type { CashierOptions } from './options.ts';
import { cashierUrl, loaded, says } from './testing.ts';

const ask = vi.fn<(address: string, request: RequestInit) => Promise<Response>>();
const answers = (problems: object[]) => ask.mockResolvedValue(new Response(JSON.stringify({ problems })));
const asked = () => Object.fromEntries(ask.mock.calls[0]?.[1].body as URLSearchParams);
const patient = (change: Partial<Patient> = {}): Patient => ({
  symptom: 'timeout',
  options: { cashierUrl, partner: 'acme', payload: { userId: 'u-1' } },
  token: undefined,
  ...change,
});

beforeEach(() => {
  ask.mockReset();
  vi.stubGlobal('fetch', ask);
});
afterEach(() => vi.unstubAllGlobals());

test('[HOST-7] the cashier is asked with origin, user and token; the token travels in the body alone', async () => {
  answers([{ code: 'user-differs', message: 'Another user: take both from the session.' }]);
  const found = await diagnose(patient({ symptom: 'reported', token: 'jwt' }));
  expect(found).toEqual([{ code: 'user-differs', message: 'Another user: take both from the session.' }]);
  expect(ask.mock.calls[0]?.[0]).toBe('https://pay.example.com/doctor');
  expect(asked()).toEqual({ partner: 'acme', origin: location.origin, userId: 'u-1', token: 'jwt' });
});

test('a token that was never asked for is not examined, and none at all is', async () => {
  answers([{ code: 'x', message: 'x: y.' }]);
  await diagnose(patient());
  expect(asked()).not.toHaveProperty('token');
  ask.mockClear();
  answers([{ code: 'x', message: 'x: y.' }]);
  await diagnose(patient({ token: '' }));
  expect(asked()).toHaveProperty('token', '');
});

test('a policy of the page that forbids the frame is found by trying it', async () => {
  ask.mockRejectedValue(new TypeError('Failed to fetch'));
  const finding = diagnose(patient());
  await vi.waitFor(() => expect(document.querySelector('iframe[hidden]')).not.toBeNull());
  const violation = new Event('securitypolicyviolation');
  document.dispatchEvent(
    Object.assign(violation, { effectiveDirective: 'frame-src', blockedURI: 'https://pay.example.com/doctor' }),
  );
  expect(await finding).toEqual([
    {
      code: 'frame-policy',
      message: "This page's Content-Security-Policy blocks the frame: add `frame-src https://pay.example.com` to it.",
    },
  ]);
  expect(document.querySelector('iframe')).toBeNull();
});

test('a cashier that is away, and a fault that nobody knows, lead to the page of the doctor', async () => {
  ask.mockRejectedValue(new TypeError('Failed to fetch'));
  const [away] = await diagnose(patient());
  expect(away).toMatchObject({ code: 'cashier-unreachable' });
  expect(away?.message).toContain('https://pay.example.com/doctor?partner=acme&origin=');
  answers([]);
  const [unknown] = await diagnose(patient({ symptom: 'start-failed', detail: 'broken' }));
  expect(unknown?.message).toMatch(/^The cashier did not work \(broken\).*doctor\?partner=acme/);
  ask.mockResolvedValue(new Response('<html>', { status: 502 }));
  expect((await diagnose(patient({ symptom: 'start-failed' })))[0]?.code).toBe('cashier-unreachable');
});

test('the page hears a problem when getToken fails, when a fresh token is refused, and when a user is', async () => {
  answers([{ code: 'token-refused', message: 'Refused: pass on the token.' }]);
  const onProblem = vi.fn();
  const getToken = vi.fn<NonNullable<CashierOptions['getToken']>>().mockRejectedValueOnce(new Error('503'));
  getToken.mockResolvedValue('jwt');
  const cashier: Cashier = createCashier({
    cashierUrl,
    partner: 'acme',
    container: document.body,
    getToken,
    onProblem,
  });
  const frame = cashier.element as HTMLIFrameElement;
  const post = vi.spyOn(frame.contentWindow as Window, 'postMessage').mockReturnValue(undefined);
  says(frame, loaded);
  await vi.waitFor(() => expect(onProblem).toHaveBeenCalledOnce());
  expect(onProblem.mock.lastCall?.[0]).toMatchObject({ code: 'token-failed', message: expect.stringContaining('503') });

  says(frame, loaded);
  await vi.waitFor(() => expect(post).toHaveBeenCalledOnce());
  expect(getToken).toHaveBeenCalledTimes(2);
  says(frame, { messageType: 'token-expired', payload: {} });
  await vi.waitFor(() => expect(onProblem).toHaveBeenCalledTimes(2));
  expect(onProblem.mock.lastCall?.[0]).toMatchObject({ code: 'token-refused' });
  expect(asked()).toHaveProperty('token', 'jwt');

  answers([{ code: 'user-differs', message: 'Another: same.' }]);
  says(frame, { messageType: 'error', payload: { code: 'other-user-refused', message: 'Another user.' } });
  await vi.waitFor(() => expect(onProblem.mock.lastCall?.[0]).toMatchObject({ code: 'user-differs' }));
  // What is no matter of the page stays an error alone.
  says(frame, { messageType: 'error', payload: { code: 'host-flood', message: 'Too many messages.' } });
  await vi.dynamicImportSettled();
  expect(onProblem).toHaveBeenCalledTimes(3);
  cashier.destroy();
});

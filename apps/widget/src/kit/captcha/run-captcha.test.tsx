// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import '../../app/shell/shell-fixture.tsx';
import { createPage } from '../../app/shell/shell-services.ts';
import { createFixtureServices, createSession } from '../session/services-fixture.ts';
import { runCaptcha } from './run-captcha.tsx';

const user = userEvent.setup();

beforeEach(() => {
  history.replaceState(null, '', '/cashier/deposit?partner=demo');
});

async function begin(captchaId: string | undefined = 'id-1') {
  const meta = captchaId === undefined ? {} : { geetestCaptchaId: captchaId };
  const fixture = createFixtureServices({}, { session: createSession({}, { schema: { meta, assets: {} } }) });
  const { services, notifications } = createPage(fixture);
  const aborter = new AbortController();
  let outcome: unknown;
  const done = runCaptcha(services, aborter.signal).then(
    (result) => {
      outcome = result;
    },
    (error: unknown) => {
      outcome = error;
    },
  );
  await act(async () => undefined);
  const say = (data: unknown, source: unknown = frame().contentWindow) =>
    act(async () => {
      window.dispatchEvent(new MessageEvent('message', { data, origin: 'null', source: source as Window }));
    });
  return { fixture, notifications, aborter, done, say, outcome: () => outcome };
}

const frame = () => screen.getByTitle<HTMLIFrameElement>('Security check: confirm that you are a person');
const success = { messageType: 'captcha:success', lotNumber: 'l', captchaOutput: 'o', passToken: 'p', genTime: '1' };

test('[ERR-5] [UI-3] the captcha is in a named sheet, in its own origin, and gives its result', async () => {
  const { say, done, outcome } = await begin();
  expect(screen.getByRole('dialog', { name: 'Security check' })).toBeVisible();
  expect(frame().getAttribute('src')).toBe('/captcha/frame?partner=demo');
  expect(frame().getAttribute('sandbox')).toBe('allow-scripts');
  expect(screen.getByRole('status')).toHaveTextContent('Loading the security check…');
  await say({ messageType: 'captcha:ready' });
  await say({ messageType: 'captcha:shown' });
  expect(screen.queryByRole('status')).toBeNull();
  await say(success);
  await done;
  expect(outcome()).toEqual({ lotNumber: 'l', captchaOutput: 'o', passToken: 'p', genTime: '1' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('[ERR-5] only messages of the frame itself count', async () => {
  const { say, outcome, aborter, done } = await begin();
  await say(success, window);
  await say(success, null);
  expect(outcome()).toBeUndefined();
  aborter.abort(new Error('given up'));
  await act(() => done);
  expect(outcome()).toEqual(new Error('given up'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('[ERR-2] [ERR-5] without an id: `Captcha id is empty`, to the host and as a failure, and nothing is shown', async () => {
  const { fixture, outcome, done } = await begin('  ');
  await done;
  expect(outcome()).toMatchObject({ code: 'captcha-id-empty', message: 'Captcha id is empty' });
  expect(fixture.posted).toContainEqual({
    messageType: 'error',
    payload: { code: 'captcha-failed', message: 'Captcha id is empty' },
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('[ERR-2] [ERR-5] success without a result: `Geetest result is empty`, a notice to the user, lower limits', async () => {
  const { fixture, say, outcome, done, notifications } = await begin();
  await say({ messageType: 'captcha:ready' });
  await say({ ...success, passToken: '' });
  await act(() => done);
  expect(outcome()).toEqual({ isBypassed: true });
  expect(fixture.posted).toContainEqual({
    messageType: 'error',
    payload: { code: 'captcha-failed', message: 'Geetest result is empty' },
  });
  expect(notifications.getState()).toMatchObject([
    { kind: 'info', text: 'The security check did not work. You can continue with a lower limit.' },
  ]);
});

test.each([
  ['environment', 'The security check does not work in this browser. You can continue with a lower limit.'],
  ['unknown', 'The security check did not work. You can continue with a lower limit.'],
])('[ERR-2] [ERR-5] %s: its text, and the limits are lowered', async (kind, text) => {
  const { fixture, say, outcome, done, notifications } = await begin();
  await say({ messageType: 'captcha:ready' });
  await say({ messageType: 'captcha:error', kind });
  await act(() => done);
  expect(outcome()).toEqual({ isBypassed: true });
  expect(notifications.getState()).toMatchObject([{ text }]);
  expect(fixture.metrics).toContainEqual(['captcha.failed', kind]);
});

test('[ERR-2] [ERR-5] a script that never loads: its text after four more tries', async () => {
  const { fixture, say, outcome, done, notifications } = await begin();
  await say({ messageType: 'captcha:ready' });
  for (let tries = 0; tries < 5; tries += 1) {
    await say({ messageType: 'captcha:error', kind: 'script' });
    await act(() => fixture.clock.advanceAsync(10_000));
  }
  await act(() => done);
  expect(outcome()).toEqual({ isBypassed: true });
  expect(notifications.getState()).toMatchObject([
    { text: 'We could not load the security check. You can continue with a lower limit.' },
  ]);
});

test('[ERR-5] the close button ends it without a call', async () => {
  const { outcome, done, notifications } = await begin();
  await user.click(screen.getByRole('button', { name: 'Close the security check' }));
  await act(() => done);
  expect(outcome()).toMatchObject({ code: 'captcha-closed' });
  expect(notifications.getState()).toEqual([]);
});

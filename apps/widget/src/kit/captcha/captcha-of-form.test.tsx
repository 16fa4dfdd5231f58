// @vitest-environment jsdom
/** The captcha of a form: its file may not come, and the user may leave (ERR-5). */
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { codeTimeoutMs } from '../../api/insist.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { paymentMethod, paymentServices } from '../payment/payment-fixture.ts';

const file = vi.hoisted(() => {
  let come: () => void = () => undefined;
  const isThere = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { isThere, come: () => come() };
});
vi.mock('./run-captcha.tsx', async (load) => {
  await file.isThere;
  return load<typeof import('./run-captcha.tsx')>();
});

const user = userEvent.setup();

async function pressDeposit(before: () => void = () => undefined) {
  const services = paymentServices(null, { method: paymentMethod({ flags: { captcha: true } }) });
  const session = services.session.getState();
  const schema = { meta: { geetestCaptchaId: 'id-1' }, assets: {} };
  services.session.setState({ ...session, payload: { ...session.payload, schema } });
  const widget = await openWidget('/deposit/redirect/bank_card', services);
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1500');
  const press = async () => {
    await user.click(screen.getByRole('button', { name: /^Deposit/ }));
    await widget.pass(0);
  };
  before();
  await press();
  return { ...widget, press };
}
const captcha = () => screen.queryByRole('dialog', { name: 'Security check' });

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(window, 'open').mockReturnValue(null);
});

test('[ERR-5] a captcha whose file does not come ends the press, and the next press shows it', async () => {
  const { services, pass, press } = await pressDeposit();
  expect(within(screen.getByRole('main')).queryByRole('alert')).toBeNull();
  await pass(codeTimeoutMs);
  expect(within(screen.getByRole('main')).getByRole('alert')).toHaveTextContent(
    'No connection. Your request was not sent',
  );
  expect(services.requestsOf('deposit-create')).toEqual([]);
  file.come();
  await press();
  await vi.waitFor(async () => {
    await pass(0);
    expect(captcha()).toBeVisible();
  });
});

test('[ERR-5] [NAV-7] the captcha goes with its form', async () => {
  const { pass } = await pressDeposit();
  await vi.waitFor(async () => {
    await pass(0);
    expect(captcha()).toBeVisible();
  });
  history.pushState(null, '', '/cashier/deposit');
  act(() => void dispatchEvent(new PopStateEvent('popstate')));
  await pass(0);
  await vi.waitFor(() => expect(captcha()).toBeNull());
});

test('[ERR-5] [NAV-7] no captcha opens while the next page is loading', async () => {
  // The form is still on the screen, so the router must not see the new address.
  const goOn = () => History.prototype.pushState.call(history, null, '', '/cashier/deposit/redirect/bank_card/guide');
  const { pass, services } = await pressDeposit(goOn);
  await vi.waitFor(async () => {
    await pass(0);
    expect(screen.getByText('Please complete the security check and try again.')).toBeVisible();
  });
  expect(captcha()).toBeNull();
  expect(services.requestsOf('deposit-create')).toEqual([]);
});

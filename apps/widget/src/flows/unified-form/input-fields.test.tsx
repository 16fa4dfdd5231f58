// @vitest-environment jsdom
/** What an answer asks for beside "I have paid". */
import type { DepositData } from '@opencashier/contract/api';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { connectionLost, paymentId, paymentServices } from '../../kit/payment/payment-fixture.ts';
import { path } from './unified-form-fixture.ts';

const user = userEvent.setup({ delay: null });
const complete = `/deposit/complete?depositId=${paymentId}&method=bank_card`;

const data: DepositData = {
  unifiedFlow: true,
  payment_amount: '1503.20',
  payment_currency: 'INR',
  created: new Date(1_767_225_600_000).toISOString(),
  requisites: [{ name: 'account', title: 'Account', value: '123456', isCopyable: true }],
  inputFields: [
    { name: 'fullName', type: 'text', regex: '^[\\p{L} ]{2,60}$', props: { label: 'Full name' } },
    { name: 'accountEnd', type: 'text', regex: '^\\d{4}$', props: { label: 'Last four digits' } },
    { name: 'channel', type: 'text', props: { isHidden: true, value: 'web' } },
  ],
};

async function open(answer: unknown = {}) {
  const widget = await openWidget(path, paymentServices(data, { answers: { 'deposit-complete': answer } }));
  await widget.pass(0);
  const press = async () => {
    await user.click(screen.getByRole('button', { name: 'I have paid' }));
    await widget.pass(50);
  };
  return { ...widget, press };
}
const name = () => screen.getByRole('textbox', { name: 'Full name' });
const digits = () => screen.getByRole('textbox', { name: 'Last four digits' });
const accountRefused = () =>
  Promise.reject(
    new ClientError({
      kind: 'refused',
      code: 'banking.paymentMethodRegex',
      status: 422,
      message: 'no',
      fields: [{ path: 'fields.accountEnd', message: 'no' }],
    }),
  );

beforeEach(() => {
  window.scrollTo = () => undefined;
  vi.spyOn(window, 'open').mockReturnValue(null);
  localStorage.clear();
  sessionStorage.clear();
});

test('[DEP-5] is sent with the report, hidden fields too; nothing is sent while a field is invalid', async () => {
  const { services, address, press } = await open();
  await press();
  expect(services.requestsOf('deposit-complete')).toEqual([]);
  await vi.waitFor(() => expect(name()).toHaveFocus());
  expect(digits()).toBeInvalid();
  await user.type(name(), ' Ann Lee ');
  await user.type(digits(), '4711');
  await press();
  expect(services.requestsOf('deposit-complete')).toEqual([
    {
      depositId: paymentId,
      paymentMethod: 'bank_card',
      fields: { fullName: 'Ann Lee', accountEnd: '4711', channel: 'web' },
    },
  ]);
  expect(address()).toBe(complete);
});

test('[DEP-5] [FORM-5] a refused field shows the error and gets the focus, and nothing typed is lost', async () => {
  const { services, address, press } = await open(accountRefused);
  await user.type(name(), 'Ann Lee');
  await user.type(digits(), '0000');
  await press();
  expect(address()).toContain('/unified-form');
  await vi.waitFor(() => expect(digits()).toHaveFocus());
  expect(digits()).toBeInvalid();
  expect(digits()).toHaveAccessibleDescription(/This was not accepted/);
  expect(name()).toHaveValue('Ann Lee');
  expect(name()).toBeValid();
  services.answer('deposit-complete', {});
  await user.clear(digits());
  await user.type(digits(), '4711');
  await press();
  expect(services.requestsOf('deposit-complete').at(-1)).toMatchObject({ fields: { accountEnd: '4711' } });
  expect(address()).toBe(complete);
});

test('[DEP-5] a lost connection loses nothing that was typed, and the same is said again', async () => {
  const { services, press } = await open(connectionLost);
  await user.type(name(), 'Ann Lee');
  await user.type(digits(), '4711');
  await press();
  expect([(name() as HTMLInputElement).value, (digits() as HTMLInputElement).value]).toEqual(['Ann Lee', '4711']);
  services.answer('deposit-complete', {});
  await press();
  const [first, second] = services.requestsOf('deposit-complete');
  expect(second).toEqual(first);
});

test('[DEP-5] values typed for one payment are not in the form of the next', async () => {
  const { pass } = await open();
  await user.type(digits(), '4711');
  const goTo = async (depositId: string) => {
    history.pushState(null, '', `${location.pathname}?depositId=${depositId}`);
    act(() => void dispatchEvent(new PopStateEvent('popstate')));
    await pass(0);
    await pass(0);
  };
  await goTo('01890a5d-ac96-774b-bcce-b302099a8058');
  expect(digits()).toHaveValue('');
  await goTo(paymentId);
  expect(digits()).toHaveValue('4711');
});

// @vitest-environment jsdom
/** A refused deposit shows its reason where the user can correct it. */
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { amount, fakeWindow, fault, openRedirect, pay, refused } from './redirect-page-fixture.ts';

const user = userEvent.setup();

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(window, 'open').mockImplementation(() => fakeWindow() as unknown as Window);
});

test('[ERR-4] a failure stays beside the button until the next press or a change of the form', async () => {
  const { services, pass } = await openRedirect({ 'deposit-create': refused('provider-error', 502) });
  await user.type(amount(), '1500');
  await user.click(pay());
  await pass(0);
  expect(fault()).toHaveTextContent('The payment provider did not accept this deposit.');
  await user.type(amount(), '0');
  expect(fault()).toBeNull();
  await user.click(pay());
  await pass(0);
  expect(fault()).toBeVisible();
  services.answer('deposit-create', new Promise(() => undefined));
  await user.click(pay());
  expect(fault()).toBeNull();
});

describe('[ERR-4] [AMT-4] a refusal of the amount is shown only at the amount', () => {
  const refuses = (code: string, more: { params?: Record<string, string>; path?: string }) => () =>
    Promise.reject(
      new ClientError({
        kind: 'refused',
        code,
        status: 422,
        message: 'No.',
        ...(more.params && { params: more.params }),
        ...(more.path && { fields: [{ path: more.path, message: 'no' }] }),
      }),
    );
  test.each([
    [
      'a higher minimum',
      refuses('limit-min', { params: { min: '2000.00' } }),
      /^The minimum amount is .*2,000/,
      '2500',
    ],
    ['a lower maximum', refuses('limit-max', { params: { max: '1000.00' } }), /^The maximum amount is .*1,000/, '900'],
    [
      'a rule of the method',
      refuses('banking.paymentMethodRegex', { path: 'amount' }),
      /^This amount is not accepted/,
      '1501',
    ],
  ])('%s', async (_name, answer, words, next) => {
    const { pass } = await openRedirect({ 'deposit-create': answer });
    await user.type(amount(), '1500');
    await user.click(pay());
    await pass(0);
    expect(amount()).toHaveAccessibleDescription(words);
    expect(amount()).toHaveFocus();
    expect(fault()).toBeNull();
    await user.clear(amount());
    await user.type(amount(), next);
    expect(amount()).not.toHaveAttribute('aria-invalid');
  });

  test('a limit that this amount respects is shown beside the button', async () => {
    const { pass } = await openRedirect({ 'deposit-create': refuses('limit-min', { params: { min: '10.00' } }) });
    await user.type(amount(), '1500');
    await user.click(pay());
    await pass(0);
    expect(fault()).toHaveTextContent('The amount is below the minimum.');
  });
});

test('[ERR-4] the server’s message for the user is shown as text; an unknown code is a provider error', async () => {
  const words = () =>
    Promise.reject(
      new ClientError({
        kind: 'refused',
        code: 'banking.merchantClientError',
        status: 422,
        message: '<i>Card</i> blocked',
      }),
    );
  const { services, pass } = await openRedirect({ 'deposit-create': words });
  await user.type(amount(), '1500');
  await user.click(pay());
  await pass(0);
  expect(fault()).toHaveTextContent('<i>Card</i> blocked');
  services.answer('deposit-create', refused('never-heard-of', 422));
  await user.click(pay());
  await pass(0);
  expect(fault()).toHaveTextContent('The payment provider did not accept this deposit.');
});

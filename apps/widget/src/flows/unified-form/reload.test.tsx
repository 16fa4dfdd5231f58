// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { connectionLost, paymentId, paymentReport, refusal } from '../../kit/payment/payment-fixture.ts';
import { data } from './unified-form-fixture.ts';
import { open } from './unified-form-page-fixture.ts';

const user = userEvent.setup();

beforeEach(() => {
  window.scrollTo = () => undefined;
  vi.spyOn(window, 'open').mockReturnValue(null);
  localStorage.clear();
  sessionStorage.clear();
});

describe('[NAV-7] a reload', () => {
  test('asks for the status and then for the same answer under the same key', async () => {
    const { services } = await open();
    expect(services.requestsOf('deposit-create')).toEqual([
      {
        amount: '1500.00',
        currency: 'INR',
        depositId: paymentId,
        fields: {},
        isActivatedBonus: false,
        paymentType: 'bank_card',
        selectedCountry: 'IN',
      },
    ]);
  });

  test('of a deposit that the server does not know creates none', async () => {
    const { services, address, pass } = await open({}, { answers: { 'deposit-status': refusal('not-found', 404) } });
    expect(screen.getByText('Nothing to pay here').closest('[role=status]')).toBeVisible();
    expect(services.requestsOf('deposit-create')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'All methods' }));
    await pass(0);
    expect(address()).toBe('/deposit');
  });

  test.each([
    ['temporarily-unavailable', 503],
    ['rate-limited', 429],
    ['unauthorized', 401],
    // The page of a gateway.
    ['invalid-response', 502],
    ['invalid-response', 404],
  ])('refused with %s (%i) for now says nothing of an end, and can be tried again', async (code, status) => {
    const { services, pass } = await open({}, { answers: { 'deposit-status': refusal(code, status) } });
    expect(screen.queryByText('Nothing to pay here')).toBeNull();
    services.answer('deposit-status', paymentReport(services));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass(0);
    expect(screen.getByText('₹1,503.20')).toBeVisible();
  });

  test('without a connection can be tried again', async () => {
    const { services, pass } = await open({}, { answers: { 'deposit-create': connectionLost } });
    expect(screen.getByText('We could not load the payment details').closest('[role=status]')).toBeVisible();
    services.answer('deposit-create', { apiResponse: { depositId: paymentId, data } });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass(0);
    expect(screen.getByText('₹1,503.20')).toBeVisible();
  });
});

// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { paymentId, paymentMethod, paymentServices } from '../payment/payment-fixture.ts';
import { data, link } from './upi-page-fixture.ts';

const user = userEvent.setup();
beforeEach(() => {
  window.scrollTo = () => undefined;
  vi.spyOn(window, 'open').mockReturnValue(null);
  localStorage.clear();
  sessionStorage.clear();
});

describe.each(['eazype', 'upi-qr'])('%s', (pageId) => {
  test('[DEP-6] an answer for this page leads to the code, the id to copy, and Paid', async () => {
    const services = paymentServices(data, { answers: { 'deposit-complete': {} } });
    services.answer('deposit-create', ({ depositId }: { depositId: string }) => ({
      apiResponse: { depositId, pageId, pageType: 'custom', data },
    }));
    const { address, pass } = await openWidget('/deposit/redirect/bank_card', services);
    await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1500');
    await user.click(screen.getByRole('button', { name: /^Deposit/ }));
    await pass(0);
    expect(address()).toContain(`/redirect/bank_card/${pageId}?depositId=`);
    await vi.waitFor(async () => {
      await pass(0);
      expect(screen.getByRole('img', { name: 'QR code for this payment' })).toBeInTheDocument();
    });
    await user.click(screen.getByRole('button', { name: 'Copy UPI ID: UPI ID' }));
    expect(await navigator.clipboard.readText()).toBe('shop.12@bank');
    await user.click(screen.getByRole('button', { name: 'I have paid' }));
    await pass(0);
    expect(services.requestsOf('deposit-complete')).toHaveLength(1);
    expect(address()).toContain('/deposit/complete?depositId=');
  });

  test('[DEP-6] the app on this very phone is a link only where the method declares its scheme', async () => {
    const path = `/deposit/redirect/bank_card/${pageId}?depositId=${paymentId}`;
    await openWidget(path, paymentServices(data));
    expect(screen.queryByRole('link')).toBeNull();
    document.body.replaceChildren();
    await openWidget(path, paymentServices(data, { method: paymentMethod({ flags: { linkSchemes: ['upi'] } }) }));
    expect(screen.getByRole('link', { name: 'Open UPI app' })).toHaveAttribute('href', link);
  });

  test('[DEP-6] a desktop leads with the code: no app there opens the link, and a page of the provider stays', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('pointer: fine'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    const path = `/deposit/redirect/bank_card/${pageId}?depositId=${paymentId}`;
    const method = paymentMethod({ flags: { linkSchemes: ['upi'] } });
    await openWidget(path, paymentServices(data, { method }));
    await screen.findByRole('button', { name: 'I have paid' });
    expect(screen.queryByRole('link')).toBeNull();
    document.body.replaceChildren();
    await openWidget(path, paymentServices({ ...data, buttonPay: 'https://bank.example/pay' }, { method }));
    expect(await screen.findByRole('link', { name: 'Open UPI app' })).toHaveAttribute(
      'href',
      'https://bank.example/pay',
    );
    vi.unstubAllGlobals();
  });

  test('an answer without a code says so and offers a way to continue', async () => {
    const path = `/deposit/redirect/bank_card/${pageId}?depositId=${paymentId}`;
    await openWidget(path, paymentServices({ qrCodeText: ' ', qrDataURL: 'javascript:alert(1)' }));
    expect(screen.getByText('Nothing to pay here')).toBeVisible();
    expect(screen.getByRole('button', { name: 'See status' })).toBeVisible();
  });
});

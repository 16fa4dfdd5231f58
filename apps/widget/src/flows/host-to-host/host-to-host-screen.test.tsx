// @vitest-environment jsdom
import type { DepositData, MethodFlags } from '@opencashier/contract/api';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { paymentId, paymentMethod, paymentServices } from '../../kit/payment/payment-fixture.ts';
import { data } from './host-to-host-fixture.ts';

const user = userEvent.setup();

async function open(flags: MethodFlags = {}, answer: DepositData | null = data) {
  const services = paymentServices(answer, { method: paymentMethod({ flags }) });
  return openWidget(`/deposit/host-to-host/bank_card?depositId=${paymentId}`, services);
}

const paid = () => screen.queryByRole('button', { name: 'I have paid' });

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
});

describe('[DEP-12] [NAV-7] the page of a host-to-host payment', () => {
  test('shows number, account, full name, requisites, the exact sum and the time, from the server after a reload', async () => {
    await open();
    for (const text of ['8600 1234 1234 1234', '0001 22', 'Aziz S.', 'SBX1', '₹1,503.20', 'Open your wallet.']) {
      expect(screen.getByText(text)).toBeVisible();
    }
    expect(screen.getByRole('timer')).toHaveTextContent('15:00');
    expect(paid()).toBeVisible();
  });

  test('the end of the time hides Paid and cancels nothing', async () => {
    const { pass, services } = await open();
    await pass(899_000);
    expect(paid()).toBeVisible();
    await pass(1000);
    expect(paid()).toBeNull();
    expect(services.requestsOf('deposit-cancel')).toEqual([]);
    expect(screen.getByText(/do not pay again/)).toBeVisible();
  });

  test('a flagged method is marked as guaranteed; another is not', async () => {
    const { services } = await open({ guaranteed: true });
    expect(services.made.length).toBeGreaterThan(0);
    expect(screen.getByText('Guaranteed')).toBeVisible();
  });

  test('a flagged method has a support button, which tells the host and names the payment', async () => {
    const { services } = await open({ supportButton: true });
    await user.click(screen.getByRole('button', { name: 'Contact support' }));
    expect(within(screen.getByRole('dialog')).getByText(paymentId.slice(0, 8).toUpperCase())).toBeVisible();
    expect(services.metrics).toContainEqual(['support.opened', 'bank_card']);
    expect(services.posted).toContainEqual({
      messageType: 'support',
      payload: { depositId: paymentId, paymentMethod: 'bank_card' },
    });
    expect(within(screen.getByRole('dialog')).queryByRole('link')).toBeNull();
  });

  test('[FORM-9] the catalogue’s own link to support stands in it, unless it is none that may be opened', async () => {
    await open({ supportButton: true, supportLink: 'https://support.example/payments' });
    await user.click(screen.getByRole('button', { name: 'Contact support' }));
    const link = screen.getByRole('link', { name: 'Support page' });
    expect(link).toHaveAttribute('href', 'https://support.example/payments');
    expect(link).toHaveAttribute('rel', 'noopener noreferrer');
    cleanup();
    await open({ supportButton: true, supportLink: 'javascript:alert(1)' });
    await user.click(screen.getByRole('button', { name: 'Contact support' }));
    expect(screen.queryByRole('link')).toBeNull();
  });

  test('without flags there is neither mark nor support nor header', async () => {
    await open();
    expect(screen.queryByText('Guaranteed')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Contact support' })).toBeNull();
    expect(screen.queryByText(/Read the steps first/)).toBeNull();
    expect(screen.queryByText(/for this deposit only/)).toBeNull();
  });

  test('[DEP-10] a flagged method has the header of its instruction', async () => {
    await open({ instructionHeader: true });
    expect(screen.getByText(/Read the steps first/)).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Bank card' })).toBeVisible();
  });

  test('[DEP-10] a virtual account says that it is this deposit’s own', async () => {
    await open({ virtualAccount: true }, { ...data, card: { account_number: '0012345678', bank_name: 'Bank' } });
    expect(screen.getByText(/for this deposit only/)).toBeVisible();
    expect(screen.getByText('0012345678')).toBeVisible();
  });

  test.each<[string, DepositData | null]>([
    ['no payee', { ...data, card: { fullName: 'Aziz S.' }, requisites: [] }],
    ['no data', null],
  ])('an answer with %s offers a way to continue', async (_name, answer) => {
    const { address, pass } = await open({}, answer);
    expect(screen.getByText('Nothing to pay here')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'All methods' }));
    await pass(0);
    expect(address()).toBe('/deposit');
  });

  test('HTML in every text is text', async () => {
    const html = '<img src=x onerror=alert(1)>';
    await open(
      {},
      {
        ...data,
        card: { number: html },
        requisites: [{ name: html, title: html, value: `${html}!` }],
        instruction: { text: html },
      },
    );
    expect(screen.getAllByText(html).length).toBeGreaterThanOrEqual(3);
    expect(document.querySelector('img')).toBeNull();
  });
});

test('[DEP-3] the redirect form leads here when the answer has a card', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null);
  const services = paymentServices(data);
  const { address, pass } = await openWidget('/deposit/redirect/bank_card', services);
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1500');
  await user.click(screen.getByRole('button', { name: /^Deposit/ }));
  await pass(0);
  expect(address()).toBe(`/deposit/host-to-host/bank_card?depositId=${paymentId}`);
  expect(screen.getByText('8600 1234 1234 1234')).toBeVisible();
});

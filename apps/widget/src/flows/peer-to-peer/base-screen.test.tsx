// @vitest-environment jsdom
import type { PaymentMethod } from '@opencashier/contract/api';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { depositId, p2pAnswer, p2pMethod, p2pServices, withBanks } from './peer-to-peer-fixture.ts';

const user = userEvent.setup();
async function open(path: string, answers: Record<string, unknown> = {}, method: PaymentMethod = p2pMethod()) {
  const services = p2pServices(answers, method);
  return openWidget(`/deposit/peer-to-peer/p2p_imps${path}`, services);
}

const create = async () => {
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1500');
  await user.click(screen.getByRole('button', { name: /^Deposit/ }));
};
const said = (services: { posted: unknown[] }) => JSON.stringify(services.posted);

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(window, 'open');
});

describe('[DEP-11] the banks', () => {
  test('more than five banks can be searched; the chosen bank is in the address', async () => {
    const { address, pass } = await open('', {}, withBanks);
    await user.type(screen.getByRole('searchbox', { name: 'Search banks' }), 'ici');
    expect(screen.queryByRole('button', { name: 'SBI' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'ICICI' }));
    await pass(0);
    expect(address()).toBe('/deposit/peer-to-peer/p2p_imps/base?bank=icici');
  });

  test('the chosen bank is on the form and in the call', async () => {
    const { pass, services } = await open('/base?bank=icici', { 'deposit-create-p2p': p2pAnswer() }, withBanks);
    expect(screen.getByText('ICICI')).toBeVisible();
    expect(screen.queryByRole('combobox')).toBeNull();
    await create();
    await pass(0);
    expect(services.requestsOf('deposit-create-p2p')[0]).toMatchObject({ bank: 'icici', paymentMethod: 'p2p_imps' });
  });

  test('a bank of an address that the method does not have is asked for again', async () => {
    await open('/base?bank=evil', {}, withBanks);
    expect(screen.getByRole('combobox', { name: /bank/i })).toBeVisible();
  });

  test('without banks the amount comes at once', async () => {
    const { address } = await open('');
    expect(address()).toBe('/deposit/peer-to-peer/p2p_imps/base');
    expect(screen.getByRole('textbox', { name: 'Amount' })).toBeVisible();
  });
});

describe('[DEP-11] creating', () => {
  test('uses the flow’s own call, without a payment window, to the invoice', async () => {
    const { address, pass, services } = await open('/base', { 'deposit-create-p2p': p2pAnswer() });
    await create();
    await pass(0);
    const [request] = services.requestsOf('deposit-create-p2p');
    expect(request).toMatchObject({
      amount: '1500',
      currency: 'INR',
      paymentMethod: 'p2p_imps',
      selectedCountry: 'IN',
    });
    expect(request).not.toHaveProperty('paymentType');
    expect(request).not.toHaveProperty('returnUrl');
    expect(services.requestsOf('deposit-create')).toEqual([]);
    expect(window.open).not.toHaveBeenCalled();
    expect(address()).toBe(`/deposit/peer-to-peer/p2p_imps/invoice?depositId=${depositId}`);
    expect(screen.getByText('₹1,503.20')).toBeVisible();
  });

  test('the unified form has its own address', async () => {
    const requisites = [{ name: 'wallet', title: 'Wallet', value: '0170 0001', isCopyable: true }];
    const answer = p2pAnswer({ card: null, unifiedFlow: true, requisites });
    const { address, pass } = await open('/base', { 'deposit-create-p2p': answer });
    await create();
    await pass(0);
    expect(address()).toBe(`/deposit/peer-to-peer/p2p_imps/unified-form?depositId=${depositId}`);
    expect(screen.getByText('0170 0001')).toBeVisible();
  });

  test('more fields stay on the form', async () => {
    const fields = [{ name: 'wallet', type: 'text', props: { label: 'Wallet' } }];
    const answer = { depositId, isFieldsRequired: true, fields };
    const { pass } = await open('/base', { 'deposit-create-p2p': answer });
    await create();
    await pass(0);
    expect(screen.getByRole('textbox', { name: 'Wallet' })).toBeVisible();
  });

  test('an open deposit is continued, and the screen says so', async () => {
    const other = '00000000-0000-4000-8000-000000000001';
    const answer = p2pAnswer({ depositId: other, exists: true });
    const { address, pass } = await open('/base', { 'deposit-create-p2p': answer });
    await create();
    await pass(0);
    expect(address()).toBe(`/deposit/peer-to-peer/p2p_imps/invoice?depositId=${other}`);
    expect(screen.getByText('This is your unfinished deposit.')).toBeVisible();
  });
});

describe('[DEP-11] leaving while the deposit is being created', () => {
  const never = () => new Promise(() => undefined);

  test('cancels it under its own id and reports that the user left, once', async () => {
    const { services, pass } = await open('/base', { 'deposit-create-p2p': never });
    await create();
    await pass(0);
    const [creation] = services.requestsOf('deposit-create-p2p') as { depositId: string }[];
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await pass(0);
    expect(services.requestsOf('deposit-cancel')).toEqual([
      { depositId: creation?.depositId, paymentMethod: 'p2p_imps' },
    ]);
    expect(said(services).match(/session-left/g)).toHaveLength(1);
  });

  test('closing the widget counts as leaving', async () => {
    const { services, pass } = await open('/base', { 'deposit-create-p2p': never });
    await create();
    await pass(0);
    services.closeFromHost();
    await pass(0);
    expect(services.requestsOf('deposit-cancel')).toHaveLength(1);
    expect(said(services)).toContain('session-left');
  });

  test('a reload is not: the same deposit is sent again after it', async () => {
    const { services, pass } = await open('/base', { 'deposit-create-p2p': never });
    await create();
    await pass(0);
    window.dispatchEvent(new Event('pagehide'));
    await pass(0);
    expect(services.requestsOf('deposit-cancel')).toEqual([]);
  });

  test('leaving before or after the creation cancels nothing', async () => {
    const { services, pass } = await open('/base', { 'deposit-create-p2p': p2pAnswer() });
    await create();
    await pass(0);
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await pass(0);
    expect(services.requestsOf('deposit-cancel')).toEqual([]);
    expect(said(services)).not.toContain('session-left');
  });
});

// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { banks, nigeriaServices } from './nigerian-banks-fixture.ts';

const user = userEvent.setup();
const open = (path: string, more: object = {}) => openWidget(path, nigeriaServices(more));
const list = () => within(screen.getByRole('list', { name: 'Banks' })).getAllByRole('button');

// Fetched when they are needed, which on a busy machine is later than the next turn.
beforeAll(() => Promise.all([import('./bank-screen.tsx'), import('./account-screen.tsx')]));
beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
});
afterEach(cleanup);

describe('[WD-1] the bank first', () => {
  test('the list of methods opens the banks, which the server names', async () => {
    const { address, pass } = await open('/withdrawal');
    await user.click(screen.getByRole('button', { name: /Nigerian banks/ }));
    await pass(0);
    await screen.findByRole('list', { name: 'Banks' }, { timeout: 10_000 });
    expect(address()).toBe('/withdrawal/nigerian-banks/nigerian_banks');
    expect(list().map(({ textContent }) => textContent)).toEqual(banks.map(({ text }) => text));
  });

  test('[FORM-7] a search by any words narrows the list, says how many are left, and Enter takes the only one', async () => {
    const { address, pass } = await open('/withdrawal/nigerian-banks/nigerian_banks');
    const search = screen.getByRole('searchbox', { name: 'Search banks' });
    await user.type(search, 'bank');
    expect(within(screen.getByRole('main')).getByRole('status')).toHaveTextContent('6 banks found');
    await user.keyboard('{Enter}');
    expect(address()).toBe('/withdrawal/nigerian-banks/nigerian_banks');
    await user.clear(search);
    await user.type(search, 'trust  guar');
    expect(list()).toHaveLength(1);
    expect(within(screen.getByRole('main')).getByRole('status')).toHaveTextContent('1 bank found');
    await user.keyboard('{Enter}');
    await pass(0);
    expect(address()).toBe('/withdrawal/nigerian-banks/nigerian_banks/account?bank=058');
  });

  test('a search without a result says so, with the searched text', async () => {
    await open('/withdrawal/nigerian-banks/nigerian_banks');
    await user.type(screen.getByRole('searchbox'), 'Narnia');
    expect(within(screen.getByRole('main')).getByRole('status')).toHaveTextContent('No bank found for “Narnia”');
    expect(screen.queryByRole('list', { name: 'Banks' })).toBeNull();
  });

  test('[LIST-4] a method without banks continues with its own form', async () => {
    const { address } = await open('/withdrawal/nigerian-banks/card_withdrawal');
    expect(address()).toBe('/withdrawal/redirect/card_withdrawal');
  });
});

describe('[WD-1] then the account', () => {
  test('its number must belong to the bank; both are sent to the server', async () => {
    const { services, pass } = await open('/withdrawal/nigerian-banks/nigerian_banks/account?bank=011');
    expect(screen.getByText('First Bank of Nigeria')).toBeVisible();
    expect(screen.queryByRole('combobox')).toBeNull();
    await user.type(screen.getByRole('textbox', { name: 'Amount' }), '5000');
    const account = screen.getByRole('textbox', { name: 'Account number' });
    await user.type(account, '0000014570');
    expect(account).toHaveAccessibleDescription(/This account number does not match the chosen bank/);
    await user.type(account, '{Backspace}9');
    expect(account).not.toHaveAttribute('aria-invalid');
    await user.click(screen.getByRole('button', { name: /^Withdraw/ }));
    await pass(0);
    expect(services.requestsOf('withdrawal-create')[0]).toMatchObject({
      paymentMethod: 'nigerian_banks',
      amount: '5000',
      currency: 'NGN',
      fields: { bank: '011', accountNumber: '0000014579' },
    });
  });

  test('the bank can be changed, and what was typed stays', async () => {
    const { address, pass } = await open('/withdrawal/nigerian-banks/nigerian_banks/account?bank=011');
    await user.type(screen.getByRole('textbox', { name: 'Account number' }), '0000014579');
    await user.click(screen.getByRole('button', { name: 'Change bank, currently First Bank of Nigeria' }));
    await pass(0);
    expect(address()).toBe('/withdrawal/nigerian-banks/nigerian_banks?bank=011');
    expect(screen.getByRole('button', { name: 'First Bank of Nigeria', current: true })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Zenith Bank' }));
    await pass(0);
    expect(screen.getByText('Zenith Bank')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Account number' })).toHaveValue('0000014579');
  });

  test.each(['', '?bank=999', '?bank='])('[NAV-7] a bank that nobody has asks again: %o', async (query) => {
    const { address } = await open(`/withdrawal/nigerian-banks/nigerian_banks/account${query}`);
    expect(address()).toBe('/withdrawal/nigerian-banks/nigerian_banks');
    expect(list()).toHaveLength(banks.length);
  });
});

// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { openWidget } from '../../app/shell-fixture.tsx';
import { connectionLost } from '../payment-fixture.ts';
import type { Answers } from '../services-fixture.ts';
import { withdrawalId, withdrawalServices } from './withdrawal-fixture.ts';

const user = userEvent.setup();
const account = {
  accountId: '7d8f2f0e-2b0c-4b36-9d1a-0f3a2c1d4e5f',
  destination: [{ name: 'cardNumber', value: '•••• 4242' }],
};
const other = { ...account, accountId: 'other', destination: [{ name: 'cardNumber', value: '•••• 1111' }] };
const created = { withdrawalId, status: 0, fee: '0', receives: '1000' };

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
});

async function open(answers: Answers) {
  const services = withdrawalServices({ 'withdrawal-create': created, ...answers });
  const widget = await openWidget('/withdrawal/redirect/card_withdrawal', services);
  await widget.pass(0);
  return { ...widget, services };
}
const card = () => screen.queryByRole('textbox', { name: 'Card number' });
const press = () => user.click(screen.getByRole('button', { name: /^Withdraw ⁨/ }));

test('[WD-1] the account used last is chosen, masked; it is paid to by its id, and nothing is typed again', async () => {
  const { services, pass } = await open({ 'payout-accounts-get': { accounts: [account, other] } });
  const group = screen.getByRole('group', { name: 'Saved accounts' });
  expect(within(group).getAllByRole('radio')).toHaveLength(3);
  expect(screen.getByRole('radio', { name: '•••• 4242' })).toBeChecked();
  expect(card()).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  await press();
  await pass(0);
  expect(services.requestsOf('withdrawal-create')).toMatchObject([{ fields: {}, payoutAccountId: account.accountId }]);
});

test('[WD-1] another account is typed, and kept only where that is wanted', async () => {
  const { services, pass } = await open({ 'payout-accounts-get': { accounts: [account] } });
  await user.click(screen.getByRole('radio', { name: 'Another account' }));
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  await user.type(card() ?? document.body, '4242424242424242');
  await user.click(screen.getByRole('switch', { name: 'Save this account for next time' }));
  await press();
  await pass(0);
  const [request] = services.requestsOf('withdrawal-create');
  expect(request).toMatchObject({ fields: { cardNumber: '4242 4242 4242 4242' }, keepsAccount: true });
  expect(request).not.toHaveProperty('payoutAccountId');
});

test('[WD-1] nothing is kept unasked, and a list that cannot be had leaves the form as it was', async () => {
  const { services, pass } = await open({ 'payout-accounts-get': connectionLost });
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  await user.type(card() ?? document.body, '4242424242424242');
  await press();
  await pass(0);
  const [request] = services.requestsOf('withdrawal-create');
  expect(request).toMatchObject({ fields: { cardNumber: '4242 4242 4242 4242' } });
  expect(request).not.toHaveProperty('keepsAccount');
});

test('[WD-1] one is removed, and the next one is chosen', async () => {
  const { services, pass } = await open({ 'payout-accounts-get': { accounts: [account, other] } });
  services.answer('payout-account-remove', { accountId: account.accountId });
  services.answer('payout-accounts-get', { accounts: [other] });
  await user.click(screen.getByRole('button', { name: 'Remove: •••• 4242' }));
  await pass(0);
  expect(services.requestsOf('payout-account-remove')).toEqual([{ accountId: account.accountId }]);
  expect(screen.queryByRole('radio', { name: '•••• 4242' })).toBeNull();
  expect(screen.getByRole('radio', { name: '•••• 1111' })).toBeChecked();
});

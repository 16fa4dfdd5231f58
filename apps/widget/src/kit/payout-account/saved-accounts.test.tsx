// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { connectionLost } from '../payment/payment-fixture.ts';
import type { Answers } from '../session/services-fixture.ts';
import { bankCard, withdrawalCatalogue, withdrawalId, withdrawalServices } from '../withdrawal/withdrawal-fixture.ts';

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
/** Asks to remove an account, and answers the question that comes first. */
async function remove(name: string) {
  await user.click(screen.getByRole('button', { name: `Remove: ${name}` }));
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
}
const card = () => screen.queryByRole('textbox', { name: 'Card number' });
const press = () => user.click(screen.getByRole('button', { name: /^Withdraw ⁨/ }));

test('[WD-1] the masked account used last is chosen; the call sends its id, and nothing is typed again', async () => {
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

test('[WD-1] another account can be typed, and is saved only if the user wants it', async () => {
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

test('[WD-1] no account is saved without consent, and a list that fails to load leaves the form unchanged', async () => {
  const { services, pass } = await open({ 'payout-accounts-get': connectionLost });
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  await user.type(card() ?? document.body, '4242424242424242');
  await press();
  await pass(0);
  const [request] = services.requestsOf('withdrawal-create');
  expect(request).toMatchObject({ fields: { cardNumber: '4242 4242 4242 4242' } });
  expect(request).not.toHaveProperty('keepsAccount');
});

test('[WD-1] a question that names the account comes before its removal, and the account can be kept', async () => {
  const { services } = await open({ 'payout-accounts-get': { accounts: [account, other] } });
  await user.click(screen.getByRole('button', { name: 'Remove: •••• 1111' }));
  const question = await screen.findByRole('dialog', { name: 'Remove this account?' });
  expect(within(question).getByText('•••• 1111')).toBeVisible();
  await user.click(within(question).getByRole('button', { name: 'Keep account' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(services.requestsOf('payout-account-remove')).toEqual([]);
  expect(screen.getByRole('radio', { name: '•••• 1111' })).toBeVisible();
});

test('[NET-3] a removal while the device is offline says so beside the button, sends nothing and loses nothing', async () => {
  const { services, pass } = await open({ 'payout-accounts-get': { accounts: [account, other] } });
  services.answer('payout-account-remove', { accountId: other.accountId });
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await remove('•••• 1111');
  const words = 'No connection. Your request was not sent. Try again.';
  expect(within(screen.getByRole('dialog')).getByText(words)).toBeVisible();
  expect(services.requestsOf('payout-account-remove')).toEqual([]);
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.queryByText(words)).toBeNull();
  services.answer('payout-accounts-get', { accounts: [account] });
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  await pass(0);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('radio', { name: '•••• 1111' })).toBeNull();
  onLine.mockRestore();
});

test('[WD-1] an account that cannot be removed stays, with a message beside the button', async () => {
  const { pass } = await open({
    'payout-accounts-get': { accounts: [account] },
    'payout-account-remove': connectionLost,
  });
  await remove('•••• 4242');
  await pass(0);
  const question = screen.getByRole('dialog');
  expect(within(question).getByText('We could not remove the account. Try again.')).toBeVisible();
  await user.click(within(question).getByRole('button', { name: 'Keep account' }));
  expect(screen.getByRole('radio', { name: '•••• 4242' })).toBeChecked();
});

test('[WD-2] during the create no other account can be chosen', async () => {
  await open({
    'payout-accounts-get': { accounts: [account, other] },
    'withdrawal-create': () => new Promise(() => undefined),
  });
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  await press();
  for (const radio of screen.getAllByRole('radio')) expect(radio).toBeDisabled();
  expect(screen.getByRole('radio', { name: '•••• 4242' })).toBeChecked();
});

test('[WD-1] after a removal no other account is chosen by itself', async () => {
  const { services, pass } = await open({ 'payout-accounts-get': { accounts: [account, other] } });
  services.answer('payout-account-remove', { accountId: account.accountId });
  services.answer('payout-accounts-get', { accounts: [other] });
  await remove('•••• 4242');
  await pass(0);
  expect(screen.getByRole('radio', { name: 'Another account' })).toHaveFocus();
  expect(services.requestsOf('payout-account-remove')).toEqual([{ accountId: account.accountId }]);
  expect(screen.queryByRole('radio', { name: '•••• 4242' })).toBeNull();
  expect(screen.getByRole('radio', { name: 'Another account' })).toBeChecked();
  expect(card()).not.toBeNull();
});

test('[WD-1] the chosen account stays chosen when another account is removed', async () => {
  const { services, pass } = await open({ 'payout-accounts-get': { accounts: [account, other] } });
  services.answer('payout-account-remove', { accountId: other.accountId });
  services.answer('payout-accounts-get', { accounts: [account] });
  await remove('•••• 1111');
  await pass(0);
  expect(screen.queryByRole('radio', { name: '•••• 1111' })).toBeNull();
  expect(screen.getByRole('radio', { name: '•••• 4242' })).toBeChecked();
});

const later = { ...account, accountId: 'later', destination: [{ name: 'cardNumber', value: '•••• 9999' }] };

test.each([
  ['is gone', [later, other], 'Another account'],
  ['is no longer the first', [later, account], '•••• 4242'],
])(
  '[WD-1] a later answer in which the chosen account %s moves no money to another one',
  async (_what, accounts, name) => {
    const { services, pass } = await open({ 'payout-accounts-get': { accounts: [account, other] } });
    services.answer('payout-accounts-get', { accounts });
    await services.queries.invalidateQueries({ queryKey: ['payout-accounts'] });
    await pass(0);
    expect(screen.getByRole('radio', { name: '•••• 9999' })).not.toBeChecked();
    expect(screen.getByRole('radio', { name })).toBeChecked();
  },
);

/** A server that is slow to say which accounts there are. */
function slowAccounts() {
  let arrive = (): void => undefined;
  const promise = new Promise<unknown>((resolve) => {
    arrive = () => resolve({ accounts: [account] });
  });
  return { answer: () => promise, arrive };
}

test('[WD-1] a user who types before the accounts load keeps typing, and the typed account is paid', async () => {
  const slow = slowAccounts();
  const { services, pass } = await open({ 'payout-accounts-get': slow.answer });
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  const field = card();
  await user.type(field ?? document.body, '42424242');
  slow.arrive();
  await pass(0);
  expect(await screen.findByRole('radio', { name: 'Another account' })).toBeChecked();
  expect(card()).toBe(field);
  expect(field).toHaveFocus();
  await user.type(field ?? document.body, '42424242');
  await press();
  await pass(0);
  const [request] = services.requestsOf('withdrawal-create');
  expect(request).toMatchObject({ fields: { cardNumber: '4242 4242 4242 4242' } });
  expect(request).not.toHaveProperty('payoutAccountId');
});

test('[WD-1] the switch beside the fields also chooses the typed account', async () => {
  const slow = slowAccounts();
  const { pass } = await open({ 'payout-accounts-get': slow.answer });
  await user.click(screen.getByRole('switch', { name: 'Save this account for next time' }));
  slow.arrive();
  await pass(0);
  expect(await screen.findByRole('radio', { name: 'Another account' })).toBeChecked();
  await user.click(screen.getByRole('radio', { name: '•••• 4242' }));
  expect(card()).toBeNull();
});

test('[WD-1] a user who entered no field gets the account used last when it loads', async () => {
  const slow = slowAccounts();
  const { pass } = await open({ 'payout-accounts-get': slow.answer });
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  slow.arrive();
  await pass(0);
  expect(await screen.findByRole('radio', { name: '•••• 4242' })).toBeChecked();
});

test('[WD-1] back from the confirm screen the same account is chosen', async () => {
  const { address, pass } = await open({ 'payout-accounts-get': { accounts: [account, other] } });
  await user.click(screen.getByRole('radio', { name: 'Another account' }));
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  await user.type(card() ?? document.body, '4242424242424242');
  await press();
  await pass(0);
  expect(address()).toMatch(/^\/withdrawal\/confirm/);
  const isBack = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
  history.back();
  await isBack;
  await pass(0);
  await pass(0);
  expect(screen.getByRole('radio', { name: 'Another account' })).toBeChecked();
  expect(card()).toHaveValue('4242 4242 4242 4242');
});

test('[WD-2] a method that pays to cards which paid offers them alone, and the card limits the amount before it is typed', async () => {
  const cards = [
    { ...account, destination: [{ name: 'cardNumber', value: 'Visa •••• 4242' }], max: '1500.00' },
    { ...other, destination: [{ name: 'cardNumber', value: 'Visa •••• 1111' }], max: '900.00' },
  ];
  const services = withdrawalServices({ 'withdrawal-create': created, 'payout-accounts-get': { accounts: cards } });
  const list = { ...withdrawalCatalogue, methods: [{ ...bankCard, fees: {}, flags: { paysToPaidCards: true } }] };
  services.answer('methods-withdrawal-v4', list);
  services.answer('methods-withdrawal', list);
  const { pass } = await openWidget('/withdrawal/redirect/card_withdrawal', services);
  await pass(0);
  const group = screen.getByRole('group', { name: 'Card number' });
  expect(within(group).getAllByRole('radio')).toHaveLength(2);
  // Nobody has to choose a card to read what it can get.
  const card4242 = screen.getByRole('radio', { name: /^Visa •••• 4242 ?Up to .*1,500/ });
  const card1111 = screen.getByRole('radio', { name: /^Visa •••• 1111 ?Up to .*900/ });
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  expect(screen.queryByRole('switch')).toBeNull();
  expect(card()).toBeNull();
  expect(screen.getByText(/^From .*1,500/)).toBeVisible();
  await user.click(card1111);
  expect(screen.getByText(/^From .*\b900\b/)).toBeVisible();
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await pass(0);
  expect(services.requestsOf('withdrawal-create')).toEqual([]);
  expect(services.requestsOf('payout-accounts-get')).toMatchObject([{ currency: 'INR' }]);
  await user.click(card4242);
  await press();
  await pass(0);
  expect(services.requestsOf('withdrawal-create')).toMatchObject([{ fields: {}, payoutAccountId: account.accountId }]);
});

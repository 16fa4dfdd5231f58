// @vitest-environment jsdom
import { cardViewTypes, type FormField, type MethodList } from '@opencashier/contract/api';
import { act, cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { flowOfCard } from '../../flows/registry.ts';
import { indiaCatalogue, sharedTileCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { createFixtureServices, createSession } from '../../kit/session/services-fixture.ts';

const user = userEvent.setup();
const open = (list: unknown, path = '/deposit') => {
  const services = createFixtureServices({ 'methods-payment-v5': list, 'methods-withdrawal': list });
  return openWidget(path, services);
};

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
});

test('[LIST-1] the list asks for the methods of the region and shows a skeleton until they come', async () => {
  const { services } = await openWidget('/deposit');
  expect(services.requestsOf('methods-payment-v5')).toEqual([
    { country: 'IN', currency: 'INR', abTestGroup: 'group_a' },
  ]);
  expect(screen.getByText('Loading payment methods')).toHaveAttribute('role', 'status');
});

test('[LIST-1] [NAV-6] no method leads to the empty page, from where another region can be chosen', async () => {
  const empty: MethodList = { ...indiaCatalogue, groups: [], methods: [] };
  const { address, pass } = await open(empty);
  expect(address()).toBe('/empty');
  expect(screen.getByText('There are no payment methods available for this region')).toBeVisible();
  expect(screen.getByText('Choose another region, or try again later')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Choose another region' }));
  await pass(0);
  expect(address()).toBe('/empty/region');
});

test.each(['/deposit', '/withdrawal'])(
  '[LIST-1] [NAV-5] a failed fetch at %s leads to the error page',
  async (path) => {
    const failure = new ClientError({
      kind: 'refused',
      code: 'internal',
      status: 500,
      message: 'Connection lost',
    });
    const { address, services, pass } = await open(() => Promise.reject(failure), path);
    expect(address()).toBe(`/error?backRoute=${encodeURIComponent(path)}`);
    // The words of a server and the names of calls are for logs.
    expect(screen.getByText(/^We cannot process payments right now/)).toBeVisible();
    expect(document.body).not.toHaveTextContent('Connection lost');
    services.answer('methods-payment-v5', indiaCatalogue);
    services.answer('methods-withdrawal', indiaCatalogue);
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    for (let turn = 0; turn < 5; turn += 1) await pass(0);
    expect(address()).toBe(path);
    expect(screen.getByRole('button', { name: 'UPI apps' })).toBeVisible();
  },
);

test('[LIST-2] groups and methods with badges, banner, limits, and at most three marks in a group', async () => {
  const [first, ...rest] = indiaCatalogue.methods;
  if (!first) throw new Error('empty fixture');
  await open({
    ...indiaCatalogue,
    groups: indiaCatalogue.groups.map((group) =>
      group.name === 'crypto' ? { ...group, paymentMethods: ['btc', 'eth', 'usdt', 'cash_point'] } : group,
    ),
    methods: [
      { ...first, banner: { bannerTextKey: 'list.more' } },
      ...rest.map((method) => (method.name === 'bank_card' ? { ...method, badgeType: 2, isPopular: true } : method)),
    ],
  });
  const upi = screen.getByRole('button', { name: 'UPI apps' });
  expect(upi).toHaveTextContent('Popular');
  expect(upi).toHaveAccessibleDescription(/^from ⁨₹300⁩\s*More methods$/);
  expect(screen.getByRole('button', { name: 'PhonePe' })).toHaveTextContent('Exclusive');
  expect(screen.getByRole('button', { name: 'Bank card' })).toHaveTextContent('Brand');
  expect(screen.getByRole('button', { name: 'Net banking' })).not.toHaveTextContent(/Popular|Brand|Exclusive/);
  const crypto = screen.getByRole('button', { name: 'Crypto' });
  expect(crypto).toHaveTextContent('4 methods');
  expect(crypto.querySelectorAll('[class*="mark"][data-size]')).toHaveLength(3);
  expect(screen.getByText('₹1,250.00')).toBeVisible();
});

test('[LIST-2] methods of one tile are one tile, with the lowest minimum, its badge, and one mark', async () => {
  await open(sharedTileCatalogue);
  const main = within(screen.getByRole('main'));
  const upi = main.getByRole('button', { name: 'UPI' });
  expect(upi).toHaveAccessibleDescription('from ⁨₹200⁩');
  expect(upi).toHaveTextContent('Popular');
  expect(upi.querySelectorAll('[class*="mark"][data-size]')).toHaveLength(1);
  for (const name of ['UPI apps', 'PhonePe', 'UPI by QR code']) expect(main.queryByRole('button', { name })).toBeNull();
});

test.each([
  ['a phone', false, '/deposit/india/upi'],
  ['a desktop', true, '/deposit/redirect/upi_code'],
])('[LIST-4] [DEP-10] on %s a shared tile opens the way that fits it', async (_device, isDesktop, path) => {
  vi.stubGlobal('matchMedia', () => ({ matches: isDesktop, addEventListener() {}, removeEventListener() {} }));
  const { address, pass } = await open(sharedTileCatalogue);
  await user.click(screen.getByRole('button', { name: 'UPI' }));
  await pass(0);
  expect(address()).toBe(path);
  vi.unstubAllGlobals();
});

test('[LIST-6] a search for a method behind a shared tile finds the method, and one for several finds the tile', async () => {
  const more = Array.from({ length: 9 }, (_, index) => ({ ...indiaCatalogue.methods[0], name: `other_${index}` }));
  await open({ ...sharedTileCatalogue, methods: [...sharedTileCatalogue.methods, ...more] });
  const main = within(screen.getByRole('main'));
  await user.type(screen.getByRole('searchbox'), 'phonepe');
  expect(main.getByRole('button', { name: 'PhonePe' })).toBeVisible();
  expect(main.queryByRole('button', { name: 'UPI' })).toBeNull();
  await user.clear(screen.getByRole('searchbox'));
  await user.type(screen.getByRole('searchbox'), 'upi');
  expect(main.getByRole('button', { name: 'UPI' })).toBeVisible();
  expect(main.queryByRole('button', { name: 'PhonePe' })).toBeNull();
});

test('[LIST-2] groups are sorted by position', async () => {
  const groups = indiaCatalogue.groups.map((group) => ({
    ...group,
    position: -group.position,
    display: 'list' as const,
  }));
  await open({ ...indiaCatalogue, groups });
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Cash',
    'Crypto',
    'Instant',
  ]);
});

test('[LIST-2] methods of a group keep the operator’s order, methods without a group are sorted by position', async () => {
  const [first] = indiaCatalogue.methods;
  const named = (name: string, position: number) => ({ ...first, name, text: { en: name }, position });
  await open({
    ...indiaCatalogue,
    groups: [
      { name: 'wallets', label: { en: 'Wallets' }, position: 1, display: 'list', paymentMethods: ['Beta', 'Alpha'] },
    ],
    methods: [named('Delta', 9), named('Alpha', 1), named('Gamma', 3), named('Beta', 2)],
  });
  const tiles = screen.getAllByRole('button', { name: /^(Alpha|Beta|Gamma|Delta)$/ });
  const wanted = ['Beta', 'Alpha', 'Gamma', 'Delta'];
  expect(tiles).toEqual(wanted.map((name) => screen.getByRole('button', { name })));
});

test('a disabled method says why and opens nothing', async () => {
  const { address } = await open(indiaCatalogue);
  const tile = screen.getByRole('button', { name: 'Net banking' });
  expect(tile).toHaveAttribute('aria-disabled', 'true');
  expect(tile).toHaveAccessibleDescription('Not available right now');
  await user.click(tile);
  expect(address()).toBe('/deposit');
});

/** The flow of each view type and its first page. Where the flow's own page follows its create, the first one asks the amount. */
const pageOf: Readonly<Record<keyof typeof cardViewTypes, readonly [flow: string, page: string]>> = {
  default: ['redirect', 'redirect'],
  card: ['redirect', 'redirect'],
  cardWalletOnly: ['redirect', 'redirect'],
  india: ['india', 'india'],
  cardMultipleType: ['redirect', 'redirect'],
  p2p: ['peer-to-peer', 'peer-to-peer'],
  pix: ['pix', 'redirect'],
  eazype: ['eazype', 'redirect'],
  virtual: ['redirect', 'redirect'],
  bankTransfer: ['bank-transfer', 'redirect'],
  onramp: ['onramp', 'onramp'],
  cash: ['cash', 'cash'],
};
const viewTypes = Object.keys(cardViewTypes) as (keyof typeof cardViewTypes)[];

test.each([
  ...viewTypes.map((name) => [name, cardViewTypes[name], ...pageOf[name]] as const),
  ['unknown', 99, 'redirect', 'redirect'] as const,
])('[LIST-4] a card of the view type %s (%i) opens the flow %s at the page %s', async (_name, code, flow, page) => {
  expect(flowOfCard(code).name).toBe(flow);
  // Without a bank the peer-to-peer page leads on to the amount, as soon as its file is loaded.
  const fields: FormField[] = [{ name: 'bank', type: 'dropdown', values: [{ value: 'sbi', text: 'SBI' }] }];
  const methods = indiaCatalogue.methods.map((method) =>
    method.name === 'bank_card' ? { ...method, cardViewType: code, fields } : method,
  );
  const { address, pass } = await open({ ...indiaCatalogue, methods });
  await user.click(screen.getByRole('button', { name: 'Bank card' }));
  await pass(0);
  expect(address()).toBe(`/deposit/${page}/bank_card`);
});

test('[LIST-4] a group’s tile opens its own list, whose cards stay below the group', async () => {
  const { address, pass } = await open(indiaCatalogue);
  await user.click(screen.getByRole('button', { name: 'Cash' }));
  await pass(0);
  expect(address()).toBe('/deposit/group/cash_methods');
  await user.click(await screen.findByRole('button', { name: 'Cash point' }));
  await pass(0);
  expect(address()).toBe('/deposit/group/cash_methods/redirect/cash_point');
});

test('[LIST-4] a category without a view type of its own opens its flow, whose list its group’s tile opens', async () => {
  const { address, pass } = await open(indiaCatalogue);
  await user.click(screen.getByRole('button', { name: 'Crypto' }));
  await pass(0);
  expect(address()).toBe('/deposit/crypto');
  await user.click(await screen.findByRole('button', { name: 'Bitcoin' }));
  await pass(0);
  expect(address()).toContain('/deposit/crypto/btc');
});

test('[LIST-6] the last deposit comes first; one tap opens its form filled in and creates nothing', async () => {
  const lastDeposit = { paymentMethod: 'phonepe', currency: 'INR', amount: '500.00' };
  const { address, services, pass } = await open({ ...indiaCatalogue, lastDeposit });
  const main = within(screen.getByRole('main'));
  const again = main.getByRole('button', { name: 'Deposit ⁨₹500⁩ again' });
  expect(again).toHaveAccessibleDescription('PhonePe');
  expect(again.compareDocumentPosition(main.getByRole('button', { name: 'UPI apps' }))).toBe(4);
  await user.click(again);
  await pass(0);
  expect(address()).toBe('/deposit/redirect/phonepe');
  expect(await screen.findByRole('textbox', { name: 'Amount' })).toHaveValue('500.00');
  expect(services.requestsOf('deposit-create')).toEqual([]);
});

test('[LIST-6] [AMT-3] an amount that is no longer taken is left out, and so is a method that is no longer offered', async () => {
  const { address, pass } = await open({
    ...indiaCatalogue,
    lastDeposit: { paymentMethod: 'phonepe', currency: 'INR', amount: '299.00' },
  });
  await user.click(screen.getByRole('button', { name: 'Deposit again' }));
  await pass(0);
  expect(address()).toBe('/deposit/redirect/phonepe');
  expect(await screen.findByRole('textbox', { name: 'Amount' })).toHaveValue('');
  cleanup();
  await open({ ...indiaCatalogue, lastDeposit: { paymentMethod: 'gone', currency: 'INR', amount: '500.00' } });
  expect(screen.queryByRole('button', { name: /again/ })).toBeNull();
});

test('[LIST-6] an unfinished deposit is not offered again, and withdrawals offer no repeat', async () => {
  localStorage.setItem('cashier.last-method', 'phonepe');
  await open(indiaCatalogue);
  expect(screen.queryByRole('button', { name: /again/ })).toBeNull();
  cleanup();
  const lastDeposit = { paymentMethod: 'phonepe', currency: 'INR', amount: '500.00' };
  await open({ ...indiaCatalogue, lastDeposit }, '/withdrawal');
  expect(await screen.findByRole('button', { name: 'PhonePe' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /again/ })).toBeNull();
});

test('[LIST-6] with more than twelve methods there is a search', async () => {
  const more = Array.from({ length: 9 }, (_, index) => ({ ...indiaCatalogue.methods[0], name: `upi_${index}` }));
  await open({ ...indiaCatalogue, methods: [...indiaCatalogue.methods, ...more] });
  await user.type(screen.getByRole('searchbox', { name: 'Search payment methods' }), 'bitc');
  const main = within(screen.getByRole('main'));
  expect(main.getByRole('button', { name: 'Bitcoin' })).toBeVisible();
  expect(main.queryByRole('button', { name: 'UPI apps' })).toBeNull();
  // A group that is shown as one tile is found by its own name.
  await user.clear(screen.getByRole('searchbox'));
  await user.type(screen.getByRole('searchbox'), 'crypto');
  expect(main.getByRole('button', { name: /^Crypto/ })).toBeVisible();
});

test('[LIST-1] a push about money brings the balance above the list up to date', async () => {
  const listed = (amount: string) => ({ ...indiaCatalogue, balance: { amount, currency: 'INR' } });
  const { services, pass } = await open(listed('10.00'));
  services.answer('methods-payment-v5', listed('25.00'));
  act(() => services.push('deposit.status', { depositId: 'd-1' } as never));
  for (let turn = 0; turn < 3; turn += 1) await pass(0);
  expect(screen.getByText(/25\.00/)).toBeVisible();
});

test.each([
  ['group_b', true, true],
  ['group_a', true, false],
  ['group_b', false, false],
])('[LIST-5] the bonus on crypto in %s with the host’s leave %s', async (group, isCryptoBonusAvailable, isShown) => {
  const session = createSession(
    {},
    { experiments: [{ key: 'analytics-21868', group }], schema: { meta: { isCryptoBonusAvailable }, assets: {} } },
  );
  await openWidget('/deposit', createFixtureServices({ 'methods-payment-v5': indiaCatalogue }, { session }));
  const crypto = screen.getByRole('button', { name: 'Crypto' });
  if (isShown) expect(crypto).toHaveTextContent('5%');
  else expect(crypto).not.toHaveTextContent('5%');
  expect(screen.getByRole('button', { name: 'Cash' })).not.toHaveTextContent('5%');
});

test('[HOST-2] the host’s method opens once with the host’s amount, and its list is still there to come back to', async () => {
  const session = createSession({
    start: { method: 'bank_card', amount: '750', currency: 'INR', direction: 'deposit' },
  });
  const services = createFixtureServices({ 'methods-payment-v5': indiaCatalogue }, { session });
  const { address, pass } = await openWidget('/deposit', services);
  await pass(0);
  expect(address()).toBe('/deposit/redirect/bank_card');
  expect(await screen.findByRole('textbox', { name: /Amount/ })).toHaveValue('750.00');
  history.back();
  await pass(0);
  expect(await screen.findByRole('button', { name: 'Bank card' })).toBeVisible();
  expect(address()).toBe('/deposit');
});

test('[HOST-2] a method of the host that is not offered leaves the list, and the host is told', async () => {
  const session = createSession({
    start: { method: 'nowhere', amount: '750', currency: 'USD', direction: 'deposit' },
  });
  const services = createFixtureServices({ 'methods-payment-v5': indiaCatalogue }, { session });
  const { address } = await openWidget('/deposit', services);
  expect(address()).toBe('/deposit');
  expect(services.posted).toContainEqual({
    messageType: 'error',
    payload: {
      code: 'not-chosen',
      message: 'The method nowhere that the host begins with is not offered here; the list is shown.',
    },
  });
  // The amount is of the host's currency; in another it would be another amount.
  await user.click(screen.getByRole('button', { name: 'Bank card' }));
  expect(await screen.findByRole('textbox', { name: /Amount/ })).not.toHaveValue('750.00');
});

test.each([
  ['of another currency', { currency: 'USD', direction: 'deposit' }],
  ['whose currency nobody has named', { currency: undefined, direction: 'deposit' }],
  ['of a withdrawal', { currency: 'INR', direction: 'withdrawal' }],
] as const)('[HOST-2] an amount %s does not stand in the deposit form', async (_, of) => {
  const session = createSession({ start: { method: 'bank_card', amount: '750', ...of } });
  const services = createFixtureServices({ 'methods-payment-v5': indiaCatalogue }, { session });
  await openWidget('/deposit/redirect/bank_card', services);
  expect(await screen.findByRole('textbox', { name: /Amount/ })).not.toHaveValue('750.00');
});

test('[HOST-2] a method of a withdrawal opens no deposit form', async () => {
  const session = createSession({ start: { method: 'bank_card', currency: 'INR', direction: 'withdrawal' } });
  const services = createFixtureServices({ 'methods-payment-v5': indiaCatalogue }, { session });
  const { address, pass } = await openWidget('/deposit', services);
  await pass(0);
  expect(address()).toBe('/deposit');
  expect(services.posted).toEqual([]);
});

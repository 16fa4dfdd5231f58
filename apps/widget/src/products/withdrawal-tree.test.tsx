// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWidget } from '../app/shell/shell-fixture.tsx';
import { nigeria } from '../flows/nigerian-banks/nigerian-banks-fixture.ts';
import { withdrawalFlowOf, withdrawalFlows } from '../flows/withdrawals.ts';
import { regionsFixture } from '../kit/method/catalogue-fixture.ts';
import { createFixtureServices, createSession } from '../kit/session/services-fixture.ts';

const user = userEvent.setup();
const trees = [
  { tree: '/withdrawal', view: 'main' },
  { tree: '/cryptobalance/withdrawal', view: 'cryptobalance' },
] as const;
const servicesFor = (view: 'main' | 'cryptobalance', more: object = {}) =>
  createFixtureServices(
    { 'methods-withdrawal': nigeria, 'methods-country-selector-v2': regionsFixture, ...more },
    { session: createSession({ country: 'NG', currency: 'NGN' }, { widgetViewType: view }) },
  );
const nothing = { ...nigeria, groups: [], methods: [] };

beforeEach(() => {
  window.scrollTo = () => undefined;
});
afterEach(cleanup);

describe('withdrawals', () => {
  const tree = '/withdrawal';
  const view = 'main';

  test('[LIST-1] none leads to the empty page, which the host hears of, and back to the list of withdrawals', async () => {
    const services = servicesFor(view, { 'methods-withdrawal': nothing });
    const { address, pass } = await openWidget(tree, services);
    expect(address()).toBe('/empty');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Withdrawal method');
    expect(services.posted).toContainEqual({
      messageType: 'error',
      payload: { code: 'nothing-offered', message: 'Empty withdrawal methods' },
    });
    services.answer('methods-withdrawal', nigeria);
    await user.click(screen.getByRole('button', { name: 'Choose another region' }));
    await pass(0);
    expect(address()).toBe('/empty/region');
    await user.click(await screen.findByRole('button', { name: 'Brazil' }));
    await pass(0);
    expect(address()).toBe(tree);
    expect(services.requestsOf('methods-withdrawal').at(-1)).toMatchObject({ country: 'BR' });
  });

  test('[LIST-1] [WD-1] a site that pays nothing out here says so, and offers no other region', async () => {
    const services = servicesFor(view, { 'methods-withdrawal': { ...nothing, isOffered: false } });
    const { address } = await openWidget(tree, services);
    expect(address()).toBe('/empty');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Withdrawal method');
    expect(screen.getByText('Withdrawals are not offered here')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Choose another region' })).toBeNull();
    expect(screen.queryByText(/region/)).toBeNull();
  });

  test('[LIST-1] a failed fetch leads to the error page, whose button asks again', async () => {
    const services = servicesFor(view, { 'methods-withdrawal': () => Promise.reject(new Error('No line')) });
    const { address, pass } = await openWidget(tree, services);
    await pass(60_000);
    expect(address()).toBe(`/error?backRoute=${encodeURIComponent(tree)}`);
  });

  test('[LIST-3] the region is chosen in a sheet over the list', async () => {
    const services = servicesFor(view);
    const { address, pass } = await openWidget(`${tree}/region`, services);
    await user.click(await screen.findByRole('button', { name: 'Mexico' }));
    await pass(0);
    expect(address()).toBe(tree);
    expect(services.requestsOf('methods-withdrawal').at(-1)).toMatchObject({ country: 'MX', currency: 'MXN' });
  });

  test('[WD-1] a group opens its list, and a method in it keeps the group in its address', async () => {
    const { address, pass } = await openWidget(tree, servicesFor(view));
    await user.click(screen.getByRole('button', { name: /^Crypto/ }));
    await pass(0);
    expect(address()).toBe(`${tree}/group/crypto`);
    await user.click(await screen.findByRole('button', { name: /^Bitcoin/ }));
    await pass(0);
    expect(address()).toBe(`${tree}/group/crypto/redirect/btc_withdrawal`);
  });

  test('[LIST-4] the data of a method chooses between its flow and the form', async () => {
    const { address, pass } = await openWidget(tree, servicesFor(view));
    await user.click(screen.getByRole('button', { name: /^Bank card/ }));
    await pass(0);
    expect(address()).toBe(`${tree}/redirect/card_withdrawal`);
  });

  test('[DEP-13] a method’s video stands below withdrawals, and leads to its steps', async () => {
    const { address, pass } = await openWidget(`${tree}/redirect/card_withdrawal`, servicesFor(view));
    await user.click(await screen.findByRole('link', { name: /guide/i }));
    await pass(0);
    expect(address()).toBe(`${tree}/video-instruction?method=card_withdrawal`);
    await user.click(await screen.findByRole('button', { name: 'Read the steps' }));
    await pass(0);
    expect(address()).toBe(`${tree}/redirect/card_withdrawal/instruction`);
  });

  test('[WD-1] the steps of a withdrawal can be read before it, and lead back', async () => {
    const { address, pass } = await openWidget(`${tree}/redirect/btc_withdrawal`, servicesFor(view));
    await user.click(await screen.findByRole('button', { name: 'How withdrawals work' }));
    await pass(0);
    expect(address()).toBe(`${tree}/redirect/btc_withdrawal/instruction`);
    const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(steps).toHaveLength(4);
    expect(steps[0]).toMatch(/from .*2,000.* to .*5,000,000|from .*2,000.* to .*50,00,000/);
    expect(screen.getByText(/an address on another network are lost/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Back to withdrawal' }));
    await pass(20);
    expect(address()).toBe(`${tree}/redirect/btc_withdrawal`);
  });
});

describe.each(trees)('guards below $tree', ({ tree, view }) => {
  test.each([
    'redirect',
    'redirect/unheard_of',
    'redirect/unheard_of/instruction',
    'nigerian-banks',
    'nigerian-banks/unheard_of',
    'nigerian-banks/unheard_of/account?bank=058',
    'group/unheard_of',
    'group/crypto/redirect',
    'group/crypto/redirect/unheard_of',
  ])('[NAV-3] nobody enters %s without a choice', async (path) => {
    const services = servicesFor(view, { 'methods-payment-v5': { ...nothing, methods: [] } });
    const { address } = await openWidget(`${tree}/${path}`, services);
    expect(address().startsWith(tree)).toBe(false);
    expect(services.posted).toContainEqual({
      messageType: 'error',
      payload: { code: 'not-chosen', message: 'No payment-method' },
    });
  });
});

test('[LIST-4] a flow is found by view type before category, and a method of neither has none', () => {
  const [flow] = withdrawalFlows;
  if (flow === undefined) throw new Error('There is no flow of withdrawals.');
  const other = { ...flow, name: 'other', cardViewTypes: [9] };
  expect(withdrawalFlowOf({ cardViewType: 0, category: 'nigerian_banks' })).toBe(flow);
  expect(withdrawalFlowOf({ cardViewType: 9, category: 'nigerian_banks' }, [flow, other])).toBe(other);
  expect(withdrawalFlowOf({ cardViewType: 0, category: 'fiat' })).toBeUndefined();
});

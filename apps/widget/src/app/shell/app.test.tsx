// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { beforeEach, expect, test, vi } from 'vitest';
import { methodsQueryKey } from '../../api/fetch-methods.ts';
import { indiaCatalogue, regionsFixture } from '../../kit/method/catalogue-fixture.ts';
import { createFixtureServices, createSession } from '../../kit/session/services-fixture.ts';
import { mainProduct } from '../../products/main.ts';
import { App } from './app.tsx';
import { openWidget } from './shell-fixture.tsx';
import { createPage } from './shell-services.ts';

const answers = { 'methods-payment-v5': indiaCatalogue, 'methods-country-selector-v2': regionsFixture };
const user = userEvent.setup();
const open = (path: string, more: Parameters<typeof createSession>[1] = {}) =>
  openWidget(path, createFixtureServices(answers, { session: createSession({}, more) }));

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
});

test('[NAV-2] the product’s own address and an unknown one end at the deposit list', async () => {
  expect((await open('/')).address()).toBe('/deposit');
  expect(screen.getAllByRole('heading', { name: 'Deposit method' })[0]).toBeVisible();
  expect((await open('/no/such/place')).address()).toBe('/deposit');
});

test('[NAV-3] a method that does not exist leads to the list', async () => {
  const { address } = await open('/deposit/redirect/unheard_of');
  expect(address()).toBe('/deposit');
});

test('[NAV-3] an address that leads to an address leads on once, while the code of the last one is loaded', async () => {
  const session = createSession({}, { widgetViewType: 'cryptobalance' });
  const replace = history.replaceState.bind(history);
  const moves = vi.spyOn(history, 'replaceState').mockImplementation((...to) => {
    if (moves.mock.calls.length > 20) throw new Error('The addresses lead to each other for ever.');
    replace(...to);
  });
  const path = '/cryptobalance/deposit/fiat/redirect/unheard_of';
  const { address } = await openWidget(path, createFixtureServices({ ...answers, 'balance-get-v2': [] }, { session }));
  expect(address()).toBe('/cryptobalance/deposit/fiat');
  // To the home of the product, and from there to its list.
  expect(moves.mock.calls.filter(([, , to]) => String(to).startsWith('/cashier/cryptobalance')).length).toBeLessThan(5);
});

test('[NAV-3] the start of each page is recorded with its time', async () => {
  const { services, pass } = await open('/deposit');
  const startedAt = services.clock.now();
  expect(services.metrics).toContainEqual(['route-start-loading', startedAt]);
  await pass(700);
  await user.click(screen.getByRole('button', { name: 'UPI apps' }));
  await pass(0);
  expect(services.metrics.filter(([key]) => key === 'route-start-loading')).toEqual([
    ['route-start-loading', startedAt],
    ['route-start-loading', startedAt + 700],
  ]);
});

test('[NAV-4] the list shows its title; a method’s page shows Back, which leads to the previous entry', async () => {
  const { address, pass } = await open('/deposit');
  expect(screen.getByRole('heading', { level: 1, name: 'Deposit method' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'UPI apps' }));
  await pass(0);
  expect(address()).toBe('/deposit/redirect/upi');
  // Kept for screen readers, and where the focus goes when the page changes.
  const heading = screen.getByRole('heading', { level: 1, name: 'Deposit' });
  expect(heading).toHaveFocus();
  expect(heading.className).toContain('hiddenTitle');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await waitFor(() => expect(address()).toBe('/deposit'));
});

test('[NAV-4] Back leads to the named page where no entry of ours lies before', async () => {
  const { address, pass } = await open('/deposit/redirect/upi');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await pass(0);
  expect(address()).toBe('/deposit');
});

test('[HOST-14] the close button follows the host’s word, is hidden on /form, and posts close', async () => {
  const { services } = await open('/deposit');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(services.posted).toContainEqual({ messageType: 'close', payload: {} });
});

test('[HOST-14] no close button on /form, nor where the host says so', async () => {
  await open('/form');
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
});

test('[HOST-14] no close button where the host says so', async () => {
  await open('/deposit', { closingButton: false });
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
});

test('[LIST-3] choosing a region asks for its methods', async () => {
  const { services, address, pass } = await open('/deposit');
  await user.click(screen.getByRole('button', { name: 'Region: India' }));
  await pass(0);
  expect(address()).toBe('/deposit/region');
  await user.click(await screen.findByRole('button', { name: 'Germany' }));
  await pass(0);
  expect(address()).toBe('/deposit');
  expect(services.requestsOf('methods-payment-v5').at(-1)).toMatchObject({ country: 'DE', currency: 'EUR' });
});

test('a screen that breaks leaves the error screen and a word to the host, never a blank', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const broken = { ...indiaCatalogue, methods: [{ ...indiaCatalogue.methods[0], iconIds: null }] };
  const services = createFixtureServices({ 'methods-payment-v5': broken });
  await openWidget('/deposit', services);
  expect(screen.getByRole('heading', { name: 'Error occurred' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Refresh' })).toBeVisible();
  expect(services.posted).toContainEqual({
    messageType: 'error',
    payload: { code: 'unexpected', message: 'TypeError' },
  });
});

test('the query that names the partner stays in the address on every page', async () => {
  const { address, pass } = await open('/deposit?partner=demo&theme=dark');
  await user.click(screen.getByRole('button', { name: 'UPI apps' }));
  await pass(0);
  expect(address()).toBe('/deposit/redirect/upi?partner=demo&theme=dark');
});

test('the first screen renders without a browser, first its shape and with the catalogue its methods', () => {
  const services = createFixtureServices(answers);
  const shape = renderToString(<App page={createPage(services)} path="/deposit" product={mainProduct} />);
  expect(shape).toContain('Loading payment methods');
  services.queries.setQueryData(methodsQueryKey('deposit', services.session.getState()), indiaCatalogue);
  const list = renderToString(<App page={createPage(services)} path="/deposit" product={mainProduct} />);
  expect(list).toContain('UPI apps');
  expect(list).toContain('from ⁨₹300⁩');
});

test('[DEP-9] what a screen must finish runs before the host is told to close', async () => {
  const services = createFixtureServices(answers);
  const page = createPage(services);
  const order: string[] = [];
  const stop = page.services.whenClosing(() => order.push(`${services.posted.length} told`));
  page.services.close();
  stop();
  page.services.close();
  expect(order).toEqual(['0 told']);
  expect(services.posted).toHaveLength(2);
});

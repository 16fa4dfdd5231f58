// @vitest-environment jsdom
import type { MethodList } from '@opencashier/contract/api';
import type { FirstList } from '@opencashier/contract/page';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { methodsQueryKey } from '../../api/fetch-methods.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { indiaCatalogue, sharedTileCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { skipHostStart } from '../../kit/session/host-start.ts';
import { createFixtureServices, createSession, type FixtureServices } from '../../kit/session/services-fixture.ts';
import { mainProduct } from '../../products/main.ts';
import { productAt } from '../navigation/branches.ts';
import { App } from '../shell/app.tsx';
import { createPage } from '../shell/shell-services.ts';
import { withDrawnSession } from './drawn-session.ts';
import { carryOutTap, dropTap, tapKeptSoFar } from './early-tap.ts';
import { isInTexts, isOfSession } from './read-first-list.ts';
import { loadedTap, tappedPath } from './tapped-path.ts';

const { balance: _balance, lastDeposit: _last, ...publicList } = indiaCatalogue;
const facts = { direction: 'deposit', country: 'IN', currency: 'INR', hasClose: true, hasBonus: false } as const;
const drawn: FirstList = { ...facts, locale: 'en', formatLocale: 'en-IN', list: publicList };

let root: HTMLElement;

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  cleanup();
  document.body.innerHTML = '<div id="root" data-drawn></div>';
  document.documentElement.removeAttribute('data-again');
  root = document.getElementById('root') ?? document.body;
  history.replaceState(null, '', '/cashier/deposit');
});

/** The server's drawing, by the same component. */
function draw(list: FirstList['list'] = publicList): void {
  const services = createFixtureServices({});
  services.queries.setQueryData(methodsQueryKey('deposit', services.session.getState()), list);
  root.innerHTML = renderToString(
    <App page={createPage({ ...services, drawnFor: 'phone' })} path="/deposit" product={mainProduct} />,
  );
}

function servicesWith(answer: unknown, session = createSession()): FixtureServices {
  const services = createFixtureServices({ 'methods-payment-v5': answer }, { session });
  const key = methodsQueryKey('deposit', session);
  return {
    ...services,
    session: withDrawnSession(services.session, facts) as FixtureServices['session'],
    queries: createQueryClient([], { key, data: publicList }),
  };
}

async function takeOver(services: FixtureServices): Promise<readonly unknown[]> {
  const redrawn: unknown[] = [];
  render(<App page={createPage({ ...services, drawnFor: 'phone' })} product={mainProduct} />, {
    container: root,
    hydrate: true,
    onRecoverableError: (error) => redrawn.push(error),
  });
  for (let turn = 0; turn < 5; turn += 1) await act(() => services.clock.advanceAsync(0));
  return redrawn;
}

describe('[LIST-1] the drawn list', () => {
  test('is taken over as it is, and the user’s own answer brings the balance', async () => {
    draw();
    const tile = screen.getByRole('button', { name: 'UPI apps' });
    const services = servicesWith(indiaCatalogue);
    expect(await takeOver(services)).toEqual([]);
    expect(screen.getByRole('button', { name: 'UPI apps' })).toBe(tile);
    expect(await screen.findByText('₹1,250.00')).toBeVisible();
  });

  test('[LIST-1] [WD-2] of withdrawals waits for no part, so that nothing of it is drawn again', async () => {
    const product = await productAt(mainProduct, '/withdrawal');
    const services = createFixtureServices({});
    services.queries.setQueryData(methodsQueryKey('withdrawal', services.session.getState()), publicList);
    const page = createPage({ ...services, drawnFor: 'phone' });
    const html = renderToString(<App page={page} path="/withdrawal" product={product} />);
    expect(html).toContain('data-part="tile"');
    // React's marks around the page are the only ones, so no part of it comes later.
    expect(html.match(/<!--\$!?-->/g)).toEqual(['<!--$-->']);
  });

  test('[UI-5] says in the markup which tile is alone, so that a half-read page shows it as it stays', () => {
    draw({ ...publicList, groups: publicList.groups.filter(({ name }) => name !== 'crypto') });
    const grids = [...root.querySelectorAll<HTMLElement>('[data-part=tiles]')];
    expect(grids.map(({ children, dataset }) => [children.length > 1, dataset['single']])).toEqual([
      [true, undefined],
      [false, 'true'],
      [true, undefined],
    ]);
  });

  test('leads to the error page when the user’s own list fails', async () => {
    draw();
    const failure = new ClientError({ kind: 'refused', code: 'internal', status: 500, message: 'no' });
    await takeOver(servicesWith(() => Promise.reject(failure)));
    await waitFor(() => expect(location.pathname).toBe('/cashier/error'));
  });

  test('[LIST-6] [UI-5] an offer to repeat comes below the methods, unless a place was kept above them', async () => {
    const list: MethodList = {
      ...indiaCatalogue,
      lastDeposit: { paymentMethod: 'phonepe', currency: 'INR', amount: '500.00' },
    };
    const offer = () => screen.findByRole('button', { name: /again/ });
    const isBefore = (element: Element) =>
      (element.compareDocumentPosition(screen.getByRole('button', { name: 'UPI apps' })) & 4) !== 0;
    draw();
    await takeOver(servicesWith(list));
    expect(isBefore(await offer())).toBe(false);
    // The device remembers it, and the script of the page keeps the place from then on.
    expect(localStorage.getItem('cashier.again')).toBe('1');
    document.documentElement.setAttribute('data-again', '');
    cleanup();
    document.body.innerHTML = '<div id="root"></div>';
    root = document.getElementById('root') ?? document.body;
    draw();
    await takeOver(servicesWith(list));
    expect(isBefore(await offer())).toBe(true);
  });

  test('[HOST-14] what the payload says differently from the address is drawn after the list is taken over', async () => {
    draw();
    expect(screen.getByRole('button', { name: 'Close' })).toBeVisible();
    await takeOver(servicesWith(indiaCatalogue, createSession({}, { closingButton: false })));
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
    expect(screen.getByRole('button', { name: 'UPI apps' })).toBeVisible();
  });
});

test('[LIST-4] a tap leads where the list would lead', () => {
  const { tiles: _tiles, ...alone } = sharedTileCatalogue;
  expect(tappedPath('method netbanking', indiaCatalogue, '/deposit', mainProduct)).toBeUndefined();
  expect(tappedPath('method nothing', indiaCatalogue, '/deposit', mainProduct)).toBeUndefined();
  expect(tappedPath('region', indiaCatalogue, '/deposit', mainProduct)).toBeUndefined();
  expect(tappedPath('group cash_methods', indiaCatalogue, '/deposit', mainProduct)).toBe('/deposit/group/cash_methods');
  const [first] = sharedTileCatalogue.methods;
  expect(tappedPath(`method ${first?.name}`, sharedTileCatalogue, '/deposit', mainProduct)).toBe('/deposit/india/upi');
  expect(tappedPath('method bank_card', alone, '/deposit', mainProduct)).toBe('/deposit/redirect/bank_card');
});

test('[LIST-4] a tap that comes while the page of another is loaded is the one that counts', async () => {
  let tapped: string | undefined = 'method a';
  const loaded: string[] = [];
  const load = async (opens: string) => {
    loaded.push(opens);
    if (opens === 'method a') tapped = 'method b';
    return `/${opens}`;
  };
  expect(await loadedTap(() => tapped, load)).toBe('/method b');
  expect(loaded).toEqual(['method a', 'method b']);
  // Such as the close button: the list is taken over, and the button pressed.
  expect(
    await loadedTap(
      () => 'region',
      async () => undefined,
    ),
  ).toBeUndefined();
  expect(await loadedTap(() => undefined, load)).toBeUndefined();
});

test('[HOST-2] after a tap the method that the host begins with does not open any more', async () => {
  const start = { method: 'bank_card', amount: '500', currency: 'INR', direction: 'deposit' } as const;
  for (const isTapped of [true, false]) {
    cleanup();
    history.replaceState(null, '', '/cashier/deposit');
    const page = createPage(
      createFixtureServices({ 'methods-payment-v5': indiaCatalogue }, { session: createSession({ start }) }),
    );
    if (isTapped) skipHostStart(page.services);
    render(<App page={page} product={mainProduct} />);
    // The list stays, or leads on before anybody can see it.
    if (isTapped) await screen.findByRole('button', { name: 'UPI apps' });
    await waitFor(() =>
      expect(location.pathname).toBe(isTapped ? '/cashier/deposit' : '/cashier/deposit/redirect/bank_card'),
    );
  }
});

function Broken(): never {
  throw new Error('broken');
}

test('[NAV-5] a first screen that fails says that it is shown, so that its button answers', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const routes = [{ path: '/deposit', title: 'title.depositMethod', screen: { Screen: Broken } }];
  const shown = vi.fn();
  render(<App page={createPage(createFixtureServices({}))} product={{ ...mainProduct, routes }} onShown={shown} />);
  await waitFor(() => expect(shown).toHaveBeenCalled());
  expect(screen.getByRole('button', { name: 'Refresh' })).toBeVisible();
});

describe('[LIST-4] a kept tap', () => {
  const press = (html: string): HTMLElement => {
    root.innerHTML = html;
    root.querySelector('button')?.setAttribute('data-pressed', '');
    const button = root.querySelector('button');
    if (button === null) throw new Error('no button');
    return button;
  };

  test('is carried out once, and later taps are no longer kept', () => {
    const tapped = vi.fn();
    press('<button data-opens="method a">A</button>').addEventListener('click', tapped);
    expect(tapKeptSoFar(root)).toBe('method a');
    carryOutTap(root, true, createTestClock());
    carryOutTap(root, true, createTestClock());
    expect(tapped).toHaveBeenCalledTimes(1);
    expect(root).not.toHaveAttribute('data-drawn');
  });

  test('waits for the same method in a list that is drawn anew, for a limited time', async () => {
    const clock = createTestClock();
    const tapped = vi.fn();
    const show = (name: string) => {
      root.innerHTML = `<button data-opens="method ${name}">${name}</button>`;
      root.querySelector('button')?.addEventListener('click', tapped);
    };
    press('<button data-opens="method a">A</button>');
    carryOutTap(root, false, clock);
    show('b');
    await Promise.resolve();
    expect(tapped).not.toHaveBeenCalled();
    show('a');
    await Promise.resolve();
    expect(tapped).toHaveBeenCalledTimes(1);
    press('<button data-opens="method a">A</button>');
    carryOutTap(root, false, clock);
    await clock.advanceAsync(20_000);
    show('a');
    await Promise.resolve();
    expect(tapped).toHaveBeenCalledTimes(1);
  });

  test('is dropped when the start fails', () => {
    const tapped = vi.fn();
    press('<button data-opens="method a">A</button>').addEventListener('click', tapped);
    dropTap(root);
    expect(tapped).not.toHaveBeenCalled();
    expect(root).not.toHaveAttribute('data-drawn');
  });
});

test.each([
  ['another country', createSession({ country: 'BR' }), false],
  ['another currency', createSession({ currency: 'USD' }), false],
  ['a coin box', createSession({ boxId: 'box-1' }), false],
  ['another product', createSession({}, { widgetViewType: 'sweep' }), false],
  ['the same', createSession(), true],
])('[HOST-2] a session with %s continues from the drawing: %s', (_what, session, isSame) => {
  expect(isOfSession(drawn, session)).toBe(isSame);
});

test('[HOST-8] texts or numbers of another locale do not continue from the drawing', () => {
  expect(isInTexts(drawn, { locale: 'en', formatLocale: 'en-IN' })).toBe(true);
  expect(isInTexts(drawn, { locale: 'en', formatLocale: 'en-GB' })).toBe(false);
  expect(isInTexts(drawn, { locale: 'hi', formatLocale: 'en-IN' })).toBe(false);
});

// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { methodsQueryKey } from '../../api/fetch-methods.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import type { Session } from '../../kit/session/services.tsx';
import { createFixtureServices, createSession, type FixtureServices } from '../../kit/session/services-fixture.ts';
import { mainProduct } from '../../products/main.ts';
import { loadScreens } from '../navigation/later-screens.ts';
import { App } from '../shell/app.tsx';
import { createPage } from '../shell/shell-services.ts';
import { withDrawnSession } from './drawn-session.ts';
import { carryOutTap, endTilePages, tapForNewPage, tapKeptSoFar } from './early-tap.ts';
import { keepTyping } from './early-typing.ts';
import { tappedPath } from './tapped-path.ts';

const { balance: _balance, lastDeposit: _last, ...publicList } = indiaCatalogue;
const facts = { direction: 'deposit', country: 'IN', currency: 'INR', hasClose: true, hasBonus: false } as const;
const card = 'method bank_card';

let root: HTMLElement;

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  cleanup();
  document.body.innerHTML = '<div id="root" data-drawn></div><template data-opens="method other"></template>';
  root = document.getElementById('root') ?? document.body;
  history.replaceState(null, '', '/cashier/deposit');
});

/** The page of a tile as the server draws it, in the root, as the page's own script puts it there. */
async function show(opens: string): Promise<void> {
  const path = tappedPath(opens, indiaCatalogue, '/deposit', mainProduct) ?? '';
  await loadScreens(path, mainProduct);
  const services = createFixtureServices({});
  services.queries.setQueryData(methodsQueryKey('deposit', services.session.getState()), publicList);
  const page = createPage({ ...services, drawnFor: 'phone' });
  const draw = () => renderToString(<App page={page} path={path} product={mainProduct} />);
  draw();
  // The parts that are loaded by drawing them.
  await new Promise((resolve) => setTimeout(resolve));
  root.innerHTML = draw();
  expect(root.innerHTML).not.toContain('<!--$!-->');
  root.setAttribute('data-shown', opens);
}

interface TakenOver {
  readonly services: FixtureServices;
  /** What React could not continue. */
  readonly redrawn: unknown[];
}

/** As `mount` does it, in a root that the next test can end. */
async function takeOver(opens: string, session: Session = createSession()): Promise<TakenOver> {
  const services = createFixtureServices({ 'methods-payment-v5': indiaCatalogue }, { session });
  const redrawn: unknown[] = [];
  const page = createPage({
    ...services,
    session: withDrawnSession(services.session, facts),
    queries: createQueryClient([], { key: methodsQueryKey('deposit', session), data: publicList }),
    drawnFor: 'phone',
  });
  expect(endTilePages(root)).toBe(true);
  page.services.navigation.go(tappedPath(opens, indiaCatalogue, '/deposit', mainProduct) ?? '');
  const typeAgain = keepTyping(root);
  render(<App page={page} product={mainProduct} />, {
    container: root,
    hydrate: true,
    onRecoverableError: (error) => redrawn.push(error),
  });
  for (let turn = 0; turn < 5; turn += 1) await act(() => services.clock.advanceAsync(0));
  act(typeAgain);
  return { services, redrawn };
}

const amount = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount' });

describe('[UI-5] [LIST-4] the drawn page of a tapped tile', () => {
  test.each([card, 'method phonepe', 'group crypto', 'group cash_methods'])(
    'is taken over as it is: %s',
    async (opens) => {
      await show(opens);
      const main = root.querySelector('main');
      const { redrawn } = await takeOver(opens);
      expect(redrawn).toEqual([]);
      expect(root.querySelector('main')).toBe(main);
      expect(document.querySelector('template')).toBeNull();
      const path = tappedPath(opens, indiaCatalogue, '/deposit', mainProduct);
      expect(location.pathname).toBe(`/cashier${path}`);
    },
  );

  test('[AMT-1] keeps what was typed there, and the focus', async () => {
    await show(card);
    const input = amount();
    input.focus();
    input.value = '1500';
    await takeOver(card);
    expect(amount()).toBe(input);
    await waitFor(() => expect(input).toHaveValue('1,500'));
    expect(input).toHaveFocus();
    expect(screen.getByRole('button', { name: /1,500/, hidden: true })).toBeVisible();
  });

  test.each([
    ['the host’s amount', '', /^700/],
    ['what was typed, and not the host’s amount', '900', /^900/],
  ])('[HOST-2] shows %s when it is taken over', async (_what, typed, shown) => {
    await show(card);
    if (typed !== '') amount().value = typed;
    const start = { amount: '700', currency: 'INR', direction: 'deposit' } as const;
    const { redrawn } = await takeOver(card, createSession({ start }));
    expect(redrawn).toEqual([]);
    await waitFor(() => expect(amount().value).toMatch(shown));
  });

  test('answers a press that came before the code, once, and opens nothing in the list later', async () => {
    await show(card);
    const [chip] = screen.getByRole('group', { name: 'Quick choices' }).querySelectorAll('button');
    chip?.setAttribute('data-pressed', '');
    const { services } = await takeOver(card);
    act(() => carryOutTap(root, true, services.clock, card));
    await waitFor(() => expect(chip).toHaveAttribute('aria-pressed', 'true'));
    expect(root).not.toHaveAttribute('data-shown');
    const tile = document.createElement('button');
    tile.dataset['opens'] = card;
    const click = vi.fn();
    tile.addEventListener('click', click);
    root.append(tile);
    await Promise.resolve();
    expect(click).not.toHaveBeenCalled();
    tile.remove();
  });
});

test('[HOST-2] in a page that is drawn again, the tile counts, unless the person has pressed something else since', async () => {
  await show(card);
  expect(tapForNewPage(root)).toBe(card);
  root.querySelector('header button')?.setAttribute('data-pressed', '');
  expect(tapForNewPage(root)).toBeUndefined();
  expect(tapKeptSoFar(root)).toBe(card);
});

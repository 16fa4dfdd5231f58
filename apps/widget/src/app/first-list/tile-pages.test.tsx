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
import { type EarlyAction, keepActions } from './early-actions.ts';
import { dropTap, endTilePages, tapForNewPage, tapKeptSoFar } from './early-tap.ts';
import { partsOfTap, tappedPath } from './tapped-path.ts';

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
  for (const part of partsOfTap(opens, indiaCatalogue)) await part.load();
  const actAgain = keepActions(root);
  render(<App page={page} product={mainProduct} />, {
    container: root,
    hydrate: true,
    onRecoverableError: (error) => redrawn.push(error),
  });
  for (let turn = 0; turn < 5; turn += 1) await act(() => services.clock.advanceAsync(0));
  dropTap(root);
  actAgain();
  await act(() => services.clock.advanceAsync(0));
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

  /** What the script of the page notes. */
  const noted = (...actions: EarlyAction[]): void => {
    window.earlyActions = actions;
  };
  const type = (text: string): EarlyAction => {
    amount().value = text;
    return { control: amount(), text };
  };
  const chip = (name: string): EarlyAction => ({ control: screen.getByRole('button', { name }) });

  test('[AMT-1] keeps what was typed there, and the focus', async () => {
    await show(card);
    const input = amount();
    input.focus();
    noted(type('1500'));
    await takeOver(card);
    expect(amount()).toBe(input);
    expect(input).toHaveValue('1,500');
    expect(input).toHaveFocus();
    expect(screen.getByRole('button', { name: 'Deposit ⁨₹1,500.00⁩' })).toBeVisible();
  });

  test.each([
    ['a quick choice after an amount', () => [type('300'), chip('₹1,000')], '1,000'],
    ['an amount after a quick choice', () => [chip('₹1,000'), type('700')], '700'],
    ['the last of two quick choices', () => [chip('₹1,000'), chip('₹500')], '500'],
    ['that the amount was cleared', () => [type('300'), type('')], ''],
    // It could also be an amount with decimals. The field says so.
    ['no text that could mean two amounts', () => [type('1,500')], ''],
  ])('[AMT-1] [AMT-5] keeps %s', async (_what, actions, value) => {
    await show(card);
    noted(...actions());
    const { redrawn } = await takeOver(card);
    expect(redrawn).toEqual([]);
    expect(amount()).toHaveValue(value);
    expect(window.earlyActions).toEqual([]);
  });

  test('[AMT-1] finds what was typed its place when React draws the form again, and presses nothing in it', async () => {
    await show(card);
    const [typed, press] = [type('900'), chip('₹500')];
    noted(typed, press);
    const actAgain = keepActions(root);
    const again = root.innerHTML;
    root.innerHTML = again;
    const pressed = vi.fn();
    root.addEventListener('click', pressed);
    const entered = vi.fn();
    root.addEventListener('input', () => entered(amount().value));
    actAgain();
    expect(amount()).not.toBe(typed.control);
    expect(amount()).toHaveValue('900');
    expect(entered.mock.calls.flat()).toEqual(['', '900']);
    expect(pressed).not.toHaveBeenCalled();
  });

  test('[FORM-1] tells React of a choice that was made in the browser’s own list', () => {
    root.innerHTML = '<select><option>a</option><option>b</option></select>';
    const select = root.querySelector('select');
    const changed = vi.fn();
    root.addEventListener('change', () => changed(select?.value));
    if (select) noted({ control: select, text: 'b' });
    keepActions(root)();
    expect(changed.mock.calls).toEqual([['b']]);
  });

  test.each([
    ['the host’s amount', '', /^700/],
    ['what was typed, and not the host’s amount', '900', /^900/],
  ])('[HOST-2] shows %s when it is taken over', async (_what, typed, shown) => {
    await show(card);
    noted(...(typed === '' ? [] : [type(typed)]));
    const start = { amount: '700', currency: 'INR', direction: 'deposit' } as const;
    const { redrawn } = await takeOver(card, createSession({ start }));
    expect(redrawn).toEqual([]);
    await waitFor(() => expect(amount().value).toMatch(shown));
  });
});

test('[HOST-2] in a page that is drawn again, the tile counts, unless the person has pressed something else since', async () => {
  await show(card);
  expect(tapForNewPage(root)).toBe(card);
  root.querySelector('header button')?.setAttribute('data-pressed', '');
  expect(tapForNewPage(root)).toBeUndefined();
  expect(tapKeptSoFar(root)).toBe(card);
});

// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { methodsQueryKey } from '../../api/fetch-methods.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import type { Session } from '../../kit/session/services.tsx';
import { createFixtureServices, createSession, type FixtureServices } from '../../kit/session/services-fixture.ts';
import { mainProduct } from '../../products/main.ts';
import { loadScreens } from '../navigation/screens-ahead.ts';
import { App, mount } from '../shell/app.tsx';
import { createPage } from '../shell/shell-services.ts';
import { withDrawnSession } from './drawn-session.ts';
import { carryOutTap, tapForNewPage, tapKeptSoFar } from './early-tap.ts';
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

interface Mounted {
  readonly shown: Awaited<ReturnType<typeof mount>>;
  readonly services: FixtureServices;
  /** What React could not continue. */
  readonly redrawn: unknown[];
}

async function mountOver(session: Session = createSession()): Promise<Mounted> {
  const services = createFixtureServices({ 'methods-payment-v5': indiaCatalogue }, { session });
  const redrawn: unknown[] = [];
  const boot = {
    ...services,
    session: withDrawnSession(services.session, facts),
    queries: createQueryClient([], { key: methodsQueryKey('deposit', session), data: publicList }),
    metric: (name: string, value: unknown) => {
      if (name === 'first-list.redrawn') redrawn.push(value);
    },
  };
  const drawn = { list: publicList, direction: 'deposit', tapped: () => tapKeptSoFar(root) } as const;
  const mounting = mount(root, boot, drawn);
  for (let turn = 0; turn < 10; turn += 1) await act(() => services.clock.advanceAsync(0));
  return { shown: await mounting, services, redrawn };
}

const amount = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount' });

describe('[UI-5] [LIST-4] the drawn page of a tapped tile', () => {
  test.each([card, 'method phonepe', 'group crypto', 'group cash_methods'])(
    'is taken over as it is: %s',
    async (opens) => {
      await show(opens);
      const main = root.querySelector('main');
      const { shown, redrawn } = await mountOver();
      expect(shown).toBe('as drawn');
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
    await mountOver();
    expect(amount()).toBe(input);
    await waitFor(() => expect(input).toHaveValue('1,500'));
    expect(input).toHaveFocus();
    expect(screen.getByRole('button', { name: /1,500/, hidden: true })).toBeVisible();
  });

  test('[HOST-2] shows the host’s amount when it is taken over, unless something was typed', async () => {
    const start = { amount: '700', currency: 'INR', direction: 'deposit' } as const;
    for (const typed of ['', '900']) {
      cleanup();
      await show(card);
      if (typed !== '') amount().value = typed;
      const { redrawn } = await mountOver(createSession({ start }));
      expect(redrawn).toEqual([]);
      await waitFor(() => expect(amount().value).toMatch(typed === '' ? /^700/ : /^900/));
      root.replaceWith(root.cloneNode(false));
      root = document.getElementById('root') ?? document.body;
    }
  });

  test('answers a press that came before the code, once, and opens nothing in the list later', async () => {
    await show(card);
    const [chip] = screen.getByRole('group', { name: 'Quick choices' }).querySelectorAll('button');
    chip?.setAttribute('data-pressed', '');
    const { services } = await mountOver();
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

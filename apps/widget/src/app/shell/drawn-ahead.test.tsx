// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react';
import { useEffect } from 'react';
import { parse } from 'regexparam';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Router } from 'wouter';
import type { Product, ScreenProps } from '../../kit/session/product.ts';
import { ServicesProvider } from '../../kit/session/services.tsx';
import { createFixtureServices } from '../../kit/session/services-fixture.ts';
import { mainProduct } from '../../products/main.ts';
import { laterScreen } from '../navigation/later-screens.ts';
import { DrawnAhead } from './drawn-ahead.tsx';
import { createPage } from './shell-services.ts';

afterEach(cleanup);

let drawn: string[] = [];
let effects: string[] = [];
beforeEach(() => {
  drawn = [];
  effects = [];
});

/** Notes that it is drawn, and when its effects run. */
function Noting({ params: { name = '' } }: ScreenProps) {
  if (name === 'broken') throw new Error('broken');
  drawn.push(name);
  useEffect(() => void effects.push(name));
  return <p>{name}</p>;
}

/** A product with a screen for each name. */
async function openAhead(names: readonly string[]) {
  const routes = names.map((name) => ({
    path: `/deposit/${name}/:name`,
    title: '',
    screen: async () => ({ Screen: Noting }),
  }));
  for (const { screen } of routes) await laterScreen(screen).load();
  const product: Product = { ...mainProduct, routes };
  const services = createFixtureServices({});
  const page = createPage(services);
  const paths = names.map((name) => `/deposit/${name}/${name}`);
  render(
    <ServicesProvider value={page.services}>
      <Router base="/cashier">
        <DrawnAhead product={product} parser={parse} paths={paths} />
      </Router>
    </ServicesProvider>,
  );
  const pass = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) await act(() => services.clock.advanceAsync(50));
  };
  return { names: () => [...new Set(drawn)], pass };
}

test('[UI-5] screens are drawn one after the other when the page is idle, unseen and without their effects', async () => {
  const made = vi.spyOn(document, 'createElement');
  const { names, pass } = await openAhead(['card', 'agent', 'seller']);
  expect(names()).toEqual([]);
  await pass(1);
  expect(names()).toEqual(['card']);
  expect(document.body).not.toHaveTextContent('card');
  const unseen = made.mock.results
    .map(({ value }) => value as HTMLElement)
    .find(({ textContent }) => textContent === 'card');
  expect(unseen?.closest('body')).toBeNull();
  await pass(1);
  expect(names()).toEqual(['card', 'agent']);
  await pass(10);
  expect(names()).toEqual(['card', 'agent', 'seller']);
  expect(effects).toEqual([]);
  // Nothing is kept of the last one either.
  expect(unseen?.textContent).toBe('');
  expect(document.body.textContent).toBe('');
});

test('[NAV-5] a screen that cannot be drawn ahead is told, and the others are drawn', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { names, pass } = await openAhead(['broken', 'card']);
  await pass(10);
  expect(warn).toHaveBeenCalledWith('A screen could not be drawn ahead.', new Error('broken'));
  expect(names()).toEqual(['card']);
  vi.restoreAllMocks();
});

// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Product } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices } from '../../kit/session/services.tsx';
import { createFixtureServices } from '../../kit/session/services-fixture.ts';
import { mainProduct } from '../../products/main.ts';
import { laterScreen } from '../navigation/later-screens.ts';
import { App } from './app.tsx';
import { createPage } from './shell-services.ts';

let isBroken = true;

/** A list with one button, whose page cannot always be drawn. */
function List() {
  const { ahead } = usePlace();
  const { navigation } = useServices();
  return (
    <button
      type="button"
      onPointerEnter={() => ahead.near('/deposit/page')}
      onClick={() => navigation.go('/deposit/page')}
    >
      Open
    </button>
  );
}

function Page() {
  if (isBroken) throw new Error('broken');
  return <h2>Page</h2>;
}

async function openList() {
  const later = async () => ({ Screen: Page });
  await laterScreen(later).load();
  const routes = [
    { path: '/deposit', title: 'title.deposit', screen: { Screen: List } },
    { path: '/deposit/page', title: 'title.deposit', screen: later },
  ];
  const product: Product = { ...mainProduct, routes };
  const services = createFixtureServices({});
  history.replaceState(null, '', `${services.session.getState().basePath}/deposit`);
  render(<App page={createPage(services)} product={product} />);
  const pass = () => act(() => services.clock.advanceAsync(50));
  await pass();
  return { services, pass, faults: () => services.posted.filter(({ messageType }) => messageType === 'error') };
}

beforeEach(() => {
  isBroken = true;
  window.scrollTo = () => undefined;
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const open = () => screen.getByRole('button', { name: 'Open' });

test('[UI-5] a page that cannot be drawn ahead leaves the list as it is, and reports nothing', async () => {
  const { pass, faults } = await openList();
  fireEvent.pointerEnter(open());
  await pass();
  expect(open()).toBeVisible();
  expect(faults()).toEqual([]);
});

test('[UI-5] its tap shows the page of errors', async () => {
  const { pass, faults } = await openList();
  fireEvent.pointerEnter(open());
  await pass();
  fireEvent.click(open());
  await pass();
  expect(screen.queryByRole('button', { name: 'Open' })).toBeNull();
  expect(faults()).toHaveLength(1);
});

test('[UI-5] a page that can be drawn is shown', async () => {
  isBroken = false;
  const { pass } = await openList();
  fireEvent.pointerEnter(open());
  await pass();
  const drawn = screen.getByText('Page');
  expect(drawn).not.toBeVisible();
  fireEvent.click(open());
  await pass();
  expect(screen.getByRole('heading', { name: 'Page' })).toBe(drawn);
});

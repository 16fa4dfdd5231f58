// @vitest-environment jsdom
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useRouter } from 'wouter';
import screens from '../../../locales/context/screens.json' with { type: 'json' };
import english from '../../../locales/en.json' with { type: 'json' };
import { productAt } from '../src/app/navigation/branches.ts';
import { resolveRoute } from '../src/app/navigation/routes.ts';
import type { Product, RouteDefinition } from '../src/kit/session/product.ts';
import { selectProduct } from '../src/products/select-product.ts';
import { photographed, photographedAtLength, photographedInArabic, photographedOnDesktop } from './photographed.ts';
import { folderOf, type WidgetState } from './state.ts';
import { states } from './states.ts';

const { parser } = renderHook(useRouter).result.current;
const source = join(import.meta.dirname, '../src');
const inGallery = new Set(states.map(({ id }) => folderOf(id)));
const folders = (of: string) =>
  readdirSync(join(source, of), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${of}/${name}`);

test('every component of ui, every flow and every screen is in the gallery', () => {
  const components = readdirSync(join(source, 'ui'), { recursive: true, encoding: 'utf8' })
    .map((path) => basename(path))
    .filter((name) => /^[a-z-]+\.tsx$/.test(name))
    .map((name) => `ui/${name.replace('.tsx', '')}`);
  const wanted = [...components, ...folders('flows'), ...folders('screens')];
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((folder) => !inGallery.has(folder))).toEqual([]);
  // The gallery has no folder that was removed from the sources.
  expect([...inGallery].filter((folder) => !wanted.includes(folder))).toEqual([]);
});

test.each(['main', 'cryptobalance', 'sweep'] as const)(
  'every address of the product %s is in the gallery',
  async (view) => {
    const product = await selectProduct(view);
    const main = await selectProduct('main');
    const known = new Set((await routesOf(main)).map(within));
    const shown = new Set<string>();
    for (const state of states.filter((one): one is WidgetState => 'at' in one)) {
      if (state.services().session.getState().payload.widgetViewType !== view) continue;
      const path = state.at.replace(/[?#].*/, '');
      const resolution = resolveRoute(await productAt(product, path), path, parser);
      expect(resolution.kind, `${state.id} has an address of the product`).toBe('route');
      if (resolution.kind === 'route') shown.add(resolution.route.path);
    }
    const missing = (await routesOf(product)).filter(
      // A route that the main product has as well is shown there.
      (route) => !shown.has(route.path) && (product === main || !known.has(within(route))),
    );
    expect(missing.map(({ path }) => path)).toEqual([]);
  },
);

test('names are given once, and pictures are of states that there are', () => {
  const ids = states.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const kept = [...photographed, ...photographedInArabic, ...photographedOnDesktop, ...photographedAtLength];
  expect(kept.filter((id) => !ids.includes(id))).toEqual([]);
});

test('the pictures of texts for translators are states that there are', () => {
  const ids = new Set(states.map(({ id }) => id));
  expect(Object.entries(screens).filter(([key, id]) => !ids.has(id) || !Object.hasOwn(english, key))).toEqual([]);
});

/** The direction of a route and its address below its tree. */
const within = ({ path, tree = '', direction = 'deposit' }: RouteDefinition): string =>
  `${direction} ${path.slice(tree.length)}`;

async function routesOf(product: Product): Promise<readonly RouteDefinition[]> {
  const trees = await Promise.all((product.branches ?? []).map(({ load }) => load()));
  return [...product.routes, ...trees.flatMap(({ routes }) => routes)];
}

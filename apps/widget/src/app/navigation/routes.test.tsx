// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { useRouter } from 'wouter';
import { cryptoBalanceProduct } from '../../products/crypto-balance.ts';
import { mainProduct } from '../../products/main.ts';
import { selectProduct } from '../../products/select-product.ts';
import { sweepstakeProduct } from '../../products/sweepstake/sweepstake.ts';
import { productAt } from './branches.ts';
import { resolveRoute } from './routes.ts';

const { parser } = renderHook(useRouter).result.current;

/** Section 2, address by address; `m` stands for a method and `g` for a group. */
const depositTree = [
  '',
  '/region',
  '/redirect/m',
  '/redirect/m/instruction',
  '/redirect/m/eazype',
  '/redirect/m/pix',
  '/redirect/m/unified-form',
  '/crypto',
  '/crypto/m',
  '/group/g',
  '/group/g/redirect/m',
  '/india/m',
  '/india/m/invoice',
  '/peer-to-peer/m',
  '/peer-to-peer/m/base',
  '/peer-to-peer/m/invoice',
  '/peer-to-peer/m/unified-form',
  '/peer-to-peer/m/instruction',
  '/host-to-host/m',
  '/cash/m',
  '/onramp/m',
  '/onramp/m/offer-list',
  '/bonus-details',
  '/complete',
  '/video-instruction',
];
const withdrawalTree = [
  '',
  '/region',
  '/redirect/m',
  '/redirect/m/instruction',
  '/nigerian-banks/m',
  '/group/g',
  '/group/g/redirect/m',
  '/confirm',
  '/complete',
];
const shared = ['/empty', '/empty/region', '/error', '/form'];
const below = (base: string, paths: readonly string[]) => paths.map((path) => `${base}${path}`);

const addresses = {
  main: [...below('/deposit', depositTree), ...below('/withdrawal', withdrawalTree), ...shared],
  cryptobalance: [
    ...below('/cryptobalance/deposit/fiat', depositTree),
    '/cryptobalance/deposit/crypto',
    '/cryptobalance/deposit/video-instruction',
    ...below('/cryptobalance/withdrawal', withdrawalTree),
    ...shared,
  ],
  sweep: [
    '/deposit',
    '/deposit/select-method',
    '/deposit/crypto',
    '/deposit/crypto/m',
    '/deposit/redirect/m',
    '/deposit/redirect/m/unified-form',
    '/deposit/host-to-host/m',
    '/deposit/complete',
    '/withdrawal',
    '/withdrawal/crypto',
    '/withdrawal/crypto/m',
    '/withdrawal/complete',
    ...shared,
  ],
} as const;

describe('[NAV-1] every address of section 2', () => {
  for (const [view, paths] of Object.entries(addresses)) {
    test.each(paths)(`${view}: %s has a screen that can be loaded`, async (path) => {
      const product = await productAt(await selectProduct(view as keyof typeof addresses), path);
      const resolution = resolveRoute(product, path, parser);
      if (resolution.kind !== 'route') throw new Error(`${path} leads to ${resolution.to}`);
      const { screen, sheet } = resolution.route;
      const { Screen } = typeof screen === 'function' ? await screen() : screen;
      expect(Screen).toBeTypeOf('function');
      if (path.endsWith('/region')) expect((await sheet?.screen())?.Screen).toBeTypeOf('function');
    });
  }

  test('a method with its own page below it is not taken for a method of that name', () => {
    const resolution = resolveRoute(mainProduct, '/deposit/redirect/pix_card/pix', parser);
    expect(resolution).toMatchObject({ kind: 'route', params: { method: 'pix_card' } });
  });
});

describe('[NAV-2] addresses that lead elsewhere', () => {
  test.each([
    [mainProduct, '/', '/deposit'],
    [mainProduct, '/nowhere', '/'],
    [mainProduct, '/deposit/nowhere/at/all', '/'],
    [cryptoBalanceProduct, '/cryptobalance', '/cryptobalance/deposit/fiat'],
    [cryptoBalanceProduct, '/deposit', '/'],
    [sweepstakeProduct, '/', '/deposit'],
    [sweepstakeProduct, '/nowhere', '/deposit'],
    [sweepstakeProduct, '/deposit/peer-to-peer/m', '/deposit'],
    [sweepstakeProduct, '/withdrawal/redirect/m', '/deposit'],
  ])('%# %o', (product, path, to) => {
    expect(resolveRoute(product, path, parser)).toEqual({ kind: 'redirect', to });
  });

  test('a slash at the end changes nothing', () => {
    expect(resolveRoute(mainProduct, '/deposit/', parser)).toMatchObject({ kind: 'route' });
  });
});

test('[UI-3] each step of a withdrawal and of a redemption says which one it is', async () => {
  const tree = await Promise.all([
    productAt(mainProduct, '/withdrawal/complete'),
    productAt(cryptoBalanceProduct, '/cryptobalance/withdrawal/complete'),
    productAt(sweepstakeProduct, '/withdrawal/complete'),
  ]);
  for (const { routes } of tree) {
    const steps = routes.filter(
      ({ direction, back, path }) => direction === 'withdrawal' && back && !path.includes('group'),
    );
    const forms = steps.filter(
      ({ path }) => /:method\??$|account$/.test(path) && !path.includes('nigerian-banks/:method?'),
    );
    const told = steps.map(({ step }) => step);
    expect(told).not.toContain(undefined);
    // The form is one step, whichever way leads to it.
    expect(told.length - new Set(told).size).toBe(Math.max(forms.length - 1, 0));
  }
});

test('[NAV-4] the titles of section 2', async () => {
  const products = { main: mainProduct, cryptobalance: cryptoBalanceProduct, sweep: sweepstakeProduct };
  const titleAt = async (view: 'main' | 'cryptobalance' | 'sweep', path: string) => {
    const resolution = resolveRoute(await productAt(products[view], path), path, parser);
    return resolution.kind === 'route' ? [resolution.route.title, resolution.route.back !== undefined] : [];
  };
  expect(await titleAt('main', '/deposit')).toEqual(['title.depositMethod', false]);
  expect(await titleAt('main', '/deposit/redirect/m')).toEqual(['title.deposit', true]);
  expect(await titleAt('main', '/withdrawal')).toEqual(['title.withdrawalMethod', false]);
  expect(await titleAt('main', '/withdrawal/redirect/m')).toEqual(['title.withdrawals', true]);
  expect(await titleAt('sweep', '/deposit')).toEqual(['title.coinPackage', false]);
  expect(await titleAt('sweep', '/withdrawal')).toEqual(['title.redemption', false]);
});

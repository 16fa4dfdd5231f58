// @vitest-environment jsdom
import type { FormField, MethodList, PaymentMethod } from '@opencashier/contract/api';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { useRouter } from 'wouter';
import { provideFieldCode } from '../../kit/form/field-code.ts';
import { FieldList } from '../../kit/form/field-list.tsx';
import { readFields, startOf } from '../../kit/form/field-reading.ts';
import { cardMethod, indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import type { LoadScreen, Product } from '../../kit/session/product.ts';
import { cryptoBalanceProduct } from '../../products/crypto-balance.ts';
import { mainProduct } from '../../products/main.ts';
import { sweepstakeProduct } from '../../products/sweepstake/sweepstake.ts';
import { productAt } from './branches.ts';
import { isLoaded } from './later-screens.ts';
import { screensOfList } from './list-ahead.ts';
import { screensAhead } from './screens-ahead.ts';

const { parser } = renderHook(useRouter).result.current;

const method = (name: string, more: Partial<PaymentMethod> = {}): PaymentMethod => ({ ...cardMethod, name, ...more });
const listOf = (methods: PaymentMethod[], more: Partial<MethodList> = {}): MethodList => ({
  ...indiaCatalogue,
  groups: [],
  methods,
  ...more,
});

/** The routes below a list whose screens are loaded ahead, in their order. */
async function loadedPaths(list: MethodList, whole: Product, tree: string): Promise<string[]> {
  const product = await productAt(whole, tree);
  return screensOfList(list, { product, parser, tree }).flatMap((source) => {
    const route = product.routes.find(({ screen, sheet }) => (sheet?.screen ?? screen) === source);
    return route === undefined ? [] : [route.path.slice(tree.length + 1)];
  });
}

describe('[UI-5] [LIST-4] the screens of a list', () => {
  const card = method('card');
  const cash = method('agent', { cardViewType: 20 });
  const seller = method('seller', { cardViewType: 13 });
  const coin = method('btc', { cardViewType: 0, category: 'crypto' });

  test('are those of its methods’ flows and no others; the form that most methods open comes first', async () => {
    expect(await loadedPaths(listOf([cash, card, method('wallet')]), mainProduct, '/deposit')).toEqual([
      'redirect/:method?',
      'cash/:method?',
      'region',
      'cash/:method/agents',
      'group/:group/redirect/:method?',
    ]);
    expect(await loadedPaths(listOf([seller, coin]), mainProduct, '/deposit')).toEqual([
      'onramp/:method?',
      'crypto/:method',
      'region',
      'onramp/:method/offer-list',
      'crypto',
    ]);
  });

  test('a group with a tile adds its page, and a method that cannot be used adds nothing', async () => {
    const group: MethodList['groups'][number] = {
      name: 'cash_methods',
      label: { en: 'Cash' },
      paymentMethods: ['agent', 'card'],
      position: 1,
      display: 'tile',
    };
    const closed = { ...seller, disabledReason: 'maintenance' };
    const paths = await loadedPaths(listOf([card, cash, closed], { groups: [group] }), mainProduct, '/deposit');
    expect(paths.slice(0, 4)).toEqual([
      'redirect/:method?',
      'cash/:method?',
      'group/:group',
      'group/:group/redirect/:method?',
    ]);
    expect(paths.filter((path) => path.startsWith('onramp'))).toEqual([]);
  });

  test('withdrawals have their own', async () => {
    const bank = method('bank', { category: 'nigerian_banks', cardViewType: 0 });
    expect(await loadedPaths(listOf([card, bank]), mainProduct, '/withdrawal')).toEqual([
      'redirect/:method?',
      'nigerian-banks/:method?',
      'region',
      'nigerian-banks/:method/account',
    ]);
  });

  test('so have the balance of coins and the sweepstake', async () => {
    expect(await loadedPaths(listOf([coin]), cryptoBalanceProduct, '/cryptobalance/deposit/crypto')).toContain(
      ':method',
    );
    expect(await loadedPaths(listOf([card]), cryptoBalanceProduct, '/cryptobalance/deposit/fiat')).toContain(
      'redirect/:method?',
    );
    expect(await loadedPaths(listOf([coin]), sweepstakeProduct, '/withdrawal')).toContain('crypto/:method');
    expect(await loadedPaths(listOf([card, cash]), sweepstakeProduct, '/deposit')).toEqual([
      'redirect/:method?',
      'group/:group/redirect/:method?',
    ]);
  });
});

const Nothing = () => null;

describe('[UI-5] loading ahead', () => {
  let clock: TestClock;
  let asked: string[];

  /** A product of three screens whose files arrive at once, unless one is named here. */
  function threeScreens(missing?: string): Product {
    const screen =
      (name: string): LoadScreen =>
      async () => {
        asked.push(name);
        if (name === missing) throw new TypeError('Failed to fetch');
        return { Screen: Nothing };
      };
    const routes = ['card', 'agent', 'seller'].map((name) => ({
      path: `/deposit/${name}`,
      title: '',
      screen: screen(name),
    }));
    return {
      ...mainProduct,
      routes,
      methodPath: (tree, { name }) => `${tree}/${name}`,
      flowOf: () => undefined,
      unknown: '/deposit',
    };
  }
  const list = listOf(['card', 'agent', 'seller'].map((name) => method(name)));
  const draw = vi.fn();
  const prepare = vi.fn();
  const ahead = (product: Product) => screensAhead({ product, parser, tree: '/deposit', clock, draw, prepare });
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at += 50) await clock.advanceAsync(50);
  };

  beforeEach(() => {
    clock = createTestClock();
    asked = [];
    draw.mockClear();
    prepare.mockClear();
  });
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'connection');
    vi.restoreAllMocks();
  });

  test('waits for the list’s own files, then loads one screen after the other, each once', async () => {
    const product = threeScreens();
    ahead(product).load(list);
    await pass(300);
    expect(asked).toEqual([]);
    await pass(50);
    expect(asked).toEqual(['card']);
    await pass(50);
    expect(asked).toEqual(['card', 'agent']);
    await pass(5000);
    expect(asked).toEqual(['card', 'agent', 'seller']);
    expect(product.routes.every(isLoaded)).toBe(true);
    expect(draw).toHaveBeenCalledExactlyOnceWith(['/deposit/card', '/deposit/agent', '/deposit/seller']);
    ahead(product).load(list);
    await pass(5000);
    expect(asked).toHaveLength(3);
    // The next drawing would be no faster.
    expect(draw).toHaveBeenLastCalledWith([]);
  });

  test('a part of the common form comes with it', async () => {
    const order: string[] = [];
    const part = { isLoaded: () => false, load: async () => void order.push(asked.join()) };
    ahead(threeScreens()).load(list, [part]);
    await pass(2000);
    expect(order).toEqual(['card']);
  });

  test('[UI-5] the rules of one form after the other are read in idle turns of their own, before the drawing', async () => {
    const turns: string[][] = [];
    const compileRule = (rule: string) => {
      turns.at(-1)?.push(rule);
      return { ok: false, fault: 'malformed' } as const;
    };
    provideFieldCode({ FieldList, readFields, startOf, compileRule });
    const field = (name: string, regex: string): FormField => ({ type: 'text', name, regex });
    const methods = [
      method('card', { fields: [field('number', '^4'), field('name', '^[A-Z]')] }),
      method('agent', { fields: [] }),
      method('seller', {
        fields: [{ ...field('name', '^[A-Z]'), props: { validations: [{ regex: '^.{3}', message: 'short' }] } }],
        flags: { ownAmountRegex: '00$' },
      }),
    ];
    ahead(threeScreens()).load(listOf(methods));
    draw.mockImplementation(() => turns.push(['drawn']));
    for (let at = 0; at < 5000; at += 50) {
      turns.push([]);
      await pass(50);
    }
    expect(turns.filter((turn) => turn.length > 0)).toEqual([['^4', '^[A-Z]'], ['00$', '^.{3}'], ['drawn']]);
  });

  test('ends when the list goes', async () => {
    const stop = ahead(threeScreens()).load(list);
    await pass(350);
    stop();
    await pass(5000);
    expect(asked).toEqual(['card']);
  });

  test('ends at a file that cannot be loaded; the pointer asks for its own screen all the same', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const product = threeScreens('card');
    const loading = ahead(product);
    loading.load(list);
    await pass(5000);
    expect(asked).toEqual(['card']);
    loading.near('/deposit/seller');
    expect(asked).toEqual(['card', 'seller']);
    await pass(50);
    expect(prepare).not.toHaveBeenCalled();
    loading.near('/deposit/seller');
    expect(asked).toEqual(['card', 'seller']);
    expect(prepare).toHaveBeenCalledExactlyOnceWith('/deposit/seller');
  });

  test.each([{ saveData: true }, { effectiveType: '2g' }])('is only the common form with %o', async (connection) => {
    Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
    const loading = ahead(threeScreens());
    loading.load(list);
    await pass(5000);
    expect(asked).toEqual(['card']);
    expect(draw).not.toHaveBeenCalled();
    loading.near('/deposit/agent');
    expect(asked).toEqual(['card', 'agent']);
  });

  test('waits until the browser says that the page is idle', async () => {
    const idle: IdleRequestCallback[] = [];
    vi.stubGlobal('requestIdleCallback', (run: IdleRequestCallback) => idle.push(run));
    vi.stubGlobal('cancelIdleCallback', () => undefined);
    ahead(threeScreens()).load(list);
    await pass(5000);
    expect(asked).toEqual([]);
    idle.shift()?.({ didTimeout: false, timeRemaining: () => 10 });
    await pass(5000);
    expect(asked).toEqual(['card']);
    vi.unstubAllGlobals();
  });
});

import { randomBytes } from 'node:crypto';
import type { MethodList } from '@opencashier/contract/api';
import type { FirstListFacts } from '@opencashier/contract/page';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test, vi } from 'vitest';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import type { OwnPageTexts } from '../own-texts/served-texts.ts';
import type { DrawnList } from '../pages/first-list-renderer.ts';
import { createDrawnPages } from './drawn-pages.ts';
import type { BuiltPage } from './widget-page.ts';

const builtPage: BuiltPage = {
  html: [
    '<!doctype html><html lang="en" dir="ltr" data-theme="light"><head><title>Cashier</title><!--boot-config-->',
    '<!--first-call--><link rel="modulepreload" href="/cashier/assets/client.js"><!--/first-call-->',
    '<!--look--><link rel="modulepreload" href="/cashier/assets/look.js"><!--/look--></head>',
    '<body><div id="root"><!--skeleton--><p>…</p><!--/skeleton--></div><!--first-list--></body></html>',
  ].join(''),
  hashes: { scripts: [], styles: [] },
  changedAt: 1,
  base: '/cashier/',
};
const operator = { id: 'op-1', partnerKey: 'acme', name: 'Acme', allowedOrigins: ['https://acme.example'] };
const look = { theme: 'dark', direction: 'ltr', isAwaited: false } as const;
const facts: FirstListFacts = {
  direction: 'deposit',
  country: 'IN',
  currency: 'INR',
  hasClose: true,
  hasBonus: false,
};
const list: MethodList = { country: 'IN', currency: 'INR', groups: [], methods: [] };
const address = { facts, locale: 'ar' };

function create(
  draw: (facts: FirstListFacts) => Promise<DrawnList | undefined> | undefined = () => undefined,
  shown: MethodList = list,
) {
  let calls = 0;
  const nextCaller = () => {
    calls += 1;
    return `caller-${calls}`;
  };
  let version = 1;
  let isListInPage = true;
  let texts: OwnPageTexts | undefined;
  const drawn = vi.fn(
    async (asked: FirstListFacts, ..._more: unknown[]): Promise<DrawnList | undefined> =>
      (await draw(asked)) ?? {
        html: `<main>${asked.country}</main>`,
        tilePages: [{ opens: 'method a', html: '<main>A</main>', sheets: ['.a{}'] }],
        title: 'Pay </title> & go',
        direction: 'rtl',
        data: { ...asked, locale: 'ar', formatLocale: 'ar', list },
        textsFile: 'static/locales/ar.1.json',
      },
  );
  const clock = createTestClock();
  const failures: unknown[] = [];
  const pages = createDrawnPages({
    catalogue: {
      list: () => shown,
      countries: () => ['IN', 'BR', 'EG'].map((code) => ({ code, name: code, currencies: [] })),
      version: () => version,
      isListInPage: () => isListInPage,
    },
    drawer: { draw: drawn },
    limiter: createRateLimiter(clock),
    settings: { publicUrl: 'https://pay.example', isDebugAllowed: false, videoOrigins: [], reportPath: '/csp' },
    onFailure: (error) => failures.push(error),
  });
  return {
    drawn,
    clock,
    failures,
    find: (more: Partial<FirstListFacts> = {}, of = operator, caller = nextCaller(), isAwaited = false) =>
      pages.find({
        builtPage,
        operator: of,
        look: { ...look, isAwaited },
        texts,
        caller,
        address: { ...address, facts: { ...facts, ...more } },
      }),
    change: () => {
      version += 1;
    },
    replaceTexts: (version: number) => {
      texts = { folder: `texts/acme/${version}`, messagesIn: () => ({}) };
    },
    hide: () => {
      isListInPage = false;
    },
  };
}

test('[LIST-1] [UI-5] the page has the list, its data, its language, and not what only a call needs', async () => {
  const page = await create().find();
  const html = page?.bodyIn('identity').toString() ?? '';
  expect(html).toContain('<html lang="ar" dir="rtl" data-theme="dark">');
  expect(html).toContain('<title>Pay &lt;/title&gt; &amp; go</title>');
  expect(html).toContain('<div id="root" data-drawn><main>IN</main></div>');
  expect(html).toContain('<template data-opens="method a"><main>A</main></template>');
  expect(html).toContain('<style>.a{}</style></head>');
  expect(page?.policy).toMatch(/style-src 'self' 'sha256-[\w+/=]+';/);
  expect(html).not.toContain('client.js');
  expect(html).toContain('href="/cashier/static/locales/ar.1.json"');
  expect(html).not.toContain('<!--');
  const [, data] = /<script type="application\/json" id="first-list">(.*?)<\/script>/.exec(html) ?? [];
  expect(JSON.parse(data ?? '')).toEqual({ ...facts, locale: 'ar', formatLocale: 'ar', list });
});

test('[LIST-1] [UI-5] the page says before its header that the drawn list is wide', async () => {
  const html = '<header></header><main data-width="wide"></main>';
  const drawn = create(async (asked) => ({
    html,
    tilePages: [],
    title: 'Pay',
    direction: 'ltr',
    data: { ...asked, locale: 'en', formatLocale: 'en', list },
    textsFile: 'static/locales/en.1.json',
  }));
  const page = (await drawn.find())?.bodyIn('identity').toString() ?? '';
  expect(page).toContain(`<div id="root" data-drawn="wide">${html}</div>`);
});

test('[UI-9] [LIST-1] with a look of the host the list comes unseen, beside the shape of a list', async () => {
  const { find, drawn } = create();
  const html = (await find({}, operator, 'caller', true))?.bodyIn('identity').toString() ?? '';
  expect(html).toContain('<div id="root" data-drawn data-waits><main>IN</main></div><!--skeleton--><p>…</p>');
  expect(html).toContain('look.js');
  const plain = (await find({}, operator, 'caller'))?.bodyIn('identity').toString() ?? '';
  expect(plain).not.toContain('look.js');
  expect(plain).not.toContain('data-waits');
  expect(drawn).toHaveBeenCalledTimes(2);
});

test('[LIST-1] a text of the catalogue cannot leave its place in the data', async () => {
  const hostile = '</script><script>alert(1)</script><!-- \u2028 $&';
  const { find } = create((asked) =>
    Promise.resolve({
      html: '',
      tilePages: [{ opens: hostile, html: '', sheets: [] }],
      title: hostile,
      direction: 'ltr',
      data: { ...asked, locale: 'en', formatLocale: hostile, list },
      textsFile: 'static/locales/en.1.json',
    }),
  );
  const html = (await find())?.bodyIn('identity').toString() ?? '';
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toContain('alert(1)</script>');
});

test('[UI-5] a page has the pages of as many tiles as fit into its first round trip', async () => {
  const { find } = create((asked) =>
    Promise.resolve({
      html: '<main></main>',
      tilePages: Array.from({ length: 8 }, (_, at) => ({
        opens: `method m${at}`,
        html: randomBytes(2000).toString('hex'),
        sheets: [],
      })),
      title: '',
      direction: 'ltr',
      data: { ...asked, locale: 'en', formatLocale: 'en', list },
      textsFile: 'static/locales/en.1.json',
    }),
  );
  const page = await find();
  expect(page?.bodyIn('br').length).toBeLessThanOrEqual(14_000);
  const html = page?.bodyIn('identity').toString() ?? '';
  expect([...html.matchAll(/<template data-opens="([^"]*)"/g)].map(([, opens]) => opens)).toEqual([
    'method m0',
    'method m1',
    'method m2',
    'method m3',
    'method m4',
  ]);
});

test('[LIST-1] a page is drawn once, also for visitors who come at the same time, and again when the catalogue changes', async () => {
  const { find, drawn, change } = create();
  const [one, other] = await Promise.all([find(), find()]);
  expect(one).toBe(other);
  expect(await find()).toBe(one);
  expect(drawn).toHaveBeenCalledTimes(1);
  change();
  expect(await find()).not.toBe(one);
  expect(drawn).toHaveBeenCalledTimes(2);
});

test('[LIST-1] [UI-1] a page is drawn again with an operator’s own texts, and says where they are', async () => {
  const { find, drawn, replaceTexts } = create();
  const shipped = (await find())?.bodyIn('identity').toString() ?? '';
  expect(shipped).not.toContain('texts/acme');
  replaceTexts(3);
  const own = (await find())?.bodyIn('identity').toString() ?? '';
  expect(own).toContain('"texts":"texts/acme/3"');
  expect(drawn.mock.lastCall?.at(3)).toMatchObject({ folder: 'texts/acme/3' });
  await find();
  expect(drawn).toHaveBeenCalledTimes(2);
  replaceTexts(4);
  await find();
  expect(drawn).toHaveBeenCalledTimes(3);
});

test.each([
  ['hides its list', ({ hide }: ReturnType<typeof create>) => hide(), {}],
  ['has no such country', () => undefined, { country: 'XX' }],
])('[LIST-1] an operator that %s gets the page without a list, and nothing is drawn', async (_what, prepare, more) => {
  const made = create();
  prepare(made);
  expect(await made.find(more)).toBeUndefined();
  expect(made.drawn).not.toHaveBeenCalled();
});

test('[LIST-1] a drawing that fails is told, and the page comes without a list', async () => {
  const { find, failures } = create(() => Promise.reject(new Error('broken')));
  expect(await find()).toBeUndefined();
  expect(failures).toEqual([new Error('broken')]);
});

test('[SRV-9] strangers who ask for everything are bounded for each operator, and slow no other one down', async () => {
  const { find, drawn, clock } = create();
  const first = await find();
  for (let asked = 0; asked < 200; asked += 1) await find({ currency: `C${asked}` });
  // Beyond the drawings of a moment, pages come without their list.
  expect(drawn.mock.calls.length).toBe(40);
  expect(await find({ currency: 'NEW' })).toBeUndefined();
  expect(await find({}, { ...operator, id: 'op-2', partnerKey: 'other' })).toBeDefined();
  expect(await find()).toBe(first);
  // What was kept longest without a visitor goes first.
  for (let round = 0; round < 8; round += 1) {
    await clock.advanceAsync(3000);
    for (let asked = 0; asked < 60; asked += 1) await find({ currency: `R${round}C${asked}` });
  }
  await clock.advanceAsync(3000);
  expect(await find()).not.toBe(first);
});

test('[SRV-9] one visitor cannot use up the drawings of an operator', async () => {
  const { find, drawn } = create();
  for (let asked = 0; asked < 50; asked += 1) await find({ currency: `C${asked}` }, operator, 'one');
  expect(drawn).toHaveBeenCalledTimes(20);
  expect(await find({ currency: 'OTHER' }, operator, 'other')).toBeDefined();
});

test('[LIST-7] [UI-5] the page has the wallets of devices whose tiles its script can take out again, and no method of one user', async () => {
  const method = (name: string, more: object = {}) => ({ name, flags: {}, ...more });
  const wallet = (name: string, more: object = {}) => method(name, { flags: { deviceWallet: 'apple' }, ...more });
  const group = (name: string, paymentMethods: string[], display = 'list') => ({ name, paymentMethods, display });
  const { find, drawn } = create(undefined, {
    ...list,
    methods: [
      method('card'),
      wallet('beside-card'),
      wallet('on-a-shared-tile', { tile: 'cards' }),
      wallet('alone'),
      method('inside'),
      wallet('in-a-tile'),
      method('of-no-group'),
      wallet('of-no-group-either'),
      method('paid-cards', { flags: { paysToPaidCards: true } }),
    ],
    groups: [
      group('cards', ['card', 'beside-card', 'on-a-shared-tile', 'paid-cards']),
      group('wallets', ['alone']),
      group('more', ['inside', 'in-a-tile'], 'tile'),
    ],
  } as unknown as MethodList);
  await find();
  const listIn = drawn.mock.calls[0]?.[2] as (language: string) => MethodList;
  const { methods, groups } = listIn('en');
  const names = ['card', 'beside-card', 'inside', 'of-no-group', 'of-no-group-either'];
  expect(methods.map(({ name }) => name)).toEqual(names);
  expect(groups.map(({ paymentMethods }) => paymentMethods)).toEqual([['card', 'beside-card'], ['inside']]);
});

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createLocale, type Locale } from './locale.ts';
import { directionOf, formatLocaleOf } from './locale-name.ts';

const files: Record<string, unknown> = {
  '/cashier/static/locales/en.h1.json': {
    hello: 'Hello {name}',
    only: 'Only English',
    coins: ['count', { one: '{count} coin', other: '{count} coins' }],
  },
  '/cashier/static/locales/ar.h1.json': {
    hello: 'مرحبا {name}',
    coins: ['count', { two: 'عملتان', other: '{count} عملة' }],
    first: '{0} ثم {1}',
  },
  '/cashier/static/locales/hi.h1.json': { hello: 'नमस्ते' },
  '/cashier/texts/acme/7-3f9a1c2b/ar.h1.json': { hello: 'أهلا {name}' },
};
const built = 'h1 en ar hi fr';
const report = vi.fn();
const fetch = vi.fn((address: string) =>
  Promise.resolve({
    ok: address in files,
    status: address in files ? 200 : 404,
    json: () => Promise.resolve(files[address]),
  }),
);
let locale: Locale;

beforeEach(() => {
  report.mockReset();
  fetch.mockClear();
  locale = createLocale({ built, base: '/cashier/', fetch, report });
  vi.spyOn(console, 'warn').mockReturnValue();
});

describe('names', () => {
  test('Arabic and Urdu are written from the right', () => {
    expect(['ar', 'ur', 'en', 'hi-IN'].map(directionOf)).toEqual(['rtl', 'rtl', 'ltr', 'ltr']);
  });

  test('numbers follow the host as long as it is of the language shown', () => {
    expect(formatLocaleOf('en', 'en-gb')).toBe('en-GB');
    expect(formatLocaleOf('en', 'ar-EG')).toBe('en');
    expect(formatLocaleOf('en', 'en-@@')).toBe('en');
    expect(formatLocaleOf('bn', 'bn-BD')).toBe('bn-BD-u-nu-latn');
    expect(formatLocaleOf('mr', 'mr-@@')).toBe('mr-u-nu-latn');
    expect(formatLocaleOf('bn', 'bn-u-nu-beng')).toBe('bn-u-nu-beng');
  });
});

test.each([
  ['zh-TW', 'zh-Hant'],
  ['pt-AO', 'pt-PT'],
  ['ES_mx', 'es-MX'],
  ['hi-IN', 'hi'],
])('[HOST-8] the texts for %s are those of %s', async (asked, file) => {
  const opened = createLocale({ built: 'h1 en es-MX hi pt-PT zh-Hant', base: '/cashier/', fetch, report });
  await opened.show(asked);
  expect(fetch).toHaveBeenCalledWith(`/cashier/static/locales/${file}.h1.json`);
});

describe('texts', () => {
  test('loads one file, fills its names and numbers, and asks for no English while nothing is missing', async () => {
    await locale.show('ar-EG');
    const texts = locale.texts.getState();
    expect(texts).toMatchObject({ locale: 'ar', direction: 'rtl', formatLocale: 'ar-EG-u-nu-latn' });
    expect(texts.translate('hello', { name: 'ليلى' })).toBe('مرحبا ليلى');
    expect(texts.translate('first', { 0: 'أ', 1: 'ب' })).toBe('أ ثم ب');
    expect(fetch.mock.calls).toEqual([['/cashier/static/locales/ar.h1.json']]);
  });

  test('chooses the plural form by the rules of the language', async () => {
    await locale.show('ar');
    const { translate } = locale.texts.getState();
    expect(translate('coins', { count: 2 })).toBe('عملتان');
    expect(translate('coins', { count: 7 })).toBe('7 عملة');
    await locale.show('en');
    expect(locale.texts.getState().translate('coins', { count: 1 })).toBe('1 coin');
    expect(locale.texts.getState().translate('coins', { count: 0 })).toBe('0 coins');
  });

  test('[ERR-6] English that stands in for a missing text has the plural form of English, and numbers of the locale', async () => {
    await locale.show('hi-IN');
    expect(locale.texts.getState().translate('coins', { count: 1 })).toBe('');
    await vi.waitFor(() => expect(locale.texts.getState().translate('coins', { count: 0 })).toBe('0 coins'));
    expect(locale.texts.getState().translate('coins', { count: 100_000 })).toBe('1,00,000 coins');
  });

  test('a name without a value stays, and a value is never read as a pattern', async () => {
    await locale.show('en');
    const { translate } = locale.texts.getState();
    expect(translate('hello')).toBe('Hello {name}');
    expect(translate('hello', { constructor: 'x' } as Record<string, string>)).toBe('Hello {name}');
    expect(translate('hello', { name: '$& {name}' })).toBe('Hello $& {name}');
  });

  test('[ERR-6] a missing text is told once and comes in English as soon as English is there', async () => {
    await locale.show('ar');
    const before = locale.texts.getState();
    const seen = vi.fn();
    locale.texts.subscribe(seen);
    expect(before.translate('only')).toBe('');
    before.translate('only');
    await vi.waitFor(() => expect(seen).toHaveBeenCalledOnce());
    expect(locale.texts.getState()).not.toBe(before);
    expect(locale.texts.getState().translate('only')).toBe('Only English');
    locale.texts.getState().translate('only');
    expect(report.mock.calls).toEqual([['Missing translation for ar: only']]);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['a language that answers with an error', 'fr', 'fr'],
    ['a language that was never built', 'de-AT', 'de'],
  ])('[ERR-6] %s is reported and English is shown', async (_what, asked, named) => {
    await locale.show(asked);
    expect(locale.texts.getState()).toMatchObject({ locale: 'en', direction: 'ltr' });
    expect(locale.texts.getState().translate('hello', { name: 'you' })).toBe('Hello you');
    expect(report.mock.calls).toEqual([[`Locale receiving error ${named}`]]);
  });

  test('[ERR-6] a failing network ends in English keys rather than in an error', async () => {
    fetch
      .mockRejectedValueOnce(new TypeError('Failed to fetch'))
      .mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await locale.show('ar');
    expect(locale.texts.getState().locale).toBe('en');
    expect(report.mock.calls).toEqual([['Locale receiving error ar'], ['Locale receiving error en']]);
  });

  test('[UI-1] an operator’s own texts come in one request, with the built texts', async () => {
    const own = createLocale({ built, base: '/cashier/', ownTexts: 'texts/acme/7-3f9a1c2b', fetch, report });
    await own.show('ar');
    expect(own.texts.getState().translate('hello', { name: 'ليلى' })).toBe('أهلا ليلى');
    expect(fetch.mock.calls).toEqual([['/cashier/texts/acme/7-3f9a1c2b/ar.h1.json']]);
    expect(own.isOwnLost()).toBe(false);
  });

  test.each([
    ['are not there', () => undefined],
    ['cannot be reached', () => fetch.mockRejectedValueOnce(new TypeError('Failed to fetch'))],
  ])(
    '[UI-1] [ERR-6] own texts that %s are replaced by the built ones, and the host hears of it once',
    async (_what, prepare) => {
      prepare();
      const own = createLocale({ built, base: '/cashier/', ownTexts: 'texts/acme/8-3f9a1c2b', fetch, report });
      await own.show('ar');
      expect(own.texts.getState().translate('hello', { name: 'ليلى' })).toBe('مرحبا ليلى');
      expect(own.isOwnLost()).toBe(true);
      await own.show('hi');
      expect(report.mock.calls).toEqual([['Own texts receiving error ar']]);
    },
  );

  test('a variant without a file of its own takes its language', async () => {
    await locale.show('hi-IN');
    expect(locale.texts.getState()).toMatchObject({ locale: 'hi', formatLocale: 'hi-IN' });
    expect(report).not.toHaveBeenCalled();
  });

  test('loading the language that is the default still is a change that can be seen', async () => {
    const before = locale.texts.getState();
    const seen = vi.fn();
    locale.texts.subscribe(seen);
    await locale.show('en');
    expect(seen).toHaveBeenCalledOnce();
    expect(locale.texts.getState()).not.toBe(before);
  });

  test('the language asked for last wins, whichever file comes first', async () => {
    let late: () => void = () => {};
    fetch.mockImplementationOnce(async () => {
      await new Promise<void>((resolve) => {
        late = resolve;
      });
      return { ok: true, status: 200, json: () => Promise.resolve({ hello: 'late' }) };
    });
    const first = locale.show('ar');
    await locale.show('hi');
    late();
    await first;
    expect(locale.texts.getState().locale).toBe('hi');
  });

  test('texts of the server are picked by language, then in English', async () => {
    await locale.show('hi-IN');
    const { pick } = locale.texts.getState();
    expect(pick({ hi: 'कार्ड', en: 'Card' })).toBe('कार्ड');
    expect(pick({ de: 'Karte', en: 'Card' })).toBe('Card');
    expect(pick(undefined)).toBe('');
  });
});

describe('the language that calls ask for', () => {
  test('[HOST-16] is the wanted one before its file is there, and English when it cannot be had', async () => {
    const shown = locale.show('ar-EG');
    expect(locale.asked()).toBe('ar');
    expect(locale.texts.getState().locale).toBe('en');
    await shown;
    expect(locale.asked()).toBe('ar');
    await locale.show('fr');
    expect(locale.asked()).toBe('en');
  });
});

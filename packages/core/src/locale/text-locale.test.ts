import { describe, expect, test } from 'vitest';
import { textLocaleOf } from './text-locale.ts';

describe('[HOST-8] [UI-1] the language of the texts', () => {
  test.each([
    ['en-US', 'en'],
    ['AR-eg', 'ar'],
    ['hi-Latn-IN', 'hi-Latn-IN'],
    ['hi-latn', 'hi-Latn-IN'],
    ['hi-in', 'hi-IN'],
    ['es_MX', 'es-MX'],
    ['es-ES', 'es-ES'],
    ['es-AR', 'es'],
    ['', 'en'],
    ['../../etc', 'en'],
    ['12', 'en'],
    ['english', 'en'],
    ['de-', 'en'],
    ['x-private', 'en'],
    ['de_DE.UTF-8', 'de'],
    [' fr ', 'fr'],
  ])('%s is read as %s', (asked, tag) => expect(textLocaleOf(asked)).toBe(tag));

  test.each([
    ['es-MX-u-nu-latn', 'es-MX'],
    ['es-Latn-MX', 'es-MX'],
    ['hi-IN-u-nu-deva', 'hi-IN'],
    ['hi-Latn-IN-u-nu-deva', 'hi-Latn-IN'],
    ['pt-Latn-PT', 'pt-PT'],
    ['pt-BR-u-nu-latn', 'pt'],
    ['zh-Hans-TW-x-own', 'zh'],
    ['de-DE-1996', 'de'],
  ])('scripts and extensions do not hide a variant: %s is %s', (asked, tag) => expect(textLocaleOf(asked)).toBe(tag));

  test.each([
    ['in-ID', 'id'],
    ['tl-PH', 'fil'],
    ['iw', 'he'],
    ['mo', 'ro'],
    ['cmn-TW', 'zh-Hant'],
    ['deu', 'de'],
  ])('an old or long code is that of today: %s is %s', (asked, tag) => expect(textLocaleOf(asked)).toBe(tag));

  test.each([
    ['pt', 'pt'],
    ['pt-BR', 'pt'],
    ['pt_br', 'pt'],
    ['pt-419', 'pt'],
    ['pt-PT', 'pt-PT'],
    ['pt-AO', 'pt-PT'],
    ['pt-mz', 'pt-PT'],
  ])('Portuguese is Brazilian, except for other countries: %s is %s', (asked, tag) =>
    expect(textLocaleOf(asked)).toBe(tag),
  );

  test.each([
    ['zh', 'zh'],
    ['zh-CN', 'zh'],
    ['zh-Hans-HK', 'zh'],
    ['zh-TW', 'zh-Hant'],
    ['zh_HK', 'zh-Hant'],
    ['zh-Hant-MO', 'zh-Hant'],
    ['ZH-HANT', 'zh-Hant'],
  ])('Chinese has the characters of its readers: %s is %s', (asked, tag) => expect(textLocaleOf(asked)).toBe(tag));
});

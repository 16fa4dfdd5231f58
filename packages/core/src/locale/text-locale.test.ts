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
  ])('%s is read as %s', (asked, tag) => expect(textLocaleOf(asked)).toBe(tag));

  test.each([
    ['pt', 'pt'],
    ['pt-BR', 'pt'],
    ['pt_br', 'pt'],
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

import { expect, test } from 'vitest';
import { wordFiles } from '../languages/word-files.ts';
import { pageTexts } from './plain-page.ts';

const { locale: _l, direction: _d, ...english } = pageTexts('en');

test.each([
  ['de', 'de', 'ltr'],
  ['de-AT,de;q=0.9,en;q=0.5', 'de', 'ltr'],
  ['es-mx', 'es-MX', 'ltr'],
  ['es-AR', 'es', 'ltr'],
  ['hi-IN', 'hi-IN', 'ltr'],
  ['hi-Latn-IN', 'hi-Latn-IN', 'ltr'],
  ['ar-EG', 'ar', 'rtl'],
  ['ur', 'ur', 'rtl'],
  ['sv', 'en', 'ltr'],
  ['constructor', 'en', 'ltr'],
  [undefined, 'en', 'ltr'],
])('[UI-2] the pages between speak to %s in %s', (asked, locale, direction) => {
  expect(pageTexts(asked)).toMatchObject({ locale, direction });
});

test('[UI-1] they speak every language, and none of it is English', () => {
  for (const language of Object.keys(wordFiles).filter((tag) => tag !== 'en')) {
    for (const [name, text] of Object.entries(pageTexts(language))) {
      if (name in english) expect(text, `${language}: ${name}`).not.toBe(english[name as keyof typeof english]);
    }
  }
});

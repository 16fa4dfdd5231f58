import { expect, test } from 'vitest';
import { languages } from '../../../../scripts/locales/languages.mjs';
import { choiceLists } from './choices.ts';
import { languageName } from './language-name.ts';

test.each([
  ['ar', 'العربية (ar)'],
  ['de', 'Deutsch (de)'],
  ['es-MX', 'español de México (es-MX)'],
  ['xx', 'xx'],
])('%s is called %s', (tag, name) => {
  expect(languageName(tag)).toBe(name);
});

test('[UI-1] the drawer offers every language of the cashier', () => {
  expect([...choiceLists.locale].sort()).toEqual([...languages].sort());
});

import { expect, test } from 'vitest';
import type { Texts } from '../session/services.tsx';
import { plural } from './plural.ts';

const forms: Record<string, string> = {
  'spins.one': '{count} вращение, от {from}',
  'spins.many': '{count} вращений, от {from}',
  'spins.other': '{count} вращения, от {from}',
};
const texts: Texts = {
  locale: 'ru',
  direction: 'ltr',
  formatLocale: 'ru',
  translate: (key, params = {}) => (forms[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(params[name])),
  has: (key) => key in forms,
  pick: () => '',
};

test.each([
  [21, '21 вращение, от 5 €'],
  [5, '5 вращений, от 5 €'],
  // The file has no form for a few: `other` stands in for it.
  [2, '2 вращения, от 5 €'],
])('[UI-1] %d is said in the form of its number, with what else the text names', (count, said) => {
  expect(plural(texts, 'spins', count, { from: '5 €' })).toBe(said);
});

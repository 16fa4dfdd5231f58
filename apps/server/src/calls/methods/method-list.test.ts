import { expect, test } from 'vitest';
import { flattened } from './method-list.ts';

test.each([
  ['de', { en: 'All methods', de: 'Alle Zahlungsarten' }],
  ['en', { en: 'All methods' }],
  ['sv', { en: 'All methods', sv: 'All methods' }],
])('[UI-1] the name of the flat group is in the language %s', (language, label) => {
  const method = { name: 'card' };
  const list = { methods: [method], groups: [] } as unknown as Parameters<typeof flattened>[0];
  expect(flattened(list, language).groups).toMatchObject([{ name: 'all', label, paymentMethods: ['card'] }]);
});

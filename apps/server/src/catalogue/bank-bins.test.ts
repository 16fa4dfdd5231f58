import { expect, test } from 'vitest';
import { bankOfCard, createBankLookup } from './bank-bins.ts';
import { CatalogueError } from './catalogue-file.ts';

test('[FORM-12] finds the bank by the longest matching prefix', () => {
  const bankOf = createBankLookup([
    { prefix: '4000', name: 'Four' },
    { prefix: '400012', name: 'Six', country: 'IN' },
    { prefix: '40001234', name: 'Eight', country: 'BR' },
  ]);
  expect(bankOf('400099')).toEqual({ name: 'Four' });
  expect(bankOf('400012')).toEqual({ name: 'Six', country: 'IN' });
  expect(bankOf('40001299')).toEqual({ name: 'Six', country: 'IN' });
  expect(bankOf('40001234')).toEqual({ name: 'Eight', country: 'BR' });
  expect(bankOf('499999')).toBeUndefined();
});

test('the shipped table is valid, and an invalid table stops the start', () => {
  expect(bankOfCard('427638')).toEqual({ name: 'Sberbank', country: 'RU' });
  for (const bad of [
    [{ prefix: '12', name: 'short' }],
    [
      { prefix: '1234', name: 'a' },
      { prefix: '1234', name: 'b' },
    ],
    [{ prefix: '1234', name: 'a', country: 'india' }],
    {},
  ]) {
    expect(() => createBankLookup(bad)).toThrow(CatalogueError);
  }
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchableDestination } from './searchable-destination.ts';

describe('[SRV-1] every spelling of a destination gives the same search value', () => {
  test.each([
    ['DE89 3704 0044 0532 0130 00', 'de89370400440532013000'],
    ['+55 (11) 98765-4321', '5511987654321'],
    ['123.456.789-00', '12345678900'],
    [' Ann.B-c@OkBank ', 'ann.b-c@okbank'],
    ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'tjrabprwbzy45sbavfcjinpjc18kjprtv8'],
    ['٤٠٨١٧٨١٠', '٤٠٨١٧٨١٠'],
  ])('%s', (typed, value) => {
    expect(searchableDestination(typed)).toBe(value);
  });

  test.each(['Anita Rao', '', '12 34', ' - '])('%j gives no search value', (typed) => {
    expect(searchableDestination(typed)).toBeUndefined();
  });

  test('spaces, hyphens, dots and capitals make no difference', () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 5, maxLength: 30 });
    fc.assert(
      fc.property(digits, fc.constantFrom(' ', '-', '.', ' - '), (list, between) => {
        expect(searchableDestination(`de${list.join(between)}`)).toBe(searchableDestination(`DE${list.join('')}`));
      }),
    );
  });
});

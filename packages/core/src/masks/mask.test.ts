import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyMask, isDate, parseMask } from './mask.ts';

const mask = (pattern: string, text: string) => applyMask(parseMask(pattern), text);

describe('[FORM-8] masks', () => {
  test.each([
    ['0000 0000', '12345678', '1234 5678', '12345678', true],
    ['0000 0000', '1234 5', '1234 5', '12345', false],
    ['0000 0000', '1234', '1234', '1234', false],
    ['(00) 00', 'x12y34z', '(12) 34', '1234', true],
    ['(00)', '12', '(12)', '12', true],
    ['aa-00', '1ab2', 'ab-2', 'ab2', false],
    ['**', 'é9', 'é9', 'é9', true],
    ['\\0-##', '12', '0-12', '12', true],
    ['+7 000', '+7 123', '+7 123', '123', true],
  ])('pattern %s over %j shows %j', (pattern, text, shown, raw, isComplete) => {
    expect(mask(pattern, text)).toEqual({ text: shown, raw, isComplete });
  });

  test.each([
    ['31122024', '31.12.2024', true],
    ['1.2.1999', '01.02.1999', true],
    ['29.02.2023', '29.02.2023', false],
    ['29022024', '29.02.2024', true],
    ['31.12.1899', '31.12.1899', false],
    ['01.01.1900', '01.01.1900', true],
    ['31.12.9999', '31.12.9999', true],
    ['00.01.2000', '00.01.2000', false],
    ['01.13.2000', '01.13.2000', false],
    ['3112', '31.12', false],
    ['311220245', '31.12.2024', true],
  ])('date: %j shows %j', (text, shown, isComplete) => {
    expect(mask('DD.MM.YYYY', text)).toMatchObject({ text: shown, isComplete });
  });

  test('a date is a day of the calendar and nothing else', () => {
    expect(['1.1.2000', '01/01/2000', '2000.01.01', ''].map(isDate)).toEqual([false, false, false, false]);
  });

  test.each([
    ['31', '31', true],
    ['32', '3', true],
    ['0', '0', false],
    ['07', '7', true],
    ['a1b2', '12', true],
    ['', '', false],
  ])('range 1-31: %j shows %j', (text, shown, isComplete) => {
    expect(mask('range:1-31', text)).toMatchObject({ text: shown, isComplete });
  });

  test.each([
    ['ab', 'AB', true],
    ['c', 'C', false],
    ['cx', 'C', false],
    ['xAB', 'AB', true],
  ])('enum AB|CD: %j shows %j', (text, shown, isComplete) => {
    expect(mask('enum:AB|CD', text)).toMatchObject({ text: shown, isComplete });
  });

  test('what a mask shows is shown the same when it is masked again', () => {
    const patterns = fc.constantFrom('0000 0000', '(00) 00-00', 'aa-00', 'DD.MM.YYYY', 'range:1-500', 'enum:AB|CD|ABC');
    fc.assert(
      fc.property(patterns, fc.string({ unit: fc.constantFrom(...'0123456789abcABCD.-( )') }), (pattern, text) => {
        const once = mask(pattern, text);
        expect(mask(pattern, once.text)).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });
});

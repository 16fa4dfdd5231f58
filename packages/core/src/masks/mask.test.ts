import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyMask, fitsMask, isDate, parseMask } from './mask.ts';

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
    ['aaaa\\0***', 'HDFC0', 'HDFC0', 'HDFC', false],
    ['aaaa\\0***', 'HDFC0000', 'HDFC0000', 'HDFC000', true],
    ['aaaa\\0***', 'HDFC12Z', 'HDFC012Z', 'HDFC12Z', true],
    ['Z##', 'z12', 'Z12', '12', true],
    ['###.##', '123-', '123.', '123', false],
  ])('pattern %s over %j shows %j', (pattern, text, shown, raw, isComplete) => {
    expect(mask(pattern, text)).toMatchObject({ text: shown, raw, isComplete });
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
    ['2024-12-31', '31.12.2024', true],
    ['2024-12-31T00:00:00.000Z', '31.12.2024', true],
    ['31/12/2024', '31.12.2024', true],
    ['31-1-2024', '31.01.2024', true],
    ['2024-13-31', '31.13.2024', false],
  ])('date: %j shows %j', (text, shown, isComplete) => {
    expect(mask('DD.MM.YYYY', text)).toMatchObject({ text: shown, isComplete });
  });

  test('a date is a calendar day and nothing else', () => {
    expect(['1.1.2000', '01/01/2000', '2000.01.01', ''].map(isDate)).toEqual([false, false, false, false]);
  });

  test.each([
    ['31', '31', true],
    ['32', '32', false],
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
    ['cx', 'cx', false],
    ['ABC', 'ABC', false],
    [' ab ', 'AB', true],
  ])('enum AB|CD: %j shows %j', (text, shown, isComplete) => {
    expect(mask('enum:AB|CD', text)).toMatchObject({ text: shown, isComplete });
  });

  test('masking a masked text again changes nothing', () => {
    const patterns = fc.constantFrom('0000 0000', '(00) 00-00', 'aa-00', 'DD.MM.YYYY', 'range:1-500', 'enum:AB|CD|ABC');
    fc.assert(
      fc.property(patterns, fc.string({ unit: fc.constantFrom(...'0123456789abcABCD.-( )') }), (pattern, text) => {
        const once = mask(pattern, text);
        expect(mask(pattern, once.text)).toEqual({ ...once, lost: '' });
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['0000', '12345', '5'],
    ['0000', '1a2', 'a'],
    ['0000', '12-34 ', ''],
    ['aa-00', 'A1', '1'],
    ['DD.MM.YYYY', '31.12.20245', '5'],
    ['DD.MM.YYYY', '1 May', 'May'],
    ['range:1-28', '311', '1'],
    ['range:1-28', '-5', '-'],
    ['range:1-28', '1.5', '.'],
    ['enum:MR|MS|MX', 'Mrs', ''],
  ])('%s does not fit a part of %j: %j', (pattern, text, lost) => {
    expect(mask(pattern, text).lost).toBe(lost);
  });

  test('every letter and digit of a text is shown or reported as lost', () => {
    const patterns = fc.constantFrom('0000 0000', '(00) 00-00', 'aa-00', 'aaaa\\0***', 'range:1-500', 'enum:AB|CD|ABC');
    const count = (text: string) => [...text].filter((char) => /[a-z0-9]/i.test(char)).length;
    fc.assert(
      fc.property(patterns, fc.string({ unit: fc.constantFrom(...'123456789abcABCD.-( )') }), (pattern, text) => {
        const { text: shown, lost } = mask(pattern, text);
        const literals = pattern.includes('\\') && shown.length > 4 ? 1 : 0;
        expect(count(shown) - literals + count(lost)).toBe(count(text));
      }),
      { numRuns: 1000 },
    );
  });

  test('a text with characters left over does not fit', () => {
    expect(fitsMask(parseMask('0000'), '1234')).toBe(true);
    expect(fitsMask(parseMask('0000'), '12345')).toBe(false);
    expect(fitsMask(parseMask('aaaa\\0***'), 'HDFC0000')).toBe(true);
    expect(fitsMask(parseMask('range:1-28'), '31')).toBe(false);
  });
});

import { typingRules } from '@opencashier/core/amount/type-amount';
import { SPECIFIED_LOCALES } from '@opencashier/core/money/locales.fixture';
import { toDecimalString } from '@opencashier/core/money/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AmountWriting, editAmountText, pasteAmount, showAmount } from './amount-text.ts';

const writingIn = (locale: string, max?: bigint): AmountWriting => ({ rules: typingRules('INR', locale, max), locale });
const english = writingIn('en');

/** Types keys one after the other, as a browser reports them. `<` and `>` delete. */
function type(keys: string, writing = english, start = { text: '', caret: 0 }) {
  let { text, caret } = start;
  let typed = '';
  for (const key of keys) {
    const backward = key === '<';
    const forward = key === '>';
    const left = backward ? text.slice(0, Math.max(caret - 1, 0)) : text.slice(0, caret) + (forward ? '' : key);
    const right = text.slice(forward ? caret + 1 : caret);
    const edit = editAmountText(
      {
        previous: text,
        text: left + right,
        caret: left.length,
        deletes: backward ? 'backward' : forward ? 'forward' : undefined,
      },
      writing,
    );
    ({ text, caret, typed } = edit);
  }
  return { text, caret, typed, marked: `${text.slice(0, caret)}|${text.slice(caret)}` };
}

const at = (marked: string) => ({ text: marked.replace('|', ''), caret: marked.indexOf('|') });

describe('[AMT-1] typing', () => {
  test.each([
    ['|', '1500', '1,500|'],
    ['|', '1500.5', '1,500.5|'],
    ['|', '.5', '0.5|'],
    ['5|.50', '<', '|0.50'],
    ['|0.50', '>', '0|.50'],
    ['1|2.50', '.', '1|2.50'],
    ['12|.50', ',', '12.|50'],
    ['1,|234', ',', '1,|234'],
    ['|', '12,50', '12.50|'],
    ['|', '1,2,5', '1.25|'],
    ['|', '007', '7|'],
    ['|', '-1e5', '15|'],
    ['1,5|00', '2', '15,2|00'],
    ['|1,500', '9', '9|1,500'],
    ['1,500|', '<', '150|'],
    ['1,|500', '<', '|500'],
    ['1|,500', '>', '1|00'],
    ['12|34', '.', '12.|34'],
    ['12.|34', '<', '12|34'],
    ['1,234.|', '5', '1,234.5|'],
    ['1,234.56|', '7', '1,234.56|'],
  ])('%s and %j is %s', (before, keys, after) => {
    const start = at(before);
    expect(type(keys, english, start).marked.replaceAll(',', '')).toBe(after.replaceAll(',', ''));
    expect(type(keys, english, start).text).toBe(showAmount(type(keys, english, start).typed, english));
  });

  test('a digit too many in the middle never pushes another one out', () => {
    const narrow = writingIn('en', 100_000n);
    expect(type('9', narrow, at('12,|345')).marked).toBe('12,|345');
    expect(type('9', english, at('1.|25')).marked).toBe('1.|25');
    expect(type('.', english, at('12|3,456')).marked).toBe('12|3,456');
  });

  test('digits of other scripts and widths', () => {
    expect(type('١٢٣٤').text).toBe('1,234');
    expect(type('१२३४', writingIn('hi')).typed).toBe('1234');
    expect(type('１２').text).toBe('12');
  });

  test('an amount that is longer than the limits allow stays as it is, and can be shortened', () => {
    const narrow = writingIn('en', 1000n);
    expect(showAmount('50000', narrow)).toBe('50,000');
    expect(type('<', narrow, at('50,000|')).text).toBe('5,000');
  });
});

describe('[AMT-2] pasting', () => {
  const paste = (marked: string, inserted: string, writing = english) => {
    const [before = '', selected = '', after = ''] = marked.split('|');
    return pasteAmount(
      { previous: before + selected + after, start: before.length, end: (before + selected).length, inserted },
      writing,
    );
  };
  test.each([
    ['||', '1 500,50', '1,500.50', '1500.50'],
    ['||', '1\u202f500', '1,500', '1500'],
    ['||', '1’500.25', '1,500.25', '1500.25'],
    ['||', '١٬٥٠٠٫٢٥', '1,500.25', '1500.25'],
    ['|9,999|', '20', '20', '20'],
    ['5||', '000', '5,000', '5000'],
    ['1,5||00', '7', '15,700', '15700'],
    ['12||', '.5', '12.5', '12.5'],
    ['||', '.5', '0.5', '0.5'],
    ['||', '₹1,234.56', '1,234.56', '1234.56'],
    ['||', '25 INR', '25', '25'],
  ])('into %s: %j shows %j', (marked, inserted, text, typed) => {
    expect(paste(marked, inserted)).toMatchObject({ text, typed });
  });

  test.each([
    ['||', '1,234', 'ambiguous'],
    ['||', '1.234', 'too-many-decimals'],
    ['||', '25 USD', 'malformed'],
    ['||', '-5', 'negative'],
    ['||', '1e5', 'malformed'],
    ['||', 'INR', 'malformed'],
    ['||', '1.2345', 'too-many-decimals'],
    ['1.5||', '2.5', 'ambiguous'],
    ['||', '9'.repeat(30), 'too-long'],
  ])('into %s: %j is refused as %s, and nothing changes', (marked, inserted, fault) => {
    const before = marked.replaceAll('|', '');
    expect(paste(marked, inserted)).toMatchObject({ text: before, fault });
  });

  test('a keyboard that inserts a whole word is a paste', () => {
    expect(editAmountText({ previous: '', text: '1 500,5', caret: 7, deletes: undefined }, english).typed).toBe(
      '1500.5',
    );
    expect(editAmountText({ previous: '', text: '1,234', caret: 5, deletes: undefined }, english)).toMatchObject({
      text: '',
      fault: 'ambiguous',
    });
  });
});

test('[AMT-1] [AMT-2] after any edit the field shows exactly the amount that it means, in every locale', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SPECIFIED_LOCALES),
      fc.string({ unit: fc.constantFrom(...'0123456789.,٫ -e٣<>१'), maxLength: 14 }),
      fc.nat(20),
      fc.string({ unit: fc.constantFrom(...'0123456789.,<>'), maxLength: 6 }),
      (locale, first, place, second) => {
        const writing = writingIn(locale, 10_000_000n);
        const once = type(first, writing);
        const again = type(second, writing, { text: once.text, caret: Math.min(place, once.text.length) });
        expect(again.caret).toBeLessThanOrEqual(again.text.length);
        if (second === '') return;
        expect(again.text).toBe(showAmount(again.typed, writing));
        expect(again.typed).toMatch(/^(?:\d+(?:\.\d{0,2})?)?$/);
      },
    ),
    { numRuns: 3000 },
  );
});

test('[AMT-2] the value that is read is the value shown, digit for digit, in every locale', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SPECIFIED_LOCALES),
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.boolean(),
      (locale, minor, isWhole) => {
        const decimal = isWhole ? `${minor / 100n}` : toDecimalString(minor, 2);
        const writing = writingIn(locale);
        const shown = showAmount(decimal, writing);
        const kept = { previous: shown, text: shown, caret: shown.length, deletes: undefined };
        expect(editAmountText(kept, writing)).toMatchObject({ text: shown, typed: decimal });
      },
    ),
    { numRuns: 2000 },
  );
  expect(showAmount('', english)).toBe('');
  expect(type('12.').typed).toBe('12.');
});

describe('[AMT-1] every decimal key', () => {
  const key = fc.constantFrom(...'.,٫');
  const cents = fc.bigInt({ min: 0n, max: 10n ** 11n });

  test('typing an amount with either key gives that amount, in every locale', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SPECIFIED_LOCALES), key, cents, (locale, point, minor) => {
        const [whole = '', fraction = ''] = toDecimalString(minor, 2).split('.');
        expect(type(`${whole}${point}${fraction}`, writingIn(locale)).typed).toBe(`${whole}.${fraction}`);
      }),
      { numRuns: 4000 },
    );
  });

  test('decimals without a whole number before them are decimals, in every locale', () => {
    for (const locale of SPECIFIED_LOCALES) {
      for (const point of '.,٫') expect(type(`${point}50`, writingIn(locale)).typed, locale).toBe('0.50');
    }
  });

  test('several keys inserted at once mean the same as single keys', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SPECIFIED_LOCALES),
        key,
        fc.bigInt({ min: 1n, max: 99_999n }),
        (locale, point, n) => {
          const writing = writingIn(locale);
          const text = `${n}${point}`;
          const edit = editAmountText({ previous: '', text, caret: text.length, deletes: undefined }, writing);
          expect(type('25', writing, edit).typed).toBe(`${n}.25`);
        },
      ),
    );
  });
});

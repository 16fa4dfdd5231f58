import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromDecimalText, toDecimalText } from './money-units.ts';
import { ListError, MOST_LISTED, readListAnswer, TRANSACTION_KINDS } from './transaction-list.ts';

const asked = { from: '2026-01-31T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
const payment = { kind: 'payment', references: ['p-1'], currency: 'EUR', amount: '25.50', at: '2026-01-31T10:00:00Z' };
const page = (...transactions: unknown[]) => ({ kind: 'page', transactions });

describe('[SRV-1] a page of a list', () => {
  test('keeps what the interface names, and nothing else', () => {
    const row = { ...payment, ownId: 'deposit', fee: '0.30', payer: 'somebody' };
    const { payer: _payer, ...kept } = row;
    expect(readListAnswer({ ...page(row), next: 'n' }, asked)).toEqual({ ...page(kept), next: 'n' });
    expect(readListAnswer({ kind: 'refused', code: 'http-403' }, asked)).toEqual({ kind: 'refused', code: 'http-403' });
  });

  test.each([
    [undefined, 'the list is no object'],
    [{ kind: 'pages' }, 'kind is neither'],
    [{ kind: 'refused', code: 'the key sk_1' }, 'code is no text'],
    [{ kind: 'page' }, 'transactions is no list'],
    [page({ ...payment, kind: 'reserve' }), 'transactions.0.kind is none of payment'],
    [page(payment, { ...payment, amount: 25.5 }), 'transactions.1.amount is no decimal text'],
    [page({ ...payment, amount: '25,50' }), 'transactions.0.amount: The amount is no decimal number'],
    [page({ ...payment, amount: '25.505' }), 'transactions.0.amount: The amount is finer'],
    [page({ ...payment, fee: '1e2' }), 'transactions.0.fee'],
    [page({ ...payment, currency: 'eur' }), 'transactions.0.currency is no text'],
    [page({ ...payment, currency: 'QQQ' }), 'does not know the currency QQQ'],
    [page({ ...payment, kind: 'fee' }), 'transactions.0.amount of a fee is not 0'],
    [page({ ...payment, at: '2026-01-31T10:00:00' }), 'transactions.0.at is no text'],
    [page({ ...payment, at: '2026-13-31T10:00:00Z' }), 'transactions.0.at is no time'],
    [page({ ...payment, at: asked.to }), 'transactions.0.at is outside the period'],
    [page({ ...payment, at: '2026-01-31T00:30:00+01:00' }), 'transactions.0.at is outside the period'],
    [page({ ...payment, references: 'p-1' }), 'transactions.0.references'],
    [page({ ...payment, references: Array(6).fill('p') }), 'transactions.0.references'],
    [page({ ...payment, references: ['a\u0000b'] }), 'transactions.0.references'],
    [{ ...page(), next: '' }, 'next is no text'],
    [{ ...page(), next: 'x'.repeat(501) }, 'next is no text'],
  ])('%j is refused by its place', (answer, words) => {
    const read = () => readListAnswer(answer, asked);
    expect(read).toThrow(ListError);
    expect(read).toThrow(words);
  });

  test('its beginning is part of the period, in any zone', () => {
    for (const at of [asked.from, '2026-01-31T01:00:00+01:00', '2026-01-31T23:59:59.999Z']) {
      expect(readListAnswer(page({ ...payment, at }), asked)).toMatchObject({ transactions: [{ at }] });
    }
  });

  test('the cursor that was asked for, too many rows and too many characters are refused', () => {
    expect(() => readListAnswer({ ...page(), next: 'n' }, { ...asked, cursor: 'n' })).toThrow('next repeats');
    const most = Array(MOST_LISTED).fill(payment);
    expect(readListAnswer(page(...most), asked)).toMatchObject({ kind: 'page' });
    expect(() => readListAnswer(page(...most, payment), asked)).toThrow('has 1001 rows');
    const long = { ...payment, references: Array(5).fill('r'.repeat(500)) };
    expect(() => readListAnswer(page(...Array(300).fill(long)), asked)).toThrow('more than 600000 characters');
  });

  test('every amount that a currency can express passes exactly', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TRANSACTION_KINDS.filter((kind) => kind !== 'fee')),
        fc.constantFrom('EUR', 'JPY', 'BHD', 'BTC'),
        fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }),
        (kind, currency, minor) => {
          const row = { ...payment, kind, currency, amount: toDecimalText(minor, currency) };
          const read = readListAnswer(page(row), asked);
          const amount = read.kind === 'page' ? read.transactions[0]?.amount : undefined;
          expect(fromDecimalText(amount ?? '', currency)).toBe(minor);
        },
      ),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readInvoice } from './bolt11.ts';

/** Data of any invoice. Its length is that of the shortest. */
const data = 'q'.repeat(120);

describe('[SRV-4] an invoice of Lightning', () => {
  test.each([
    // The examples of BOLT 11.
    ['lnbc2500u1', 'bc', 250_000_000n],
    ['lnbc20m1', 'bc', 2_000_000_000n],
    ['lnbc25m1', 'bc', 2_500_000_000n],
    ['lntb20m1', 'tb', 2_000_000_000n],
    ['lnbcrt10n1', 'bcrt', 1_000n],
    ['lntbs1', 'tbs', undefined],
    ['lnbc9678785340p1', 'bc', 967_878_534n],
    ['lnbc11', 'bc', 100_000_000_000n],
  ])('%s is read', (head, network, amountMsat) => {
    expect(readInvoice(head + data)).toEqual({ network, amountMsat });
    expect(readInvoice((head + data).toUpperCase())).toEqual({ network, amountMsat });
  });

  test.each([
    ['another kind of text', `lightning:lnbc1${data}`],
    ['a fraction of the smallest unit', `lnbc1p1${data}`],
    ['an amount with a zero before it', `lnbc010n1${data}`],
    ['mixed case', `lnbc10n1${data.slice(1)}Q`],
    ['no data', 'lnbc10n1'],
    ['another network', `lnltc10n1${data}`],
  ])('is not read from %s', (_what, text) => {
    expect(readInvoice(text)).toBeUndefined();
  });

  test('whole satoshis survive every unit in which they can be written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2_100_000_000_000_000n }), (sat) => {
        expect(readInvoice(`lnbc${sat * 10n}n1${data}`)?.amountMsat).toBe(sat * 1000n);
        expect(readInvoice(`lnbc${sat * 10_000n}p1${data}`)?.amountMsat).toBe(sat * 1000n);
      }),
    );
  });

  test('no text makes it fail', () => {
    fc.assert(fc.property(fc.string(), (text) => void readInvoice(text)));
  });
});

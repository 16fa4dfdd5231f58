import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bip21Uri, eip681Uri, solanaPayUri, tonUri, tronCode } from './crypto-uri.ts';
import { epcCode } from './epc-code.ts';
import { crc16, pixCode } from './pix-code.ts';
import { UPI_APPS, upiLink } from './upi-link.ts';

/** Reads a code by the rules of the standard, without code of the builder. */
function readTlv(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const length = Number(text.slice(at + 2, at + 4));
    fields.set(text.slice(at, at + 2), text.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

const amountOf = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
const cents = fc.integer({ min: 1, max: 99_999_999 });
const alphanumeric = (max: number) =>
  fc.string({
    unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'),
    minLength: 1,
    maxLength: max,
  });
const printable = (max: number) =>
  fc.string({ minLength: 1, maxLength: max }).filter((text) => text.trim() === text && text !== '');

describe('Pix', () => {
  // The static code in the manual of the Central Bank of Brazil.
  const published =
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';

  test('[DEP-6] equals the code that the standard publishes', () => {
    expect(pixCode({ key: '123e4567-e12b-12d1-a456-426655440000', name: 'Fulano de Tal', city: 'BRASILIA' })).toBe(
      published,
    );
  });

  test('uses the check value of CRC-16/CCITT-FALSE', () => {
    expect(crc16('123456789')).toBe('29B1');
  });

  test('can be read back', () => {
    fc.assert(
      fc.property(printable(25), printable(15), cents, alphanumeric(25), (name, city, paid, reference) => {
        const code = pixCode({ key: 'pix@shop.example', name, city, amount: amountOf(paid), reference });
        const fields = readTlv(code);
        expect([...fields.keys()]).toEqual(['00', '26', '52', '53', '54', '58', '59', '60', '62', '63']);
        expect(readTlv(fields.get('26') ?? '').get('01')).toBe('pix@shop.example');
        expect(fields.get('54')).toBe(amountOf(paid));
        expect([fields.get('59'), fields.get('60')]).toEqual([name, city]);
        expect(readTlv(fields.get('62') ?? '').get('05')).toBe(reference);
        expect(crc16(code.slice(0, -4))).toBe(fields.get('63'));
      }),
    );
  });

  test('detects any single changed character', () => {
    fc.assert(
      fc.property(fc.nat(published.length - 1), fc.integer({ min: 0x20, max: 0x7e }), (at, byte) => {
        const changed = published.slice(0, at) + String.fromCharCode(byte) + published.slice(at + 1);
        fc.pre(changed !== published);
        expect(crc16(changed.slice(0, -4))).not.toBe(changed.slice(-4));
      }),
    );
  });

  test('removes accents that not every reader accepts, and refuses values that no code can carry', () => {
    expect(readTlv(pixCode({ key: 'k', name: 'João Açaí', city: 'São Paulo' })).get('59')).toBe('Joao Acai');
    expect(() => pixCode({ key: 'k', name: 'x'.repeat(26), city: 'c' })).toThrow(RangeError);
    expect(() => pixCode({ key: 'k', name: '支付', city: 'c' })).toThrow(RangeError);
    expect(() => pixCode({ key: 'k', name: 'n', city: 'c', amount: '1' })).toThrow(RangeError);
    expect(() => pixCode({ key: 'k', name: 'n', city: 'c', reference: 'a b' })).toThrow(RangeError);
  });
});

describe('UPI', () => {
  test('[DEP-10] is an intent with the parameters of the linking specification', () => {
    const payee = { address: 'shop@sandbox', name: 'Demo & Co', amount: '500.00', reference: 'R1', note: 'Top up' };
    expect(upiLink(payee)).toBe('upi://pay?pa=shop@sandbox&pn=Demo%20%26%20Co&am=500.00&cu=INR&tr=R1&tn=Top%20up');
    expect(UPI_APPS.map(({ prefix }) => upiLink(payee, prefix).split('?')[0])).toEqual([
      'phonepe://pay',
      'tez://upi/pay',
      'paytmmp://pay',
    ]);
  });

  test('can be read back, whatever the name and the note', () => {
    fc.assert(
      fc.property(printable(60), cents, fc.string({ maxLength: 80 }), (name, paid, note) => {
        const link = upiLink({ address: 'shop@sandbox', name, amount: amountOf(paid), reference: 'ref-1', note });
        const query = new URL(link).searchParams;
        expect(Object.fromEntries(query)).toEqual({
          pa: 'shop@sandbox',
          pn: name,
          am: amountOf(paid),
          cu: 'INR',
          tr: 'ref-1',
          tn: note,
        });
      }),
    );
  });

  test('refuses values that no app accepts', () => {
    const payee = { address: 'shop@sandbox', name: 'Shop', amount: '500.00', reference: 'R1' };
    expect(() => upiLink({ ...payee, address: 'shop' })).toThrow(RangeError);
    expect(() => upiLink({ ...payee, amount: '500' })).toThrow(RangeError);
    expect(() => upiLink({ ...payee, reference: 'a&am=1' })).toThrow(RangeError);
    expect(() => upiLink({ ...payee, name: ' ' })).toThrow(RangeError);
  });
});

describe('EPC069-12', () => {
  test('carries the fields of the published example in its order', () => {
    const code = epcCode({
      bic: 'BPOTBEB1',
      name: 'Red Cross of Belgium',
      iban: 'BE72 0000 0000 1616',
      amount: '1.00',
      purpose: 'CHAR',
      text: 'Urgency fund',
      information: 'Sample EPC QR code',
    });
    expect(code).toBe(
      'BCD\n002\n1\nSCT\nBPOTBEB1\nRed Cross of Belgium\nBE72000000001616\nEUR1.00\nCHAR\n\nUrgency fund\nSample EPC QR code',
    );
  });

  test('can be read back, and no value shifts the lines', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), cents, (text, paid) => {
        const code = epcCode({
          name: 'A\nB',
          iban: 'DE89370400440532013000',
          amount: amountOf(paid),
          text: `x${text}`,
        });
        const lines = code.split('\n');
        expect(lines.length).toBe(11);
        expect(lines.slice(4, 8)).toEqual(['', 'A B', 'DE89370400440532013000', `EUR${amountOf(paid)}`]);
      }),
    );
  });

  test('refuses values that no bank accepts', () => {
    const payee = { name: 'A', iban: 'DE89370400440532013000', amount: '1.00', text: 'x' };
    for (const bad of [
      { iban: 'DE88370400440532013000' },
      { iban: 'TR330006100519786457841326' },
      { amount: '0.00' },
      { amount: '1' },
      { name: '\n' },
      { bic: 'x' },
    ]) {
      expect(() => epcCode({ ...payee, ...bad })).toThrow(RangeError);
    }
    expect(() => epcCode({ ...payee, name: '€'.repeat(70), text: '€'.repeat(140) })).toThrow(RangeError);
  });
});

describe('[CRY-5] crypto', () => {
  const address = '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W';

  test('BIP 21 URIs equal the published examples', () => {
    expect(bip21Uri({ scheme: 'bitcoin', address })).toBe(`bitcoin:${address}`);
    expect(bip21Uri({ scheme: 'bitcoin', address, label: 'Luke-Jr' })).toBe(`bitcoin:${address}?label=Luke-Jr`);
    expect(
      bip21Uri({ scheme: 'bitcoin', address, amount: '50', label: 'Luke-Jr', message: 'Donation for project xyz' }),
    ).toBe(`bitcoin:${address}?amount=50&label=Luke-Jr&message=Donation%20for%20project%20xyz`);
    expect(bip21Uri({ scheme: 'litecoin', address, amount: '0.1' })).toBe(`litecoin:${address}?amount=0.1`);
  });

  test('BIP 21 URIs can be read back', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('bitcoin', 'litecoin', 'dogecoin'), (message, scheme) => {
        const url = new URL(bip21Uri({ scheme, address, amount: '0.00100005', message }));
        expect([url.protocol, url.pathname]).toEqual([`${scheme}:`, address]);
        expect(Object.fromEntries(url.searchParams)).toEqual({ amount: '0.00100005', message });
      }),
    );
  });

  test('EIP-681 URIs equal the published examples', () => {
    const to = '0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359';
    expect(eip681Uri({ chainId: 1, to, value: 2_014_000_000_000_000_000n })).toBe(
      `ethereum:${to}@1?value=2014000000000000000`,
    );
    const token = '0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7';
    const payee = '0x8e23ee67d1332ad560396262c48ffbb01f93d052';
    expect(eip681Uri({ chainId: 1, to: payee, token, value: 1n })).toBe(
      `ethereum:${token}@1/transfer?address=${payee}&uint256=1`,
    );
    expect(eip681Uri({ chainId: 56, to })).toBe(`ethereum:${to}@56`);
  });

  test('TON has a link, and TRON has the plain address', () => {
    const to = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
    expect(tonUri({ to, value: 1_500_000_000n, text: 'a b' })).toBe(
      `ton://transfer/${to}?amount=1500000000&text=a%20b`,
    );
    const [wallet, token] = [
      'vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg',
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    ];
    expect(solanaPayUri({ to: wallet, amount: '0.5' })).toBe(`solana:${wallet}?amount=0.5`);
    expect(solanaPayUri({ to: wallet, amount: '20', token })).toBe(`solana:${wallet}?amount=20&spl-token=${token}`);
    expect(tronCode('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');
  });

  test('no character of an address or amount can add a parameter', () => {
    expect(() => bip21Uri({ scheme: 'bitcoin', address: `${address}?amount=9` })).toThrow(RangeError);
    expect(() => bip21Uri({ scheme: 'bitcoin', address, amount: '1&label=x' })).toThrow(RangeError);
    expect(() => eip681Uri({ chainId: 1, to: '0x1' })).toThrow(RangeError);
    expect(() => eip681Uri({ chainId: 0, to: `0x${'1'.repeat(40)}` })).toThrow(RangeError);
    expect(() => tonUri({ to: 'x' })).toThrow(RangeError);
    expect(() => solanaPayUri({ to: `${'1'.repeat(32)}?a` })).toThrow(RangeError);
    expect(() => solanaPayUri({ to: '1'.repeat(32), amount: '1&x=1' })).toThrow(RangeError);
    expect(() => tronCode('TR7N&')).toThrow(RangeError);
  });
});

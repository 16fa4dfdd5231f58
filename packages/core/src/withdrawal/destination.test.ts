import type { FormField } from '@opencashier/contract/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { destinationParts, inFours, receiptParts } from './destination.ts';

const field = (name: string, more: Partial<FormField> = {}): FormField => ({ name, type: 'text', ...more });
const bank = field('bank', { type: 'dropdown', values: [{ text: 'Sber', value: '100000000111' }] });

describe('[WD-2] the destination', () => {
  test('is in the order of the form, not of storage; values without a field come last', () => {
    const form = [field('accountNumber'), field('bic'), field('fullName'), field('memo')];
    const stored = { bic: '044525225', extra: 'x', fullName: 'Anita Rao', accountNumber: '40817810099910004312' };
    expect(destinationParts(form, stored).map(({ name }) => name)).toEqual([
      'accountNumber',
      'bic',
      'fullName',
      'extra',
    ]);
  });

  test('names a Pix key by the field that the user filled in', () => {
    const form = [
      field('pixKeyType', {
        type: 'dropdown',
        values: [
          { text: 'CPF', value: 'cpf' },
          { text: 'Email', value: 'email' },
        ],
      }),
      field('cpf'),
      field('email'),
    ];
    const sent = { pixKeyType: 'email', pixKey: 'a@b.br', numberId: '52998224725', numberType: 'cpf' };
    expect(destinationParts(form, sent)).toEqual([
      { name: 'pixKeyType', value: 'email', isChoice: true },
      { name: 'cpf', value: '52998224725' },
      { name: 'email', value: 'a@b.br' },
    ]);
  });

  test('leaves out hidden fields', () => {
    expect(destinationParts([field('channel', { props: { isHidden: true } })], { channel: 'web' })).toEqual([]);
  });
});

describe('[WD-2] the receipt', () => {
  test('masks values so that the user still recognises the destination; a bank keeps its code', () => {
    const parts = destinationParts([field('phone'), bank, field('fullName'), field('wallet')], {
      phone: '+79161234567',
      bank: '100000000111',
      fullName: 'Zoë van Dijk',
      wallet: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    });
    expect(receiptParts(parts)).toEqual([
      { name: 'phone', value: '•••• 4567' },
      { name: 'bank', value: '100000000111' },
      { name: 'fullName', value: 'Z••• v••• D•••' },
      { name: 'wallet', value: 'TJRab…pRTv8' },
    ]);
  });

  test('never contains a whole name', () => {
    const name = fc.stringMatching(/^[A-Za-zÀ-ž]{2,12}( [A-Za-zÀ-ž]{2,12}){0,3}$/);
    fc.assert(
      fc.property(name, (value) => {
        const [part] = receiptParts([{ name: 'fullName', value }]);
        for (const word of value.split(' ')) expect(part?.value).not.toContain(word);
      }),
    );
  });
});

describe('[WD-2] in groups of four', () => {
  test.each([
    ['4111111111111111', '4111 1111 1111 1111'],
    ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
    ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'TJRa bPrw bZy4 5sba vfcj inPJ C18k jpRT v8'],
    ['EQBvW8Z5huBkMJYdnfAEM5JqTNkuWX3diqYENkWsIL0XggGG', 'EQBv W8Z5 huBk MJYd nfAE M5Jq TNku WX3d iqYE NkWs IL0X ggGG'],
    ['40817 810 0 9991 0004312', '4081 7810 0999 1000 4312'],
    ['044525225', '0445 2522 5'],
    ['021000021', '0210 0002 1'],
    ['123e4567-e89b-12d3-a456-426614174000', '123e 4567-e89b-12d3-a456-4266 1417 4000'],
    ['HDFC0000123', 'HDFC 0000 123'],
    ['00014', '00014'],
    ['anita12345678@upi', 'anita12345678@upi'],
    ['Anita Raghunathan Krishnamoorthy', 'Anita Raghunathan Krishnamoorthy'],
    ['•••• 1111', '•••• 1111'],
  ])('%s', (value, shown) => {
    expect(inFours(value)).toBe(shown);
  });

  test.each([
    'Wolfeschlegelsteinhausenbergerdorff',
    'DONAUDAMPFSCHIFFFAHRTSBANK',
    'Müller-Lüdenscheidt-Hohenzollern',
    'वेंकटनरसिंहराजुवारिपेट्टैशास्त्री',
  ])('a long name is not split: %s', (name) => {
    expect(inFours(name)).toBe(name);
  });

  test('an address without a digit is recognised by its capitals', () => {
    expect(inFours('TJRabPrwbZyksbavfcjinPJCkjpRTvq')).toBe('TJRa bPrw bZyk sbav fcji nPJC kjpR Tvq');
  });

  test('any address keeps all its characters, in groups of at most four', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_:+/=]{20,119}[0-9]$/), (value) => {
        const shown = inFours(value);
        expect(shown.replaceAll(' ', '')).toBe(value);
        expect(Math.max(...shown.split(' ').map(({ length }) => length))).toBe(4);
      }),
    );
  });
});

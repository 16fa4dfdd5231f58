import { calls } from '@opencashier/contract/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEvent, readFault, vocabulary } from './vocabulary.ts';

describe('[NET-8] the vocabulary', () => {
  test('knows what the widget measures', () => {
    expect(readEvent({ key: 'page.load', value: 812.3456 })).toEqual({ key: 'page.load', number: 812.346, code: null });
    expect(readEvent({ key: 'vitals.CLS', value: 0.02 })).toEqual({ key: 'vitals.CLS', number: 0.02, code: null });
    expect(readEvent({ key: 'deposit.create', value: 'ok' })).toEqual({
      key: 'deposit.create',
      number: null,
      code: 'ok',
    });
  });

  test('[ERR-3] keeps of a failed call its code, not its words', () => {
    for (const name of Object.keys(calls)) {
      const event = { key: `call-failed.${name}`, value: 'limit-min 422 The amount ann@example.com is below' };
      expect(readEvent(event)).toEqual({ key: event.key, number: null, code: 'limit-min' });
    }
    expect(readEvent({ key: 'call-failed.bank-get', value: 'ann@example.com' })).toMatchObject({ code: 'other' });
  });

  test('drops unknown keys and numbers that cannot be measurements', () => {
    for (const event of [
      { key: 'ann', value: 1 },
      { key: 'toString', value: 1 },
      { key: 'page.load', value: '812' },
      { key: 'page.load', value: 4_111_111_111_111_111 },
      { key: 'page.load', value: -1 },
      { key: 'page.load', value: Number.NaN },
      { key: 'vitals.CLS', value: 919_876_543_210 },
      { key: 'page.load', value: true },
    ]) {
      expect(readEvent(event)).toBeUndefined();
    }
  });

  test('lets no text through that is not its own', () => {
    const own = new Set([...vocabulary.values()].flatMap((kind) => (typeof kind === 'object' ? [...kind.codes] : [])));
    fc.assert(
      fc.property(fc.constantFrom(...vocabulary.keys()), fc.string({ unit: 'binary' }), (key, value) => {
        const read = readEvent({ key, value });
        expect(read?.code === null || read === undefined || own.has(read.code ?? '') || read.code === 'other').toBe(
          true,
        );
      }),
    );
  });
});

test('a fault is reported by its class and place in our own code', () => {
  const fault = { name: 'TypeError', at: 'app-Ab3_x9Zq.js:12:345', count: 2 };
  expect(readFault(fault)).toEqual({ key: 'page.fault', number: 2, code: 'TypeError Ab3_x9Zq.js:12:345' });
  expect(readFault({ name: 'TypeError', at: 'rum.js:1:2', count: 1 })).toMatchObject({ code: 'TypeError' });
  expect(readFault({ name: 'Ann4111111111111111', at: '', count: 1 })).toMatchObject({ code: 'other' });
  expect(readFault({ name: 'Error', at: '4111111111111111.js:1:1', count: 1 })).toMatchObject({ code: 'Error' });
});

import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinedAnswer, partsOf } from '../calls/handler/joined-answer.ts';
import { joinedBytes, joinedText } from './answer-json.ts';

const bytesOf = (answer: unknown, mayGzip = false) => {
  const bytes = joinedBytes(answer, mayGzip);
  if (bytes === undefined) throw new Error('no joined answer');
  return bytes;
};

describe('a joined answer', () => {
  test('reads as one object, and its JSON is the JSON of that object', () => {
    const answer = joinedAnswer({ methods: ['card'] }, { balance: '1.00' });
    expect({ ...answer }).toEqual({ methods: ['card'], balance: '1.00' });
    expect(joinedText(answer)).toBe('{"methods":["card"],"balance":"1.00"}');
    expect(JSON.stringify(answer)).toBe(joinedText(answer));
  });

  test('[LIST-1] no caller gets the own part of another', () => {
    const shared = { methods: ['card'] };
    const texts = ['1.00', '2.00'].map((balance) => joinedText(joinedAnswer(shared, { balance })));
    expect(texts).toEqual(['{"methods":["card"],"balance":"1.00"}', '{"methods":["card"],"balance":"2.00"}']);
  });

  test('a changed copy is written by itself', () => {
    const copy = { ...joinedAnswer({ methods: ['card'] }, { balance: '1.00' }), methods: [] };
    expect(partsOf(copy)).toBeUndefined();
    expect(joinedText(copy)).toBeUndefined();
    expect(joinedBytes(copy, true)).toBeUndefined();
  });

  test('has each field once', () => {
    expect(() => joinedAnswer({ balance: '1.00' }, { balance: '2.00' })).toThrow('balance');
  });

  test('any two parts make the JSON of both, plain and compressed', () => {
    const parts = fc.tuple(
      fc.dictionary(
        fc.string({ unit: 'grapheme' }).map((name) => `a${name}`),
        fc.jsonValue(),
      ),
      fc.dictionary(
        fc.string({ unit: 'grapheme' }).map((name) => `b${name}`),
        fc.jsonValue(),
      ),
    );
    fc.assert(
      fc.property(parts, ([shared, own]) => {
        const answer = joinedAnswer(shared, own);
        const json = JSON.stringify({ ...shared, ...own });
        expect(joinedText(answer)).toBe(json);
        expect(bytesOf(answer).body.toString()).toBe(json);
        expect(gunzipSync(bytesOf(answer, true).body).toString()).toBe(json);
      }),
    );
  });

  test('is compressed once for all callers, and an own part that is too long for a block is sent plain', () => {
    const shared = { text: 'x'.repeat(10_000) };
    const first = bytesOf(joinedAnswer(shared, { own: 1 }), true);
    const second = bytesOf(joinedAnswer(shared, { own: 2 }), true);
    expect(first.isGzip).toBe(true);
    expect(first.body.length).toBeLessThan(200);
    expect(JSON.parse(gunzipSync(second.body).toString())).toEqual({ ...shared, own: 2 });
    const long = bytesOf(joinedAnswer(shared, { own: 'y'.repeat(0x10000) }), true);
    expect(long.isGzip).toBe(false);
    expect(JSON.parse(long.body.toString())).toEqual({ ...shared, own: 'y'.repeat(0x10000) });
  });
});

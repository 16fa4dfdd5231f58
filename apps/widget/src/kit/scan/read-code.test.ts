import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { readCode } from './read-code.ts';

/** A code as a camera sees it: grey on grey, with a margin, `scale` pixels for each module. */
function pictureOf(text: string, scale: number) {
  const { data: modules, size } = encode(text, { border: 4 });
  const side = size * scale;
  const data = new Uint8ClampedArray(side * side * 4);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const isDark = modules[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true;
      data.set([isDark ? 60 : 200, isDark ? 55 : 205, isDark ? 60 : 195, 255], (y * side + x) * 4);
    }
  }
  return { width: side, height: side, data };
}

test.each([
  'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.01&label=%E2%82%BF',
  'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=0x8ba1f109551bD432803012645Ac136ddd64DBA72&uint256=1e7',
])('[FORM-4] reads %s at any size that a camera shows', (text) => {
  for (const scale of [3, 5, 8]) expect(readCode(pictureOf(text, scale))).toBe(text);
});

test('[FORM-4] a picture without a code has none', () => {
  const empty = { width: 320, height: 320, data: new Uint8ClampedArray(320 * 320 * 4).fill(128) };
  expect(readCode(empty)).toBeUndefined();
  const torn = pictureOf('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 5);
  torn.data.fill(128, torn.data.length / 2);
  expect(readCode(torn)).toBeUndefined();
  expect(readCode({ width: 0, height: 0, data: new Uint8ClampedArray() })).toBeUndefined();
});

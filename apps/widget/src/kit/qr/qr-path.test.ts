import jsQR from 'jsqr';
import { expect, test } from 'vitest';
import { qrPath } from './qr-path.ts';

/** Draws the path's rectangles into pixels and reads them by a decoder that knows nothing of the encoder. */
function decode({ size, path }: ReturnType<typeof qrPath>): string | undefined {
  const scale = 4;
  const side = size * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      for (let column = Number(x) * scale; column < (Number(x) + Number(width)) * scale; column += 1) {
        pixels.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
      }
    }
  }
  return jsQR(pixels, side, side)?.data;
}

test.each([
  'upi://pay?pa=shop%40bank&pn=Shop&am=1503.20&cu=INR',
  'bitcoin:tb1qexample?amount=0.00125',
  'BCD\n002\n1\nSCT\n\nShop\nDE89370400440532013000\nEUR25.00\n\n\nSBX12345678\n',
  'Оплата ₹ 1503',
])('[DEP-5] [CRY-5] a reader gets the very payload: %s', (payload) => {
  expect(decode(qrPath(payload))).toBe(payload);
});

test('a quiet zone of four modules stands around it', () => {
  const { size, path } = qrPath('hello');
  const starts = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, width]) => [
    Number(x),
    Number(y),
    Number(width),
  ]);
  expect(Math.min(...starts.map(([x = 0]) => x))).toBe(4);
  expect(Math.min(...starts.map(([, y = 0]) => y))).toBe(4);
  expect(Math.max(...starts.map(([x = 0, , width = 0]) => x + width))).toBe(size - 4);
});

test('a text that no QR code can carry throws', () => {
  expect(() => qrPath('x'.repeat(4000))).toThrow();
});

/** Reduces a screenshot to 256 colours: a third of the bytes, with a difference that is hardly visible. */
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';

/** Plain surfaces keep their exact colour. The edges of letters share the other colours. */
const exactColours = 96;
const allColours = 256;

/** @param page any page: it decodes the picture @returns the picture as a PNG with a palette */
export async function toPalette(page: Page, png: Buffer): Promise<Buffer> {
  const { width, height, rgb } = await pixelsOf(page, png);
  const counts = new Map<number, number>();
  for (const colour of rgb) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byCount = [...counts].sort(([, a], [, b]) => b - a);
  const palette = byCount.slice(0, exactColours).map(([colour]) => colour);
  const cells = new Map<number, [colour: number, count: number]>();
  for (const [colour, count] of byCount.slice(exactColours)) {
    const cell = colour & 0xf0f0f0;
    const [first, before] = cells.get(cell) ?? [colour, 0];
    cells.set(cell, [first, before + count]);
  }
  const rest = [...cells.values()].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  palette.push(...rest.slice(0, allColours - palette.length));

  const indexOf = new Map(byCount.map(([colour]) => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (const [place, colour] of rgb.entries()) {
    rows[place + Math.floor(place / width) + 1] = indexOf.get(colour) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each pixel: the index of its colour.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function pixelsOf(page: Page, png: Buffer): Promise<{ width: number; height: number; rgb: number[] }> {
  return page.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const { width, height } = image;
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
    if (!context) throw new Error('This browser draws nothing.');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const rgb = Array.from({ length: width * height }, (_, place) => {
      const [red = 0, green = 0, blue = 0] = data.subarray(place * 4, place * 4 + 3);
      return (red << 16) | (green << 8) | blue;
    });
    return { width, height, rgb };
  }, png.toString('base64'));
}

const channels = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

function nearest(palette: readonly number[], colour: number): number {
  const [red, green, blue] = channels(colour);
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, candidate] of palette.entries()) {
    const [r, g, b] = channels(candidate);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

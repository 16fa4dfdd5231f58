/**
 * A font in which every character is a block of one width, and a space is empty with half that width. Machines have different
 * fonts, so lines break at different places. With this font a picture of a page is the same on every machine. A change of a
 * margin, a colour, an order or the length of a text still changes the picture. The tables are the least that a browser needs
 * by the OpenType specification.
 */
export const blocksFamily = 'Gallery Blocks';

const em = 1000;
const ascent = 900;
const descent = 300;
const block = { advance: 540, bottom: 0, top: 640 };
const space = { advance: 270 };

const u16 = (...values: number[]): number[] => values.flatMap((value) => [(value >> 8) & 255, value & 255]);
const u32 = (...values: number[]): number[] =>
  values.flatMap((value) => [...u16(value >>> 16), ...u16(value & 0xffff)]);
const ascii = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));

function glyph(): number[] {
  const { advance, bottom, top } = block;
  const points = [
    [0, bottom],
    [0, top],
    [advance, top],
    [advance, bottom],
  ] as const;
  const steps = (axis: 0 | 1) => points.map((point, index) => point[axis] - (points[index - 1]?.[axis] ?? 0));
  // One contour of four points, without instructions.
  return [...u16(1, 0, bottom, advance, top, 3, 0), 1, 1, 1, 1, ...u16(...steps(0)), ...u16(...steps(1))];
}

function cmap(): number[] {
  const blank = [0x09, 0x0a, 0x0d, 0x20, 0xa0, 0x2009, 0x202f, 0x3000];
  const groups: [from: number, to: number, glyph: number][] = [];
  let from = 0x21;
  for (const code of blank) {
    if (code > from) groups.push([from, code - 1, 1]);
    groups.push([code, code, 2]);
    from = Math.max(from, code + 1);
  }
  // Joined forms of Arabic letters are left out, or a browser would draw two letters as one ligature.
  groups.push([from, 0xfaff, 1], [0xfe00, 0xfe6f, 1], [0xff00, 0x10ffff, 1]);
  // Format 13: many characters, one glyph.
  const table = [
    ...u16(13, 0),
    ...u32(16 + 12 * groups.length, 0, groups.length),
    ...groups.flatMap((one) => u32(...one)),
  ];
  return [...u16(0, 1, 3, 10), ...u32(12), ...table];
}

function name(): number[] {
  const texts = [ascii('Gallery'), ascii('Regular'), ascii('Gallery'), ascii('Gallery'), ascii('1'), ascii('Gallery')];
  const wide = texts.map((text) => text.flatMap((letter) => [0, letter]));
  let offset = 0;
  const records = wide.flatMap((text, index) => {
    const record = u16(3, 1, 0x409, index + 1, text.length, offset);
    offset += text.length;
    return record;
  });
  return [...u16(0, wide.length, 6 + records.length), ...records, ...wide.flat()];
}

/** The file of the font. */
export function blocksFont(): Uint8Array<ArrayBuffer> {
  const outline = glyph();
  const padded = [...outline, ...new Array<number>((4 - (outline.length % 4)) % 4).fill(0)];
  const tables: readonly [tag: string, data: number[]][] = [
    [
      'OS/2',
      [
        ...u16(4, block.advance, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0),
        ...new Array<number>(10).fill(0),
        ...u32(1, 0, 0, 0),
        ...ascii('NONE'),
        ...u16(0x40, 0x20, 0xffff, ascent, -descent, 0, ascent, descent),
        ...u32(1, 0),
        ...u16(500, 700, 0, 0x20, 0),
      ],
    ],
    ['cmap', cmap()],
    ['glyf', [...padded, ...padded]],
    [
      'head',
      [
        ...u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
        ...u16(0, em),
        ...u32(0, 0, 0, 0),
        ...u16(0, block.bottom, block.advance, block.top, 0, 8, 2, 1, 0),
      ],
    ],
    [
      'hhea',
      [...u32(0x10000), ...u16(ascent, -descent, 0, block.advance, 0, 0, block.advance, 1, 0, 0, 0, 0, 0, 0, 0, 3)],
    ],
    ['hmtx', u16(block.advance, 0, block.advance, 0, space.advance, 0)],
    ['loca', u32(0, padded.length, padded.length * 2, padded.length * 2)],
    ['maxp', [...u32(0x10000), ...u16(3, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]],
    ['name', name()],
    ['post', [...u32(0x30000, 0), ...u16(-75, 50), ...u32(1, 0, 0, 0, 0)]],
  ];
  const count = tables.length;
  let offset = 12 + 16 * count;
  const directory = [...u32(0x10000), ...u16(count, 128, 3, 16 * count - 128)];
  const body: number[] = [];
  for (const [tag, data] of tables) {
    const whole = [...data, ...new Array<number>((4 - (data.length % 4)) % 4).fill(0)];
    let sum = 0;
    for (let at = 0; at < whole.length; at += 4)
      sum =
        (sum +
          (((whole[at] ?? 0) << 24) |
            ((whole[at + 1] ?? 0) << 16) |
            ((whole[at + 2] ?? 0) << 8) |
            (whole[at + 3] ?? 0))) >>>
        0;
    directory.push(...ascii(tag), ...u32(sum, offset, data.length));
    body.push(...whole);
    offset += whole.length;
  }
  return new Uint8Array([...directory, ...body]);
}

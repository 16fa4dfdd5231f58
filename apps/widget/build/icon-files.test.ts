import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CURRENCIES } from '@opencashier/core/money/currencies';
import { expect, test } from 'vitest';
import { brandMarks } from './brand-marks.ts';
import { iconDrawings } from './icon-files.ts';

const catalogue = join(import.meta.dirname, '../../server/src/catalogue/data/methods');
const drawings = iconDrawings(CURRENCIES);
const marks = brandMarks();

/** What a drawing may weigh, in bytes: some lists show eight at once. */
const heaviest = 1000;
/** A brand's mark is as its owner drew it. */
const heaviestMark = 2300;
/** A list loads the flags that are in sight; some have a coat of arms. */
const heaviestFlag = 6000;

function shippedIconIds(): string[] {
  const files = readdirSync(catalogue, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return files.flatMap((file) => {
    const methods = JSON.parse(readFileSync(join(catalogue, file), 'utf8')) as { iconIds: string[] }[];
    return methods.flatMap(({ iconIds }) => iconIds);
  });
}

test('[NET-7] every icon id of the shipped catalogue and every currency has a drawing', () => {
  const ids = [...new Set(shippedIconIds())];
  expect(ids.length).toBeGreaterThan(10);
  expect(ids.filter((id) => !drawings.has(id.toLowerCase()))).toEqual([]);
  expect(CURRENCIES.filter(({ code }) => !drawings.has(code.toLowerCase()))).toEqual([]);
});

test('[NET-7] the mark of each shipped method is a drawing unlike any other', () => {
  const ids = new Set(shippedIconIds());
  const marks = [...ids].map((id) => drawings.get(id.toLowerCase()));
  expect(new Set(marks).size).toBe(ids.size);
  for (const mark of marks) expect(mark).not.toMatch(/<text|<image|href/);
});

test('[NET-7] brands whose marks are free to be drawn have them, coins in a disc and others in a tile of their colour', () => {
  expect(drawings.get('paypal')).toContain('fill="#002991"');
  expect(drawings.get('pay-pal')).toBe(drawings.get('paypal'));
  expect(drawings.get('btc')).toContain('fill="#F7931A"');
  // White on yellow could not be seen.
  expect(drawings.get('bnb')).toContain('fill="#1a1a1a"');
});

test('[LIST-3] every shipped country has its flag, and so has nearly every other that a catalogue may name', () => {
  const shipped = JSON.parse(readFileSync(join(catalogue, '../countries.json'), 'utf8')) as { code: string }[];
  expect(shipped.length).toBeGreaterThan(10);
  expect(shipped.filter(({ code }) => !drawings.has(`flag-${code.toLowerCase()}`))).toEqual([]);
  expect([...drawings.keys()].filter((id) => /^flag-[a-z]{2}$/.test(id)).length).toBeGreaterThan(240);
});

test('[NET-7] the banks, cards, wallets and apps of the shipped lists have a mark, however a catalogue parts their names', () => {
  const ids = [
    ...[
      'access_bank',
      'gtbank',
      'gt-bank',
      'stanbic_ibtc',
      'kuda',
      'moniepoint',
      'opay',
      'palmpay',
      'uba',
      'zenith_bank',
    ],
    ...[
      'phonepe',
      'phone_pe',
      'google_pay',
      'googlepay',
      'paytm',
      'sbi',
      'hdfc',
      'visa',
      'mastercard',
      'bkash',
      'webmoney',
    ],
  ];
  expect(ids.filter((id) => !drawings.has(id))).toEqual([]);
  // A kind or a coin keeps the drawing of its own.
  expect(drawings.get('upi')).not.toContain('<text');
});

test('a drawing is small, of the shape of its tile, and runs and fetches nothing', () => {
  for (const [id, drawing] of drawings) {
    const isFlag = id.startsWith('flag-');
    const most = marks.has(id) ? heaviestMark : heaviest;
    expect(drawing.length, id).toBeLessThan(isFlag ? heaviestFlag : most);
    expect(drawing, id).toMatch(/^<svg (?=[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg")[^>]*>.*<\/svg>$/);
    expect(drawing, id).toMatch(isFlag ? / viewBox="[\d. ]+"/ : / viewBox="0 0 40 28"/);
    expect(drawing, id).not.toMatch(/<(?:script|style|image|use|foreignObject)\b|href|url\(|\son\w+=/i);
  }
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keptPlace, MOST_LIST_PAGES, placeOf } from './list-place.ts';

/** Follows cursors until they end. @returns the cursors in their order */
function follow(next: (cursor: string | undefined) => string | undefined): string[] {
  const seen: string[] = [];
  for (let kept: string | undefined; ; ) {
    const place = placeOf(kept);
    const cursor = next(place.cursor);
    if (cursor === undefined) return seen;
    kept = keptPlace(place, cursor);
    seen.push(cursor);
  }
}

test('[SRV-2] cursors that differ are followed to their end, whatever text they have', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 100 }), (cursors) => {
      const after = new Map([undefined, ...cursors].map((cursor, at) => [cursor, cursors[at]]));
      expect(follow((cursor) => after.get(cursor))).toEqual(cursors);
    }),
  );
});

test('[SRV-2] every circle of cursors is found within a few rounds, however long the way into it is', () => {
  fc.assert(
    fc.property(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 60 }), (wayIn, round) => {
      let pages = 0;
      const next = (cursor = '-1') => {
        pages += 1;
        const at = Number(cursor) + 1;
        return String(at < wayIn + round ? at : wayIn);
      };
      expect(() => follow(next)).toThrow('its cursors repeat');
      expect(pages).toBeLessThanOrEqual(3 * (wayIn + round) + 2);
    }),
  );
});

test('[SRV-2] a list without an end is refused after its most pages', () => {
  let pages = 0;
  const next = () => {
    pages += 1;
    return `page ${pages}`;
  };
  expect(() => follow(next)).toThrow('Ask for fewer days');
  expect(pages).toBe(MOST_LIST_PAGES);
  expect(() => placeOf('nonsense')).toThrow('cannot be read');
});

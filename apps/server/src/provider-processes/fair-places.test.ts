import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairPlaces } from './fair-places.ts';

/** Takes places until there is none for the owner. */
function takeAll(places: FairPlaces, owner: string): (() => void)[] {
  const taken: (() => void)[] = [];
  for (let leave = places.take(owner); leave !== undefined; leave = places.take(owner)) taken.push(leave);
  return taken;
}

test('[SRV-9] an owner alone gets half of the places, and a second one half of the rest', () => {
  const places = new FairPlaces(200);
  expect(takeAll(places, 'acme')).toHaveLength(100);
  expect(takeAll(places, 'zeta')).toHaveLength(50);
});

test('[SRV-9] places of a size, such as bytes, have the same shares, and come back at once', () => {
  const places = new FairPlaces(1_000);
  const leave = places.take('acme', 500);
  expect(leave).toBeDefined();
  expect(places.take('acme', 1)).toBeUndefined();
  expect(places.take('zeta', 251)).toBeDefined();
  expect(places.take('zeta', 1)).toBeUndefined();
  expect(places.take('new', 250)).toBeUndefined();
  leave?.();
  leave?.();
  expect(places.take('acme', 374)).toBeDefined();
  expect(places.take('acme', 2)).toBeUndefined();
});

test('[SRV-9] whatever owners take and give back, all who want more get the same, and somebody new gets a place', () => {
  const step = fc.record({ owner: fc.nat(5), isTake: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 300 }), fc.array(step, { maxLength: 400 }), (most, steps) => {
      const places = new FairPlaces(most);
      const held: (() => void)[][] = Array.from({ length: 6 }, () => []);
      for (const { owner, isTake } of steps) {
        const mine = held[owner] ?? [];
        const leave = isTake ? places.take(`owner-${owner}`) : undefined;
        if (leave !== undefined) mine.push(leave);
        else if (!isTake) mine.pop()?.();
        expect(held.flat().length).toBeLessThanOrEqual(most);
      }
      // All give back what they had, twice, and want everything again: in turns they get the same.
      for (const leave of held.flat()) {
        leave();
        leave();
      }
      const counts = held.map(() => 0);
      for (let goesOn = true; goesOn; ) {
        goesOn = false;
        for (const [n, count] of counts.entries()) {
          if (places.take(`owner-${n}`) === undefined) continue;
          counts[n] = count + 1;
          goesOn = true;
        }
      }
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(Math.floor(most / 7));
      expect(places.take('new')).toBeDefined();
    }),
  );
});

import { expect, test } from 'vitest';
import { createReaders, type Held, type Readers } from './reading-places.ts';

const held = (names: readonly string[], length = 1) => names.map((source) => ({ source, raw: { length } }));
const sizes = (count: number, size = 1) => Array<number>(count).fill(size);

/** The free places of each provider. */
function freeOf(readers: Readers, inHand: readonly Held[], names: readonly string[]) {
  const { most, taken } = readers.places(inHand);
  return names.map((name) => most - (taken.counts[taken.names.indexOf(name)] ?? 0));
}

test('[SRV-4] a provider that reads by itself fills batches; one that has to be asked is asked about twenty callbacks at a time', () => {
  const names = ['reads', 'asks', 'new', 'not set up'];
  const readers = createReaders(() => 0);
  expect(freeOf(readers, [], names)).toEqual([20, 20, 20, 20]);
  readers.note('reads', false);
  readers.note('asks', true);
  expect(readers.freeOf('reads', held(['reads', 'asks']), sizes(2_000)), 'for callbacks that it stores itself').toBe(
    999,
  );
  expect(
    [readers.freeOf('asks', [], sizes(9)), readers.freeOf('new', [], sizes(9))],
    'not for a provider that may have to be asked',
  ).toEqual([0, 0]);
  expect(freeOf(readers, held(['reads', 'asks', 'asks']), names)).toEqual([999, 18, 20, 20]);
  // It may ask again about the next one.
  readers.note('asks', false);
  readers.note('reads', true);
  expect(freeOf(readers, [], names)).toEqual([20, 20, 20, 20]);
});

test('[SRV-4] callbacks in hand are limited by their bytes, too', () => {
  const readers = createReaders(() => 0);
  readers.note('large', false);
  const size = 256 * 1024;
  expect(readers.freeOf('large', [], sizes(2_000, size))).toBe(128);
  const inHand = held(Array<string>(100).fill('large'), size);
  expect(readers.freeOf('large', inHand, [size, 1, ...sizes(40, size)])).toBe(28);
  expect(freeOf(readers, inHand, ['large'])).toEqual([28]);
});

test('[SRV-4] while many callbacks wait for a transaction of their own, few are taken', () => {
  let waiting = 39;
  const readers = createReaders(() => waiting);
  readers.note('reads', false);
  const inHand = held(Array<string>(15).fill('reads'));
  expect([readers.freeOf('reads', inHand, sizes(2_000)), freeOf(readers, inHand, ['reads'])]).toEqual([985, [985]]);
  waiting = 40;
  expect([readers.freeOf('reads', inHand, sizes(2_000)), freeOf(readers, inHand, ['reads'])]).toEqual([5, [5]]);
});

import { expect, test } from 'vitest';
import { createReaders } from './reading-places.ts';

/** The free places of each provider. */
function freeOf(readers: ReturnType<typeof createReaders>, inHand: readonly string[], names: readonly string[]) {
  const { most, taken } = readers.places(inHand);
  return names.map((name) => most - (taken.counts[taken.names.indexOf(name)] ?? 0));
}

test('[SRV-4] a provider that reads by itself fills batches; one that has to be asked is asked about twenty callbacks at a time', () => {
  const names = ['reads', 'asks', 'new', 'not set up'];
  const readers = createReaders();
  expect(freeOf(readers, [], names)).toEqual([20, 20, 20, 20]);
  readers.note('reads', false);
  readers.note('asks', true);
  expect(readers.freeOf('reads', ['reads', 'asks']), 'for callbacks that it stores itself').toBe(999);
  expect(
    [readers.freeOf('asks', []), readers.freeOf('new', [])],
    'not for a provider that may have to be asked',
  ).toEqual([0, 0]);
  expect(freeOf(readers, ['reads', 'asks', 'asks'], names)).toEqual([999, 18, 20, 20]);
  // It may ask again about the next one.
  readers.note('asks', false);
  readers.note('reads', true);
  expect(freeOf(readers, [], names)).toEqual([20, 20, 20, 20]);
});

import type { MethodTile, PaymentMethod } from '@opencashier/contract/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinTiles, methodOfTile, otherMethodFor, tileChoices } from './shared-tile.ts';

const method = (name: string, more: Partial<PaymentMethod> = {}): PaymentMethod => ({
  name,
  category: 'fiat',
  cardViewType: 0,
  text: { en: name },
  position: 1,
  iconIds: [name],
  amount_rules: {},
  fields: [],
  flags: {},
  ...more,
});
const upi: MethodTile = { name: 'upi', text: { en: 'UPI' }, iconIds: ['upi'] };
const ofUpi = (name: string, way?: PaymentMethod['way'], more: Partial<PaymentMethod> = {}) =>
  method(name, { tile: 'upi', ...(way && { way }), ...more });
const names = (methods: readonly PaymentMethod[]) => methods.map(({ name }) => name);
const apps = ofUpi('apps', 'app');
const phonepe = ofUpi('phonepe', 'app');
const code = ofUpi('code', 'code');
const id = ofUpi('id');

test('[LIST-2] methods of one tile stand at the place of the first; a single method keeps its own tile', () => {
  const list = [method('card'), apps, method('cash'), code];
  const shape = (tiles?: MethodTile[], methods: PaymentMethod[] = list) =>
    joinTiles(methods, tiles).map((joined) => [joined.tile?.name, names(joined.methods)]);
  expect(shape([upi])).toEqual([
    [undefined, ['card']],
    ['upi', ['apps', 'code']],
    [undefined, ['cash']],
  ]);
  expect(shape(undefined).map(([, inside]) => inside)).toEqual([['card'], ['apps'], ['cash'], ['code']]);
  expect(shape([upi], [method('card'), apps])).toEqual([
    [undefined, ['card']],
    [undefined, ['apps']],
  ]);
});

test('[LIST-2] no method is lost or shown twice, however the methods name their tiles', () => {
  const named = fc.constantFrom('upi', 'banks', 'unknown', undefined);
  fc.assert(
    fc.property(fc.array(named, { maxLength: 10 }), (tiles) => {
      const list = tiles.map((tile, at) => method(`m${at}`, tile === undefined ? {} : { tile }));
      const joined = joinTiles(list, [upi, { ...upi, name: 'banks' }]);
      expect(names(joined.flatMap(({ methods }) => methods)).sort()).toEqual(names(list).sort());
      expect(joined.every(({ tile, methods }) => tile === undefined || methods.length > 1)).toBe(true);
      const shared = joined.flatMap(({ tile }) => tile?.name ?? []);
      expect(new Set(shared).size).toBe(shared.length);
    }),
  );
});

test('[DEP-10] a desktop shows the code first and a phone the app; methods without a way are separate choices', () => {
  const shape = (isDesktop: boolean) =>
    tileChoices([id, apps, phonepe, code], isDesktop).map(({ way, methods }) => [way, names(methods)]);
  expect(shape(false)).toEqual([
    ['app', ['apps', 'phonepe']],
    [undefined, ['id']],
    ['code', ['code']],
  ]);
  expect(shape(true)[0]).toEqual(['code', ['code']]);
  expect([false, true].map((isDesktop) => methodOfTile([apps, phonepe, code], isDesktop).name)).toEqual([
    'apps',
    'code',
  ]);
});

test('[LIST-2] an unusable method is not a choice; a tile without choices names its first method', () => {
  const off = ofUpi('code', 'code', { disabledReason: 'list.disabled' });
  expect(methodOfTile([apps, off], true).name).toBe('apps');
  const none = ofUpi('apps', 'app', { disabledReason: 'list.disabled' });
  expect(tileChoices([none, off], true)).toEqual([]);
  expect(methodOfTile([none, off], true)).toBe(none);
});

test('[AMT-3] an amount that a method refuses leads first to another method of the same way', () => {
  const choices = tileChoices([apps, code, phonepe, id], false);
  const other = (from: PaymentMethod, takers: string[]) =>
    otherMethodFor(choices, from, ({ name }) => takers.includes(name))?.name;
  expect(other(apps, ['apps', 'code', 'phonepe'])).toBe('phonepe');
  expect(other(apps, ['code', 'id'])).toBe('code');
  expect(other(id, ['code'])).toBe('code');
  expect(other(apps, ['apps'])).toBeUndefined();
});

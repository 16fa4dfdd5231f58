/** Every mask of the shipped catalogue, typed and pasted as the form does it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormField } from '@opencashier/contract/api';
import { applyMask, type Mask, parseMask } from '@opencashier/core/masks/mask';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskOf } from './field-kind.ts';
import { editField } from './field-text.ts';

const folder = join(import.meta.dirname, '../../../../server/src/catalogue/data/methods');

/** Every object with a mask, wherever in the files it stands. */
function maskedFields(value: unknown): FormField[] {
  if (Array.isArray(value)) return value.flatMap(maskedFields);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'mask' in value && 'type' in value ? [value as FormField] : [];
  return [...own, ...Object.values(value).flatMap(maskedFields)];
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
const fields = files.flatMap((name) => maskedFields(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
const distinct = [...new Map(fields.map((field) => [`${field.type} ${field.mask}`, field])).values()];

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accepted = { digit: digits, letter: letters, any: digits + letters };

/** Zeros often: they are what literals are made of. */
const oneOf = (chars: string) =>
  fc.oneof(fc.constantFrom(...chars), fc.constantFrom(...(chars.includes('0') ? '0' : chars)));

function valuesOf(mask: Mask): fc.Arbitrary<string> {
  switch (mask.kind) {
    case 'pattern': {
      const slots = mask.slots.map((slot) =>
        'literal' in slot ? fc.constant(slot.literal) : oneOf(accepted[slot.accepts]),
      );
      return fc.tuple(...slots).map((chars) => chars.join(''));
    }
    case 'date': {
      const day = fc.date({ min: new Date('1900-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
      return day.map((date) => date.toISOString().slice(0, 10).split('-').reverse().join('.'));
    }
    case 'range':
      return fc.integer({ min: mask.min, max: mask.max }).map(String);
    case 'enum':
      return fc.constantFrom(...mask.values);
  }
}

function edit(field: FormField, shown: string, inserted: string) {
  return editField(field, {
    previous: shown,
    text: shown + inserted,
    caret: shown.length + inserted.length,
    deletes: undefined,
  });
}

describe('[FORM-8] [WD-2] a right value', () => {
  test('the catalogue has masks of every kind', () => {
    expect(new Set(distinct.map(({ mask = '' }) => parseMask(mask).kind))).toEqual(
      new Set(['pattern', 'date', 'range', 'enum']),
    );
    expect(distinct.some(({ mask }) => mask === 'aaaa\\0******')).toBe(true);
  });

  test.each(distinct.map((field) => [field.mask ?? '', field.type, field] as const))(
    'of %s in a field of %s is the same typed key by key and pasted',
    (_mask, _type, field) => {
      const mask = maskOf(field);
      if (mask === undefined) throw new Error('no mask');
      fc.assert(
        fc.property(valuesOf(mask), (value) => {
          let shown = '';
          for (const key of value) {
            const next = edit(field, shown, key);
            expect(next).toMatchObject({ lost: '', caret: next.text.length });
            shown = next.text;
          }
          expect(shown).toBe(value);
          expect(edit(field, '', value)).toMatchObject({ text: value, lost: '' });
          expect(edit(field, '', ` ${value.toLowerCase()}\n`.trimStart()).text.toUpperCase()).toBe(value);
          expect(applyMask(mask, value).isComplete).toBe(true);
        }),
      );
    },
  );
});

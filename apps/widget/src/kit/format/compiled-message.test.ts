/** What the build compiles and the widget interprets, beside a plain reading of the same message. */
import { compileMessage } from '@opencashier/messages/icu';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMessage } from './message.ts';

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value' | 'number'; readonly name: string }
  | { readonly kind: 'plural' | 'select'; readonly name: string; readonly options: Readonly<Record<string, Parts>> };
type Parts = readonly Part[];
type Params = Readonly<Record<string, string | number>>;

const locales = ['en', 'fr', 'ru', 'pl', 'ar', 'ja', 'tg', 'ro', 'es-MX', 'hi-Latn-IN'];
const pluralCases = ['=0', '=1', '=2', '=5', 'zero', 'one', 'two', 'few', 'many'];
const names = { plural: ['count', 'left'], select: ['kind', 'unit'] };
const counts = [0, 1, 2, 3, 5, 11, 21, 100, 1.5, 1_000_000];
const kinds = ['coins', 'one', 'money', 'other', 'cards'];

// Few texts and values: cases must often read alike, because the build leaves such cases out.
const text = fc.constantFrom('', 'a', 'b c').map((one): Part => ({ kind: 'text', text: one }));
const value = fc.constantFrom('from', 'count').map((name): Part => ({ kind: 'value', name }));

/** @param plural the name of the plural that `#` means here, if there is one */
function partsOf(depth: number, plural?: string): fc.Arbitrary<Parts> {
  const number = plural === undefined ? [] : [fc.constant<Part>({ kind: 'number', name: plural })];
  const choices = depth === 0 ? [] : [choiceOf('plural', depth), choiceOf('select', depth)];
  return fc.array(fc.oneof(text, value, ...number, ...choices), { maxLength: 2 });
}

function choiceOf(kind: 'plural' | 'select', depth: number): fc.Arbitrary<Part> {
  return fc.constantFrom(...names[kind]).chain((name) => {
    const parts = partsOf(depth - 1, kind === 'plural' ? name : undefined);
    const chosen = fc.constantFrom(...(kind === 'plural' ? pluralCases : ['coins', 'one', 'money']));
    return fc
      .record({ cases: fc.dictionary(chosen, parts, { maxKeys: 4, noNullPrototype: true }), other: parts })
      .map(({ cases, other }): Part => ({ kind, name, options: { ...cases, other } }));
  });
}

/** The message as a translator writes it. */
function written(parts: Parts): string {
  const all = parts.map((part) => {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'value') return `{${part.name}}`;
    if (!('options' in part)) return '#';
    const cases = Object.entries(part.options).map(([chosen, one]) => `${chosen} {${written(one)}}`);
    return `{${part.name}, ${part.kind}, ${cases.join(' ')}}`;
  });
  return all.join('');
}

/** The message as ICU reads it: each choice where it stands. */
function read(parts: Parts, params: Params, locale: string): string {
  const all = parts.map((part) => {
    if (part.kind === 'text') return part.text;
    const given = params[part.name] ?? '';
    if (!('options' in part)) return typeof given === 'number' ? new Intl.NumberFormat('de').format(given) : given;
    const keys = part.kind === 'plural' ? [`=${given}`, formOf(Number(given), locale)] : [`${given}`];
    const key = keys.find((one) => Object.hasOwn(part.options, one)) ?? 'other';
    return read(part.options[key] ?? [], params, locale);
  });
  return all.join('');
}

function formOf(count: number, locale: string): string {
  if (locale === 'tg') return count === 1 ? 'one' : 'other';
  return new Intl.PluralRules(locale).select(count);
}

test('[UI-1] any message says the same as a plain reading of it', () => {
  const message = fc.tuple(choiceOf('plural', 2), partsOf(2)).map(([plural, rest]) => [plural, ...rest]);
  fc.assert(
    fc.property(message, fc.constantFrom(...locales), fc.constantFrom(...kinds), (parts, locale, kind) => {
      const compiled = compileMessage(written(parts));
      for (const [at, count] of counts.entries()) {
        const params = { count, left: counts.at(at - 3) ?? 0, kind, unit: 'coins', from: '€5' };
        expect(formatMessage(compiled, params, locale, 'de'), written(parts)).toBe(read(parts, params, locale));
      }
    }),
    { numRuns: 300 },
  );
});

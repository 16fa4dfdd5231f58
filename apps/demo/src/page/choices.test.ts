import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choiceLists, choiceNames, readChoices, writeChoices } from './choices.ts';

test('defaults leave the address clean', () => {
  expect(writeChoices(readChoices(''))).toBe('');
});

test('whatever is chosen survives the address', () => {
  const any = fc.record({
    ...Object.fromEntries(choiceNames.map((name) => [name, fc.constantFrom(...choiceLists[name])])),
    user: fc.constantFrom('', 'none', 'new', 'guest-4f2a'),
  });
  fc.assert(
    fc.property(any, (chosen) => {
      const choices = { ...readChoices(''), ...chosen };
      expect(readChoices(writeChoices(choices))).toEqual(choices);
    }),
  );
});

test('what is not on the lists takes its default', () => {
  expect(readChoices('?locale=xx&theme=pink&user=<script>&unknown=1')).toEqual(readChoices(''));
});

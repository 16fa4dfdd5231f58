import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeSecondPerson, type Take } from './second-person.ts';

const of = (by: string, keyId: string | null = null): Take => ({ by, keyId });

test('[WD-2] who took a copy never confirms it, whoever else took one before or after', () => {
  expect(judgeSecondPerson([], of('bob'), false)).toBe('not-taken');
  expect(judgeSecondPerson([of('ann')], of('bob'), false)).toBe('good');
  expect(judgeSecondPerson([of('Ann')], of('ann'), false)).toBe('same-person');
  expect(judgeSecondPerson([of('ann'), of('bob')], of('BOB'), false)).toBe('same-person');
  expect(judgeSecondPerson([of('ann'), of('bob'), of('ann')], of('bob'), false)).toBe('same-person');
  expect(judgeSecondPerson([of('ann'), of('bob')], of('carl'), false)).toBe('good');
});

test('[WD-2] with different keys, the key of any take is refused, and the command line counts as one key', () => {
  const takes = [of('ann', 'key-1'), of('bob', null)];
  expect(judgeSecondPerson(takes, of('carl', 'key-1'), false)).toBe('good');
  expect(judgeSecondPerson(takes, of('carl', 'key-1'), true)).toBe('same-key');
  expect(judgeSecondPerson(takes, of('carl', null), true)).toBe('same-key');
  expect(judgeSecondPerson(takes, of('carl', 'key-2'), true)).toBe('good');
});

const person = fc.record({
  by: fc.constantFrom('ann', 'Ann', 'bob', 'BOB', 'carl'),
  keyId: fc.constantFrom(null, 'key-1', 'key-2', 'key-3'),
});

test('[WD-2] no order of takes lets one person or one key act alone, and a further take never allows more', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(person, { maxLength: 6 }), person, person, fc.boolean(), (takes, more, who, needsOtherKey) => {
      const verdict = judgeSecondPerson(takes, who, needsOtherKey);
      seen.add(verdict);
      expect(judgeSecondPerson([...takes].reverse(), who, needsOtherKey)).toBe(verdict);
      if (verdict === 'good') {
        const names = new Set([...takes, who].map(({ by }) => by.toLowerCase()));
        expect(names.size).toBe(new Set(takes.map(({ by }) => by.toLowerCase())).size + 1);
        if (needsOtherKey) expect(takes.map(({ keyId }) => keyId)).not.toContain(who.keyId);
      } else if (takes.length > 0) expect(judgeSecondPerson([...takes, more], who, needsOtherKey)).not.toBe('good');
    }),
    // One of each verdict, however few the runs are.
    {
      examples: [
        [[], of('ann'), of('bob'), false],
        [[of('ann')], of('carl'), of('bob'), false],
        [[of('ann')], of('bob'), of('Ann'), false],
        [[of('ann', 'key-1')], of('carl'), of('bob', 'key-1'), true],
      ],
    },
  );
  expect(seen).toEqual(new Set(['good', 'not-taken', 'same-person', 'same-key']));
});

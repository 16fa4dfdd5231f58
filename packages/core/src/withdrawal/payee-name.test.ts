import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgePayee, type PayeeChoice, type PayeeVerdict } from './payee-name.ts';

const close = (name?: string) => ({ verdict: 'close-match', name }) as const;

test('[WD-2] a close match is asked of the person, with the name that the bank gave', () => {
  expect(judgePayee(close('Jane Doe'), 'Jane Do', 'ask')).toEqual({ kind: 'ask', name: 'Jane Doe' });
  expect(judgePayee(close('  Jane   Doe '), 'Jane Do', 'ask')).toEqual({ kind: 'ask', name: 'Jane Doe' });
});

test.each([
  ['the person keeps the typed name', close('Jane Doe'), 'keep'],
  ['the caller cannot ask', close('Jane Doe'), undefined],
  ['the bank gave no name', close(), 'ask'],
  ['the name is empty', close('  '), 'ask'],
  ['the name differs only by spaces', close('Jane  Do '), 'ask'],
  ['the name turns the direction of the text', close('Jane \u202Eeod'), 'ask'],
  ['the name has a line break', close('Jane\nDoe'), 'ask'],
  ['the name is too long', close('x'.repeat(141)), 'ask'],
  ['the name matches', { verdict: 'match', name: 'Jane Doe' }, 'ask'],
  ['the bank cannot say', { verdict: 'not-possible', name: 'Jane Doe' }, 'ask'],
] as const)('[WD-2] the withdrawal goes on when %s', (_when, answer, choice) => {
  expect(judgePayee(answer, 'Jane Do', choice)).toEqual({ kind: 'go-on' });
});

test('[WD-2] an account in another name is refused whatever the person wants, and never named', () => {
  const choices = fc.constantFrom<PayeeChoice[]>('ask', 'keep', undefined);
  const verdicts = fc.constantFrom<PayeeVerdict[]>('match', 'close-match', 'no-match', 'not-possible');
  fc.assert(
    fc.property(
      verdicts,
      fc.option(fc.string(), { nil: undefined }),
      fc.string(),
      choices,
      (verdict, name, typed, choice) => {
        const judged = judgePayee({ verdict, name }, typed, choice);
        expect(judged.kind === 'refuse').toBe(verdict === 'no-match');
        if (judged.kind === 'ask') expect([verdict, choice]).toEqual(['close-match', 'ask']);
        else expect(Object.keys(judged)).toEqual(['kind']);
      },
    ),
  );
});

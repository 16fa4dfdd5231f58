import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRule, MAX_TESTED_LENGTH } from './regex-rule.ts';

const fault = (pattern: string) => {
  const rule = compileRule(pattern);
  return rule.ok ? 'fine' : rule.fault;
};

describe('rules from data', () => {
  test.each([
    '^\\d{10}$',
    '^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}$',
    '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
    '^([a-z0-9]+\\.)*[a-z0-9]+@example\\.com$',
    '^(([^<>()[\\]\\\\.,;:\\s@"]+(\\.[^<>()[\\]\\\\.,;:\\s@"]+)*)|(".+"))@(([a-zA-Z\\-0-9]+\\.)+[a-zA-Z]{2,})$',
    '^(\\d{4}\\s?)+$',
    '^(\\s?\\d{4}){4}$',
    '^\\d{1,3}(\\.\\d{1,3}){3}$',
    '^(?=.*[A-Z])(?=.*\\d).{8,}$',
    '^(?:[A-Z]{4})([A-Z]{2})[A-Z0-9]{2}([A-Z0-9]{3})?$',
    '^T[1-9A-HJ-NP-Za-km-z]{33}$',
    "^\\p{L}+([ '-]\\p{L}+)*$",
    '^[а-яё]+(?: [а-яё]+)*$',
    '^(visa|mc|amex)$',
    '^(\\w|\\s|-)+$',
    '00$',
    '',
  ])('[FORM-2] the harmless rule %s is used', (pattern) => {
    expect(fault(pattern)).toBe('fine');
  });

  test('[FORM-2] a rule is tested as unicode on the value', () => {
    const rule = compileRule('^\\p{L}{2,}$');
    if (!rule.ok) throw new Error(rule.fault);
    expect(['Йо', 'ab', 'a1', '😀😀', ''].map(rule.matches)).toEqual([true, true, false, false, false]);
  });

  test.each(['(', '[a', '\\', 'a{2,1}', '(?<n>a)(?<n>b)', '\\p{Nope}', '+', '\\-'])(
    '[FORM-2] %j does not compile and is skipped',
    (pattern) => {
      expect(fault(pattern)).toBe('malformed');
    },
  );

  test('[FORM-2] a rule or a value that is too long is not tested', () => {
    expect(fault('a'.repeat(1001))).toBe('too-long');
    const rule = compileRule('^a+$');
    expect(rule.ok && rule.matches('a'.repeat(MAX_TESTED_LENGTH))).toBe(true);
    expect(rule.ok && rule.matches('a'.repeat(MAX_TESTED_LENGTH + 1))).toBe(false);
  });
});

/** Processor time, because a busy machine would look like a slow rule. The best of three, because of garbage collection. */
function millisecondsOf(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && best >= 50; tries += 1) {
    const start = process.cpuUsage();
    run();
    best = Math.min(best, process.cpuUsage(start).user / 1000);
  }
  return best;
}

/** Patterns that are known to freeze, and the texts that make them freeze. */
const EVIL: readonly (readonly [string, string])[] = [
  ['(a+)+$', 'a'],
  ['^(a+)+$', 'a'],
  ['^(a*)*$', 'a'],
  ['^(a|a)+$', 'a'],
  ['^(a|aa)+$', 'a'],
  ['^(a|a?)+$', 'a'],
  ['^([a-zA-Z]+)*$', 'a'],
  ['^(.*a){12}$', 'a'],
  ['^(.*)*$', '\n'],
  ['^(\\d+)+$', '1'],
  ['^(\\w+\\s?)*$', 'a'],
  ['^([a-z]+\\s?)+$', 'a'],
  ['^(\\w|\\d)+$', '1'],
  ['^((a+)b?)+$', 'a'],
  ['^(a?){30}a{30}$', 'a'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
  [
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    'a',
  ],
  ['^(?:(?:a+)+)+$', 'a'],
  ['^(?<x>a+)+$', 'a'],
  ['^(a+){10}$', 'a'],
  ['^(a+){2,50}$', 'a'],
  ['^(a{1,30}){1,30}$', 'a'],
  ['^(a*a*a*a*)$', 'a'],
  ['.*.*.*.*x', 'a'],
  ['\\s*\\s*\\s*\\s*$', ' '],
  ['^\\d*\\d*\\d*\\d*\\d*$', '1'],
  ['^(\\w+)\\1+$', 'a'],
  ['^(?=(a+)+$).*$', 'a'],
  ['^(?!(a|a)*$)b', 'a'],
  ['^(a|b|ab)*$', 'ab'],
  ['^(x+x+)+y$', 'x'],
  ['^(.|\\s)*$', ' '],
  ['^([^,]*,?)*$', 'a'],
  ['^(\\u0061+)+$', 'a'],
  ['^(\\x61|a)+$', 'a'],
  ['^([а-я]+)+$', 'а'],
  ['^(\\p{L}+)+$', 'ж'],
  ['^([\\s\\S]+)*$', 'a'],
  ['^(a*?)*$', 'a'],
  ['^(a+?b?)+$', 'a'],
  ['^(a{0,99})+$', 'a'],
  ['a{100000}', 'a'],
  ['^((?:ab?)+)+$', 'a'],
  ['^(?:\\d|\\d\\d)+$', '1'],
  ['^(\\d{1,2})+$', '1'],
  ['^(-?\\d*)*$', '1'],
  ['^(\\(?a+\\)?)+$', 'a'],
  ['^([a-z0-9_.+-]+)+@', 'a'],
  ['^(\\S+\\s*)+$', 'a'],
  ['^(?:a|b*)+$', 'b'],
  ['^(a+a+\\.)+$', 'aaa.'],
  ['^(a?a?\\.)+$', 'a.'],
  ['^((a|ab)(c|bc)\\.)+$', 'abc.'],
  [`^${'a?'.repeat(30)}${'a'.repeat(30)}$`, 'a'],
  [`^${'(a|a)'.repeat(30)}$`, 'a'],
  ['^((((a?){3}){3}){3}){3}$', 'a'],
  ['^(?:(?:(?:(?:a|a){3}){3}){3}){3}$', 'a'],
  ['^(a{1,2}){3}(a{1,2}){3}(a{1,2}){3}(a{1,2}){3}(a{1,2}){3}(a{1,2}){3}(a{1,2}){3}(a{1,2}){3}$', 'a'],
];

describe('harmful rules', () => {
  test.each(EVIL)('[FORM-2] %s is skipped as unsafe', (pattern) => {
    expect(fault(pattern)).toBe('unsafe');
  });

  test('[FORM-2] every accepted rule answers within 50 ms on texts that freeze other rules', () => {
    const accepted = [
      '^([a-z0-9]+\\.)*[a-z0-9]+@example\\.com$',
      '^(([^<>()[\\]\\\\.,;:\\s@"]+(\\.[^<>()[\\]\\\\.,;:\\s@"]+)*)|(".+"))@(([a-zA-Z\\-0-9]+\\.)+[a-zA-Z]{2,})$',
      '\\S+@\\S+$',
      '^.*.*.*x$',
      '^(\\d{4}\\s?)+$',
      '^(\\w|\\s|-)+$',
    ];
    const texts = [...new Set(EVIL.map(([, unit]) => unit)), '@', '.', '1234 ', 'a.', 'a@'].map((unit) =>
      `${unit.repeat(MAX_TESTED_LENGTH)}`.slice(0, MAX_TESTED_LENGTH - 1).concat('!'),
    );
    for (const pattern of accepted) {
      const rule = compileRule(pattern);
      if (!rule.ok) throw new Error(`${pattern}: ${rule.fault}`);
      for (const text of texts) {
        expect(millisecondsOf(() => rule.matches(text))).toBeLessThan(50);
      }
    }
  });

  test('[FORM-2] no random rule that is accepted runs longer than 50 ms', () => {
    const atom = fc.constantFrom('a', 'b', '[ab]', '.', '\\w', 'c', '\\.');
    const repeat = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{0,40}', '{5}');
    const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
      piece: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.tuple(atom, repeat).map((parts) => parts.join('')),
        fc.tuple(tie('pattern'), repeat).map(([inner, times]) => `(?:${inner})${times}`),
        fc.tuple(tie('pattern'), tie('pattern'), repeat).map(([left, right, times]) => `(?:${left}|${right})${times}`),
      ),
      pattern: fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    }));
    const length = MAX_TESTED_LENGTH - 1;
    const texts = ['a', 'b', 'ab', 'aab.', 'a.', 'abc', 'cb'].map((unit) => `${unit.repeat(length).slice(0, length)}!`);
    fc.assert(
      fc.property(pattern, fc.boolean(), (body, isAnchored) => {
        const rule = compileRule(`${isAnchored ? '^' : ''}${body}$`);
        if (!rule.ok) return;
        for (const text of texts) {
          expect(millisecondsOf(() => rule.matches(text))).toBeLessThan(50);
        }
      }),
      { numRuns: 500 },
    );
    // Rules that are all refused would prove nothing. A fixed sample: a share of few runs is chance.
    const sample = fc.sample(pattern, { seed: 1, numRuns: 100 });
    expect(sample.filter((body) => compileRule(`^${body}$`).ok).length).toBeGreaterThan(10);
  });
});

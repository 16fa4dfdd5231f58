import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isEmail } from './email.ts';
import { validateField } from './validate-field.ts';

describe('[FORM-4] an e-mail address', () => {
  test.each([
    'ann@example.com',
    'Ann.B+c@mail.example.co.uk',
    "o'neil@example.ie",
    'anna@münchen.de',
    'anna@xn--mnchen-3ya.de',
    'anna@пример.рф',
    'anna@xn--e1afmkfd.xn--p1ai',
    'अना@उदाहरण.भारत',
    'jörg@müller.example',
    'ana@例え.jp',
    `a@${'b'.repeat(63)}.com`,
  ])('%s is an address', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  test.each([
    'mailto:a@b.c',
    'a@b',
    'a@example..com',
    'a@b.c',
    '@example.com',
    'a@',
    'a b@example.com',
    'a@exam ple.com',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'a@-example.com',
    'a@example.com.',
    'a@1.2.3.4',
    'a@example.123',
    'a@b@example.com',
    'Ann <a@example.com>',
    'a@example.com/x',
    'a@example.com:80',
    'a@example.com?x',
    'a\u202e@example.com',
    'a@exam\u202eple.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${`${'b'.repeat(60)}.`.repeat(5)}com`,
  ])('%j is not an address', (text) => {
    expect(isEmail(text)).toBe(false);
  });

  test('any address of plain words is valid, and none with a missing part', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,20}$/);
    const ending = fc.stringMatching(/^[a-z]{2,10}$/);
    fc.assert(
      fc.property(word, word, ending, (local, domain, last) => {
        expect(isEmail(`${local}@${domain}x.${last}`)).toBe(true);
        expect(isEmail(`${local}@${last}`)).toBe(false);
        expect(isEmail(`${domain}.${last}`)).toBe(false);
      }),
    );
  });

  test('a field is an e-mail field by its category, or by its name when it has no other rule', () => {
    const wrong = (more: object) =>
      validateField({ field: { name: 'x', type: 'text', ...more }, value: 'a@b', method: 'm' }).error !== undefined;
    expect(wrong({ category: 'email', regex: '^.+$' })).toBe(true);
    expect(wrong({ name: 'email' })).toBe(true);
    expect(wrong({ name: 'email', regex: '^.+$' })).toBe(false);
    expect(wrong({ name: 'note' })).toBe(false);
  });
});

import { LONGEST_NAME } from '@opencashier/core/sepa/credit-transfer-file';
import { sepaText } from '@opencashier/core/sepa/sepa-text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import bankMethods from './methods/withdrawals/bank.json' with { type: 'json' };

interface Method {
  readonly name: string;
  readonly fields?: readonly { readonly name: string; readonly regex?: string }[];
}

const rules = (bankMethods as readonly Method[])
  .filter(({ name }) => name.startsWith('sepa_'))
  .map(
    ({ name, fields = [] }) =>
      [name, new RegExp(fields.find((field) => field.name === 'fullName')?.regex ?? '^$', 'u')] as const,
  );

test('[WD-2] every name that the form of a SEPA withdrawal takes can be written in a file', () => {
  expect(rules.map(([name]) => name)).toEqual(['sepa_withdrawal', 'sepa_instant_withdrawal']);
  for (const [, rule] of rules) {
    for (const name of [
      'Zoë Müller',
      'Łukasz Żółć',
      'Ελένη Παππά',
      'Юлия Щербакова',
      'O’Brien-Núñez',
      'Oʻtkir Zoe\u0308',
    ])
      expect(name).toMatch(rule);
    for (const name of ['王小明', 'محمد علي', 'A&B <x>', 'a\u202eb', 'A']) expect(name).not.toMatch(rule);
    for (let code = 1; code <= 0xffff; code += 1) {
      const name = `A${String.fromCharCode(code)}`;
      if (rule.test(name)) expect(sepaText(name, LONGEST_NAME), name).toBeDefined();
    }
    fc.assert(
      fc.property(fc.stringMatching(rule), (name) => {
        expect(sepaText(name, LONGEST_NAME)).toBeDefined();
      }),
    );
  }
});

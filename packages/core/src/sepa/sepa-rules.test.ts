import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { causeOfReason, judgeTransfer } from './bank-status.ts';
import { sepaText } from './sepa-text.ts';
import { executionDay, isTargetDay, targetDayFrom } from './target-days.ts';

describe('[WD-2] the characters of SEPA', () => {
  test.each([
    ['José Ñuñez-O’Brien', "Jose Nunez-O'Brien"],
    ['Łukasz Żółć', 'Lukasz Zolc'],
    ['Straße & Söhne', 'Strasse + Sohne'],
    ['Юлия Щербакова', 'Yuliya Shterbakova'],
    ['ΨΩ', 'PsO'],
    ['a\u200f\u202eb\u200d', 'ab'],
    ['  a \u00a0 b ', 'a b'],
    ['//a//b/', 'a/b'],
  ])('%j becomes %j', (text, latin) => {
    expect(sepaText(text, 70)).toBe(latin);
  });

  test.each(['', ' ', '王小明', 'محمد', 'a\u0000b', 'a\nb', '😀', '---'])('%j cannot be written', (text) => {
    expect(sepaText(text, 70)).toBeUndefined();
  });

  test('hold for every text, and within the length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 140 }), (text, longest) => {
        const latin = sepaText(text, longest);
        if (latin === undefined) return;
        expect(latin).toMatch(/^[A-Za-z0-9/\-?:().,'+ ]+$/);
        expect(latin.length).toBeLessThanOrEqual(longest);
        expect(sepaText(latin, longest)).toBe(latin);
      }),
    );
  });
});

describe('[WD-2] the business days of TARGET', () => {
  test.each([
    '2026-01-01',
    '2026-04-03',
    '2026-04-06',
    '2026-05-01',
    '2026-12-25',
    '2027-03-26',
    '2028-04-17',
    '2026-01-31',
  ])('%s is none', (day) => {
    expect(isTargetDay(day)).toBe(false);
  });

  test('after Maundy Thursday comes the Tuesday after Easter', () => {
    expect(targetDayFrom('2026-04-02')).toBe('2026-04-02');
    expect(targetDayFrom('2026-04-03')).toBe('2026-04-07');
    expect(targetDayFrom('2026-12-25')).toBe('2026-12-28');
  });

  test('the day and the cut-off are those of Frankfurt', () => {
    const plan = { cutOff: '15:00', isInstant: false };
    expect(executionDay(Date.UTC(2026, 6, 1, 12, 59), plan)).toBe('2026-07-01');
    expect(executionDay(Date.UTC(2026, 6, 1, 13, 0), plan)).toBe('2026-07-02');
    expect(executionDay(Date.UTC(2026, 6, 3, 22, 30), plan)).toBe('2026-07-06');
    expect(executionDay(Date.UTC(2026, 6, 3, 22, 30), { ...plan, isInstant: true })).toBe('2026-07-04');
  });
});

describe('[WD-2] what a bank’s status means', () => {
  test.each([
    ['ACSC', undefined, undefined, { kind: 'paid' }],
    ['ACCC', undefined, 'PART', { kind: 'paid' }],
    [undefined, undefined, 'ACSC', { kind: 'paid' }],
    ['ACSP', undefined, 'ACSC', { kind: 'pending' }],
    [undefined, undefined, 'ACCP', { kind: 'pending' }],
    [undefined, undefined, 'PART', { kind: 'pending' }],
    [undefined, undefined, undefined, { kind: 'pending' }],
    ['PDNG', 'AC04', 'RJCT', { kind: 'pending' }],
    ['RJCT', 'AC04', undefined, { kind: 'declined', cause: 'account-closed' }],
    ['RJCT', 'AC01', 'PART', { kind: 'declined', cause: 'account-details' }],
    ['RJCT', 'MS03', 'PART', { kind: 'declined' }],
    // The operator’s own account, a duplicate, and a code that nobody knows say nothing about the payee.
    ['RJCT', 'AM04', 'PART', { kind: 'stopped' }],
    ['RJCT', 'AM05', 'PART', { kind: 'stopped' }],
    ['RJCT', 'ZZ99', 'PART', { kind: 'stopped' }],
    ['RJCT', undefined, 'PART', { kind: 'stopped' }],
    [undefined, 'AC04', 'RJCT', { kind: 'stopped' }],
  ] as const)('%s %s in a file with %s', (status, reason, ofAll, verdict) => {
    expect(judgeTransfer(status, reason, ofAll)).toEqual(verdict);
  });

  test('only a rejection with a reason of the payee declines, whatever a bank writes', () => {
    const word = fc.option(fc.stringMatching(/^[A-Z0-9]{0,4}$/), { nil: undefined });
    fc.assert(
      fc.property(word, word, word, (status, reason, ofAll) => {
        const { kind } = judgeTransfer(status, reason, ofAll);
        if (kind === 'declined') expect(status).toBe('RJCT');
        if (kind === 'paid') expect(['ACSC', 'ACCC']).toContain(status ?? ofAll);
      }),
    );
  });

  test('insufficient funds of the operator have no cause for the payee', () => {
    expect(causeOfReason('AM04')).toBeUndefined();
    expect(causeOfReason('BE01')).toBe('name-mismatch');
  });
});

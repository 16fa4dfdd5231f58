/** `check bonuses` of `@opencashier/server` judges an answer as the cashier does. The package is published alone, so it has a copy of the rules. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeAnswer } from '../../apps/server/src/bonus-engine/judge-answer.ts';
import { meaningOf } from '../../packages/server/src/check-engine/ask-engine.ts';

const question = {
  type: 'bonuses',
  id: '0198c0de-0000-7000-8000-000000000001',
  userId: 'ann',
  currency: 'EUR',
} as const;

const money = {
  id: 'vip',
  type: 'deposit',
  currency: 'EUR',
  title: { en: 'For you' },
  depositBonusData: { minDeposit: '10', maxBonusAmount: '100', percent: 50, payoutMultiplier: 3, wagerMultiplier: 30 },
};
const spins = {
  id: 'spins',
  type: 'freespin',
  currency: 'EUR',
  title: { en: 'Spins', 'pt-BR': 'Giros' },
  freespinBonusData: { count: 5, minDeposit: '0', maxSpinWin: '1.5', payoutMultiplier: 0, wagerMultiplier: 1 },
};
const odd = [undefined, null, true, 7, '', 'text', [], {}] as const;
const amounts = ['0', '0.00', '12.5', '12.505', '025', '.5', '1e3', ' 1', '-1', '9'.repeat(41), ...odd];
const factors = [0, 1, 0.5, 0.000_001, 0.000_000_1, 1_000_000, 1_000_001, -1, ...odd];
const times = [
  '2026-01-31T10:15:00Z',
  '2026-02-30T10:15:00Z',
  '2027-01-01 00:00:00+14:59',
  '0000-01-01T00:00:00Z',
  '2026-01-01T00:00:00+15:00',
  '2026-01-01T00:00Z',
  ...odd,
];
const words = [
  { en: 'Hi' },
  { de: 'Hallo' },
  { en: '' },
  { en: 'a\nb' },
  { en: 'x'.repeat(301) },
  { en: '\ud800' },
  { EN: 'Hi', en: 'Hi' },
  { en: 5 },
  ...odd,
];
/** What each field of a bonus may hold, good and bad. A dot leads into the terms. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  id: ['x', 'x'.repeat(65), 'two words', 'ä', ...odd],
  type: ['deposit', 'freespin', ...odd],
  currency: ['EUR', 'eur', 'USD', 'USX', 'BTC', ...odd],
  title: words,
  subtitle: words,
  startsAt: times,
  endsAt: times,
  roundMinutes: [1, 1.5, 527_040, 527_041, 0, ...odd],
  depositRequired: [false, ...odd],
  later: [1, undefined],
  depositBonusData: [money.depositBonusData, ...odd],
  freespinBonusData: [spins.freespinBonusData, ...odd],
  'depositBonusData.minDeposit': amounts,
  'depositBonusData.maxBonusAmount': amounts,
  'depositBonusData.percent': [1000, 1001, ...factors],
  'depositBonusData.wagerMultiplier': factors,
  'depositBonusData.later': [1],
  'freespinBonusData.count': [1, 0, 1.5, 1_000_001, ...odd],
  'freespinBonusData.minDeposit': amounts,
  'freespinBonusData.maxSpinWin': amounts,
  'freespinBonusData.payoutMultiplier': factors,
  'freespinBonusData.gamesContent': [
    [{ nameEn: 'Book' }],
    [{ nameEn: '\0' }],
    [{ nameEn: 7 }],
    [{}],
    [{ nameEn: 'A', more: 1 }],
    ...odd,
  ],
};

function changed(bonus: object, field: string, value: unknown): object {
  const [outer = '', inner] = field.split('.');
  if (inner === undefined) return { ...bonus, [outer]: value };
  const terms = (bonus as Record<string, unknown>)[outer];
  return typeof terms === 'object' ? { ...bonus, [outer]: { ...terms, [inner]: value } } : bonus;
}

/** Which bonuses the cashier shows: their places, or nothing. */
const cashiers = (body: string) => {
  const judged = judgeAnswer(question, body);
  if (judged.kind !== 'bonuses') return 'unusable';
  return [...new Set(judged.leftOut.map(({ path }) => path.split('.')[1]))];
};
const checks = (body: string) => {
  const meaning = meaningOf(question, body);
  if (meaning.kind !== 'bonuses') return 'unusable';
  return [...new Set(meaning.faults.map(({ path }) => path.split('.')[1]))];
};
const expectSame = (answer: unknown) => {
  const body = JSON.stringify(answer);
  const found = checks(body);
  expect(found, body).toEqual(cashiers(body));
  return found;
};

test('[SRV-6] check leaves out the bonuses that the cashier leaves out', () => {
  const found = new Set<string>();
  for (const bonus of [money, spins]) {
    for (const [field, all] of Object.entries(values)) {
      for (const value of all) found.add(String(expectSame({ bonuses: [changed(bonus, field, value)] })));
    }
  }
  expect([...found].sort()).toEqual(['', '0']);
});

test('[SRV-6] check and cashier agree about whole answers and about ids', () => {
  for (const answer of [[], 'text', 7, null, {}, { bonuses: null }, { bonuses: {} }, { bonuses: [] }])
    expectSame(answer);
  for (const id of [question.id, question.id.toUpperCase(), 'other', ...odd]) expectSame({ bonuses: [], id });
  for (const userId of ['ann', 'bob', ...odd]) expectSame({ bonuses: [], userId });
  for (const bonus of odd) expectSame({ bonuses: [bonus, money] });
  expect(expectSame({ bonuses: [money, spins, money] })).toEqual(['2']);
  expect(
    expectSame({
      bonuses: [
        { ...money, id: 'vip-2' },
        { ...money, roundMinutes: 5 },
      ],
    }),
  ).toEqual(['0']);
});

test('[SRV-6] check and cashier agree about bonuses that are wrong in several fields', () => {
  const change = fc
    .constantFrom(...Object.entries(values))
    .chain(([field, all]) => fc.constantFrom(...all).map((value) => [field, value] as const));
  const bonus = fc
    .tuple(fc.constantFrom(money, spins), fc.array(change, { maxLength: 3 }))
    .map(([good, changes]) => changes.reduce<object>((made, [field, value]) => changed(made, field, value), good));
  fc.assert(
    fc.property(fc.array(bonus, { maxLength: 4 }), (bonuses) => {
      expectSame({ bonuses });
    }),
    { numRuns: 300 },
  );
});

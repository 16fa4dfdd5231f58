import { type BonusQuestion, mostBonusesOfUser } from '@opencashier/contract/operator';
import { expect, test } from 'vitest';
import { engineBonus } from './fake-engine.fixture.ts';
import { judgeAnswer } from './judge-answer.ts';

const question: BonusQuestion = {
  type: 'bonuses',
  id: '9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01',
  userId: 'ann',
  currency: 'INR',
};
const judge = (answer: unknown, asked = question) => judgeAnswer(asked, JSON.stringify(answer));
const pathsOf = (answer: unknown) => {
  const judged = judge(answer);
  return judged.kind === 'bonuses' ? judged.leftOut.map(({ path }) => path) : judged.why;
};
const idsOf = (answer: unknown, asked = question) => {
  const judged = judge(answer, asked);
  return judged.kind === 'bonuses' ? judged.bonuses.map(({ id }) => id) : judged.why;
};

test('[BON-1] a right answer has its bonuses in its order, with or without the echo of the question', () => {
  const bonuses = [engineBonus('b'), engineBonus('a')];
  expect(judge({ bonuses })).toEqual({ kind: 'bonuses', bonuses, leftOut: [] });
  expect(judge({ bonuses: [], id: question.id.toUpperCase(), userId: 'ann', more: 1 })).toMatchObject({ leftOut: [] });
});

test.each<[what: string, body: string | undefined, why: string]>([
  ['a body that is too long', undefined, 'the answer is too long or broke off'],
  ['a page', '<html>', 'not an answer of the contract'],
  ['another shape', '[]', 'not an answer of the contract'],
  ['no list', '{"bonuses":{}}', 'not an answer of the contract'],
  ['the answer for another user', '{"bonuses":[],"userId":"bob"}', 'the answer has another userId than the question'],
  ['the answer to another question', '{"bonuses":[],"id":"x"}', 'the answer has another id than the question'],
])('[SRV-2] %s is not used at all', (_what, body, why) => {
  expect(judgeAnswer(question, body)).toEqual({ kind: 'unusable', why });
});

test('[BON-1] a wrong bonus is left out and named, and the others stay', () => {
  const good = engineBonus('good');
  const answer = {
    bonuses: [
      { ...engineBonus('no-terms'), depositBonusData: undefined },
      { ...engineBonus('misspelt'), percnt: 1 },
      good,
      'text',
      { ...engineBonus('dollars'), currency: 'USD' },
      { ...engineBonus('unstorable'), title: { en: 'a\u0000b' } },
      good,
      engineBonus('last'),
    ],
  };
  expect(idsOf(answer)).toEqual(['good', 'last']);
  expect(pathsOf(answer)).toEqual([
    'bonuses.0.depositBonusData',
    'bonuses.1.percnt',
    'bonuses.3',
    'bonuses.4.currency',
    'bonuses.5.title.en',
    'bonuses.6.id',
  ]);
});

test('[BON-2] a bonus whose id a round of another can have is left out, in either order', () => {
  const rounds = { ...engineBonus('day'), roundMinutes: 1440 };
  expect(idsOf({ bonuses: [engineBonus('day-17'), rounds] })).toEqual(['day']);
  expect(idsOf({ bonuses: [rounds, engineBonus('day-17')] })).toEqual(['day']);
});

test('[BON-1] without a currency in the question every currency is right', () => {
  const { currency: _currency, ...asked } = question;
  const dollars = { ...engineBonus('dollars'), currency: 'USD' };
  expect(idsOf({ bonuses: [dollars, engineBonus('rupees')] }, asked)).toEqual(['dollars', 'rupees']);
});

test('[SRV-2] only the first bonuses of a long list are read, and few of its faults are named', () => {
  const many = Array.from({ length: mostBonusesOfUser + 10 }, (_, n) => engineBonus(`n${n}`));
  expect(idsOf({ bonuses: many })).toHaveLength(mostBonusesOfUser);
  expect(pathsOf({ bonuses: many })).toEqual([`bonuses.${mostBonusesOfUser}`]);
  expect(pathsOf({ bonuses: many.map(() => 7) })).toHaveLength(20);
});

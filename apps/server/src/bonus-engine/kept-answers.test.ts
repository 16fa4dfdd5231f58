import { expect, test } from 'vitest';
import { type AnswerBounds, createKeptAnswers } from './kept-answers.ts';

const answer = (at: number, size = 1) => ({ bonuses: [], at, size });
const kept = (bounds: Partial<AnswerBounds> = {}) =>
  createKeptAnswers({ mostAnswers: 10, mostSize: 100, oldestMs: 1000, ...bounds });

test('[BON-1] the answer for every currency counts for one currency, if it is younger', () => {
  const answers = kept();
  answers.keep({ userId: 'ann' }, answer(1));
  answers.keep({ userId: 'ann', currency: 'EUR' }, answer(2));
  expect(answers.find({ userId: 'ann', currency: 'EUR' })?.at).toBe(2);
  expect(answers.find({ userId: 'ann', currency: 'USD' })?.at).toBe(1);
  expect(answers.find({ userId: 'ann' })?.at).toBe(1);
  answers.keep({ userId: 'ann' }, answer(3));
  expect(answers.find({ userId: 'ann', currency: 'EUR' })?.at).toBe(3);
  expect(answers.find({ userId: 'bob', currency: 'EUR' })).toBeUndefined();
});

test.each<[what: string, bounds: Partial<AnswerBounds>]>([
  ['too many', { mostAnswers: 2 }],
  ['too large', { mostSize: 2 }],
  ['too old', { oldestMs: 2 }],
])('[SRV-2] the oldest answers are forgotten when they are %s', (_what, bounds) => {
  const answers = kept(bounds);
  for (const [userId, at] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    answers.keep({ userId }, answer(at));
  expect(['a', 'b', 'c'].map((userId) => answers.find({ userId })?.at)).toEqual([3, undefined, 4]);
});

test('[SRV-2] a replaced answer frees its size, and one that is larger than all others is not kept', () => {
  const answers = kept({ mostSize: 10 });
  for (let at = 1; at <= 20; at += 1) answers.keep({ userId: 'ann' }, answer(at, 8));
  expect(answers.find({ userId: 'ann' })?.at).toBe(20);
  answers.keep({ userId: 'bob' }, answer(21, 11));
  expect(answers.find({ userId: 'bob' })).toBeUndefined();
  answers.keep({ userId: 'ann' }, answer(22, 8));
  expect(answers.find({ userId: 'ann' })?.at).toBe(22);
});

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { accountAlone, momentAndAccount, momentAndId, pagedList } from './page-cursor.ts';

const reviews = pagedList('reviews', momentAndId);
const debts = pagedList('debts', accountAlone);
const frozen = pagedList('frozen accounts', momentAndAccount);

type List = typeof reviews | typeof debts | typeof frozen;
const failureOf = (list: List, cursor: string): unknown => {
  try {
    return list.placeOf(cursor);
  } catch (error) {
    return error;
  }
};
const refusal = {
  code: 'invalid-request',
  details: { fields: [{ path: 'cursor', message: 'Give the nextCursor of an earlier page of this list.' }] },
};

const at = '2026-02-28 23:59:59.123456+05:30';
const rows = [1, 2, 3].map((n) => ({ at, id: randomUUID(), account: `${n}` }));
const cursorOf = (written: unknown) => Buffer.from(JSON.stringify(written)).toString('base64url');

test('[SRV-1] a page says where the next one begins, and the last one that there is none', () => {
  const { page, next } = reviews.pageOf(rows, 2, ({ at, id }) => ({ at, id }));
  expect(page).toEqual(rows.slice(0, 2));
  expect(reviews.placeOf(next.nextCursor)).toEqual({ at, id: rows[1]?.id });
  expect(reviews.placeOf(undefined)).toBeUndefined();
  expect(reviews.pageOf(rows, 3, ({ at, id }) => ({ at, id }))).toEqual({ page: rows, next: {} });
  expect(debts.pageOf([], 3, () => ({ account: '1' }))).toEqual({ page: [], next: {} });
});

test('[SRV-1] a cursor of one list is none of another, also where their places look alike', () => {
  const { nextCursor = '' } = reviews.pageOf(rows, 1, ({ at, id }) => ({ at, id })).next;
  expect(reviews.placeOf(nextCursor)).toBeDefined();
  for (const other of [pagedList('transactions', momentAndId), debts, frozen])
    expect(failureOf(other, nextCursor)).toMatchObject(refusal);
});

const id = randomUUID();
test.each([
  ['not of base64url', '%%%'],
  ['no JSON', Buffer.from('{').toString('base64url')],
  ['what versions before made', cursorOf([at, id])],
  ['a number', cursorOf(7)],
  ['no place', cursorOf(['reviews'])],
  ['more than a place', cursorOf(['reviews', { at, id }, 1])],
  ['a place with more', cursorOf(['reviews', { at, id, account: '1' }])],
  ['an id of another kind', cursorOf(['reviews', { at, id: '7' }])],
  ['SQL', cursorOf(['reviews', { at: 'now()', id }])],
  ['a day of no calendar', cursorOf(['reviews', { at: '2026-02-30 00:00:00+00', id }])],
  ['a month of none', cursorOf(['reviews', { at: '2026-13-01 00:00:00+00', id }])],
  ['an hour of none', cursorOf(['reviews', { at: '2026-01-01 24:00:00+00', id }])],
  ['a year of none', cursorOf(['reviews', { at: '0000-01-01 00:00:00+00', id }])],
  ['a zone of none', cursorOf(['reviews', { at: '2026-01-01 00:00:00+99', id }])],
])('[SRV-1] a cursor that is none is refused: %s', (_what, cursor) => {
  expect(failureOf(reviews, cursor)).toMatchObject(refusal);
});

test.each(['0', '-1', '1.5', '9999999999999999999', 'x', 7])('[SRV-1] no account is numbered %j', (account) => {
  expect(failureOf(debts, cursorOf(['debts', { account }]))).toMatchObject(refusal);
});

import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../database/guarded-database.ts';
import { errorAnswer } from './api-error.ts';
import { isOutage } from './outage.ts';

const withCode = (code: string): Error => Object.assign(new Error('said by the database'), { code });

test.each([
  ['a full disk', '53100'],
  ['no memory', '53200'],
  ['no connection free', '53300'],
  ['a node that only reads', '25006'],
  ['a transaction over its time', '25P03'],
  ['a statement over its time', '57014'],
  ['a server that stops', '57P01'],
  ['a broken connection', '08006'],
  ['a network that is silent', 'ETIMEDOUT'],
])('[SRV-9] %s (%s) is temporary: 503, with the time to come again', (_what, code) => {
  expect(isOutage(withCode(code))).toBe(true);
  expect(errorAnswer(withCode(code), 'r')).toMatchObject({
    status: 503,
    error: { code: 'temporarily-unavailable', retryAfterSeconds: expect.any(Number) },
  });
});

test.each([
  ['a value twice', '23505'],
  ['a statement of ours that is wrong', '42601'],
  ['a right that we do not have', '42501'],
])('[SRV-9] %s (%s) is a fault', (_what, code) => {
  expect(errorAnswer(withCode(code), 'r')).toMatchObject({ status: 500, error: { code: 'internal' } });
});

test('[SRV-9] a database that is known to hang or to be full is temporary, too', () => {
  for (const reason of ['database-unavailable', 'database-full'] as const) {
    expect(errorAnswer(new DatabaseUnavailable(reason), 'r').status).toBe(503);
  }
});

import {
  awaitingQuerySchema,
  operatorEndpoints,
  putApprovalSettings,
  refundRequestSchema,
  transferRequestSchema,
  userTokenRequestSchema,
} from '@opencashier/contract/operator';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { DomainError } from '../errors/domain-error.ts';
import { readRequest } from './invalid-request.ts';

function fieldsOf(schema: v.GenericSchema, value: unknown): Record<string, string> {
  try {
    readRequest(schema, value);
  } catch (error) {
    const { fields = [] } = (error as DomainError).details;
    return Object.fromEntries(fields.map(({ path, message }) => [path, message]));
  }
  return {};
}

const id = '9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01';

test('[ERR-4] a missing, an unknown and a wrong field are named with what is allowed', () => {
  expect(fieldsOf(userTokenRequestSchema, { userId: 'u 1', colour: 'red', country: 'Germany', locale: 7 })).toEqual({
    userId: 'Give printable characters without spaces.',
    currency: 'This field is required.',
    country: 'Give a country code such as IN.',
    locale: 'Give a text.',
    colour: 'This field is unknown. Known fields: userId, currency, country, locale.',
  });
  expect(fieldsOf(refundRequestSchema, { refundId: 'x', staff: 'maria', reason: 'a'.repeat(201) })).toEqual({
    refundId: 'Give a UUID, such as 9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01.',
    reason: 'Give at most 200 characters.',
  });
  expect(fieldsOf(awaitingQuerySchema, { awaiting: 'x', from: 'yesterday', limit: '201' })).toEqual({
    awaiting: 'Give approval.',
    from: 'Give a time in ISO 8601 with a zone, such as 2026-01-31T10:15:00Z.',
    limit: 'Give at most 200.',
  });
  const transfer = { transferId: id, amount: '1.00', currency: 'EUR', from: 'main', to: 'main' };
  expect(fieldsOf(transferRequestSchema, transfer)).toEqual({ to: 'Give another account than `from`.' });
  expect(fieldsOf(transferRequestSchema, { ...transfer, to: 'bank' })).toEqual({
    to: 'Give one of: main, additional, operator.',
  });
});

test('[ERR-4] a field inside a list is named by its path', () => {
  const { body = v.object({}) } = putApprovalSettings;
  const thresholds = [{ currency: 'EUR', approvalThreshold: 500, above: '1' }];
  expect(fieldsOf(body, { thresholds, approvalHours: 1.5 })).toEqual({
    'thresholds.0.approvalThreshold': 'Give a text.',
    'thresholds.0.above':
      'This field is unknown. Known fields: currency, approvalThreshold, secondApprovalThreshold, dailyThreshold.',
    approvalHours: 'Give a whole number.',
  });
  expect(fieldsOf(body, { thresholds: {}, approvalHours: 0 })).toEqual({
    thresholds: 'Give a list.',
    approvalHours: 'Give at least 1.',
  });
  expect(fieldsOf(body, 7)).toEqual({ '': 'Give an object.' });
});

test('[ERR-4] a misspelt field is told its right name, also where a schema knows many', () => {
  const { body = v.object({}) } = operatorEndpoints.catalogue.putMethodSettings;
  expect(fieldsOf(body, { version: 1, staff: 'maria', enabeld: false })).toEqual({
    enabeld: expect.stringMatching(/^This field is unknown\. Did you mean enabled\?/),
  });
});

test('[ERR-4] no message repeats the received value', () => {
  const secret = fc.string({ minLength: 12, maxLength: 40 }).map((text) => `#${text}#`);
  fc.assert(
    fc.property(secret, (typed) => {
      const wrong = { userId: `${typed} `, currency: typed, country: [typed], locale: { typed } };
      const found = fieldsOf(userTokenRequestSchema, wrong);
      expect(Object.keys(found).sort()).toEqual(Object.keys(wrong).sort());
      for (const message of Object.values(found)) expect(message).not.toContain(typed);
    }),
  );
});

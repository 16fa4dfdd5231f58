import { expect, test } from 'vitest';
import { accountOf, validOldSecrets } from './connection-secrets.ts';
import type { ConnectionRow } from './connection-store.ts';

const at = (hour: number) => Date.parse('2026-11-01T00:00:00Z') + hour * 3_600_000;
const row = { operatorId: 'op', id: 'c1', options: {}, oldSecretsUntil: new Date(at(24)) } as ConnectionRow;
const secrets = { secretKey: 'sk_2', webhookSecret: 'wh_2' };

test('[SRV-4] each old secret has a time of its own, and a whole set is given while one is valid', () => {
  const content = {
    secrets,
    old: { secretKey: 'sk_1', webhookSecret: 'wh_1' },
    oldUntil: { secretKey: new Date(at(24)).toISOString(), webhookSecret: new Date(at(2)).toISOString() },
  };
  expect(accountOf(row, content, at(1)).oldSecrets).toEqual({ secretKey: 'sk_1', webhookSecret: 'wh_1' });
  expect(accountOf(row, content, at(2)).oldSecrets).toEqual({ secretKey: 'sk_1', webhookSecret: 'wh_2' });
  expect(accountOf(row, content, at(24)).oldSecrets).toBeUndefined();
  expect([...validOldSecrets(row, content, at(1)).values()].map(({ until }) => until)).toEqual([at(24), at(2)]);
});

test('[SRV-4] secrets of an earlier build are valid until the time in the row', () => {
  const content = { secrets, old: { webhookSecret: 'wh_1' } };
  expect(accountOf(row, content, at(23)).oldSecrets).toEqual({ secretKey: 'sk_2', webhookSecret: 'wh_1' });
  expect(accountOf(row, content, at(24)).oldSecrets).toBeUndefined();
  expect(accountOf({ ...row, oldSecretsUntil: null }, content, at(0)).oldSecrets).toBeUndefined();
});

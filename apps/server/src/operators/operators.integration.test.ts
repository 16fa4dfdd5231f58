/** The operators of two nodes with one database. */
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { createOperator, rotateKey } from './manage-operators.ts';
import { loadOperators, type StoredOperators } from './operators.ts';
import { createUserTokens } from './user-tokens.ts';

let opened: TestDatabase;
let nodes: StoredOperators[];
const clock = createTestClock();

beforeAll(async () => {
  opened = await openTestDatabase();
  const node = () => loadOperators(opened.database, clock, () => undefined);
  nodes = [await node(), await node()];
});
afterAll(async () => {
  for (const node of nodes) node.stop();
  await opened.drop();
});

const operator = (partnerKey: string) => ({ partnerKey, name: partnerKey, origins: ['https://play.example'] });
const twelveTimes = (key: string) =>
  Promise.all(nodes.flatMap((node) => Array.from({ length: 12 }, () => node.bySecretKey(key))));

test('[SRV-1] a new key works at once on every node, even after many tries with wrong keys', async () => {
  // A node that had just asked the database used to refuse a new key for a second.
  for (const node of nodes) expect(await node.bySecretKey('sk_wrong')).toBeUndefined();
  const made = await createOperator(opened.database, operator('acme'));
  const found = await twelveTimes(made?.secretKey ?? '');
  expect(found.map((one) => one?.partnerKey)).toEqual(new Array(24).fill('acme'));

  const rotated = await rotateKey(opened.database, 'acme', { by: 'eve' });
  const secretKey = typeof rotated === 'object' ? rotated.secretKey : '';
  const again = await twelveTimes(secretKey);
  expect(again.map((one) => one?.partnerKey)).toEqual(new Array(24).fill('acme'));
  for (const node of nodes) {
    expect(await node.bySecretKey(made?.secretKey ?? '')).toBeUndefined();
    expect(await node.bySecretKey('')).toBeUndefined();
  }
});

test('[SRV-1] unknown keys ask the database only as often as the caller allows', async () => {
  const [node] = nodes;
  const refused = () => Promise.reject(new Error('too many'));
  await expect(node?.bySecretKey('sk_guess', refused)).rejects.toThrow('too many');
  const made = await createOperator(opened.database, operator('known'));
  const key = made?.secretKey ?? '';
  expect((await node?.bySecretKey(key, async () => undefined))?.id).toBe('known');
  // The key is known now, so the lookup is not counted.
  expect((await node?.bySecretKey(key, refused))?.id).toBe('known');
});

test('[SRV-1] a token of an operator just created on another node is valid at once', async () => {
  const [made, other] = await Promise.all(
    nodes.map((node) => createUserTokens('t'.repeat(32), 'https://pay.example', node, clock)),
  );
  await createOperator(opened.database, operator('newest'));
  await nodes[0]?.refresh();
  const user = { operatorId: 'newest', userId: 'ann', currency: 'USD', country: 'IN' };
  const { token } = (await made?.issue(user)) ?? { token: '' };
  expect(await other?.identify(token)).toMatchObject({ kind: 'user', caller: { partnerKey: 'newest', userId: 'ann' } });
  const forged = await made?.issue({ ...user, operatorId: 'nobody' });
  expect(await other?.identify(forged?.token)).toEqual({ kind: 'refused', code: 'unauthorized' });
});

import { expect, test } from 'vitest';
import type { Statement } from '../database/database.ts';
import { listStateIn } from './list-state.ts';

/** A database that knows a balance for each user, and answers when the test says so. */
function setUp() {
  const statements: { operatorId: string; users: readonly string[]; answer: () => void }[] = [];
  const query = ({ values = [] }: Statement) =>
    new Promise<never[]>((resolve) => {
      const [operatorId, users] = values as [string, readonly string[]];
      const rows = users.map((user) => ({
        main: BigInt(user.length),
        version: 3,
        walletMode: 'operator',
        paymentMethod: null,
      }));
      statements.push({ operatorId, users, answer: () => resolve(rows as never[]) });
    });
  return { statements, stateOf: listStateIn({ query }) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('[LIST-1] lists that are asked for together share a statement, and each has its own balance', async () => {
  const { statements, stateOf } = setUp();
  const asked = ['a', 'bb', 'ccc'].map((userId) => stateOf({ operatorId: 'demo', userId }, 'USD', 'deposit'));
  await turn();
  expect(statements.map(({ users }) => users)).toEqual([['a', 'bb', 'ccc']]);
  statements[0]?.answer();
  const states = await Promise.all(asked);
  expect(states.map(({ main }) => main)).toEqual([1n, 2n, 3n]);
  expect(states[0]).toEqual({
    main: 1n,
    additional: 0n,
    catalogueVersion: 3,
    lastDeposit: undefined,
    walletMode: 'operator',
  });
});

test('[LIST-7] operators never share a statement', async () => {
  const { statements, stateOf } = setUp();
  const asked = ['demo', 'other'].map((operatorId) => stateOf({ operatorId, userId: 'a' }, 'USD', 'deposit'));
  await turn();
  expect(statements.map(({ operatorId }) => operatorId)).toEqual(['demo', 'other']);
  for (const { answer } of statements) answer();
  expect(await Promise.all(asked)).toHaveLength(2);
});

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Database, Queryable, Statement } from '../database/database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { withOperator } from '../database/testing/with-operator.fixture.ts';
import { listStateIn } from './list-state.ts';

let database: Database;
withOperator((made) => {
  database = made;
});

interface Made {
  readonly userId: string;
  readonly state: string;
  readonly isOpenAmount: boolean;
  readonly isFurther: boolean;
  readonly isBox: boolean;
  readonly ageMinutes: number;
}

/** Rows that only this test needs: nobody paid these deposits, so no journal of theirs exists. */
async function insert(queryable: Queryable, deposits: readonly Made[]): Promise<void> {
  await queryable.query({ text: 'alter table deposit disable trigger user' });
  const first = randomUUID();
  const all = [
    { userId: 'nobody', state: 'expired', isOpenAmount: false, isFurther: false, isBox: false, ageMinutes: 0 },
  ];
  for (const [index, made] of [...all, ...deposits].entries()) {
    await queryable.query({
      text: `insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, currency, amount,
          country, state, rank, request, lifetime_s, expires_at, open_amount, further_of, box, created_at, paid, credited)
        select $1::uuid, 'op', $2, $1::uuid, sha256('x'), 'card', 'fake', 'INR', $3::bigint, 'IN', $4, 90, '{}', 600, now(), $5, $6, $7,
          now() - $8 * interval '1 minute', $3::bigint, $3::bigint`,
      values: [
        index === 0 ? first : randomUUID(),
        made.userId,
        100 + index,
        made.state,
        made.isOpenAmount,
        made.isFurther ? first : null,
        made.isBox ? '{"boxId":"small"}' : null,
        made.ageMinutes,
      ],
    });
  }
}

/** The last deposit by its definition, over all rows of the user. */
function lastOf(deposits: readonly Made[], userId: string) {
  const [last] = [...deposits.entries()]
    .filter(([, made]) => made.userId === userId && made.state === 'credited' && !made.isFurther && !made.isBox)
    .sort(([, a], [, b]) => a.ageMinutes - b.ageMinutes);
  if (last === undefined) return undefined;
  const [index, { isOpenAmount }] = last;
  return { paymentMethod: 'card', currency: 'INR', amount: isOpenAmount ? null : BigInt(101 + index) };
}

test('[LIST-6] lists of many users at once name the last deposit that each has by itself', async () => {
  const userId = fc.constantFrom('ann', 'bob', 'cid');
  const made = fc.record({
    userId,
    state: fc.constantFrom('credited', 'credited', 'credited', 'awaiting_payment', 'refunded', 'expired'),
    isOpenAmount: fc.boolean(),
    isFurther: fc.constantFrom(false, false, true),
    isBox: fc.constantFrom(false, false, true),
    ageMinutes: fc.integer({ min: 1, max: 1_000_000 }),
  });
  const history = fc.uniqueArray(made, { maxLength: 12, selector: ({ ageMinutes }) => ageMinutes });
  const asked = fc.array(fc.tuple(userId, fc.constantFrom('deposit' as const, 'withdrawal' as const)), {
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(history, asked, async (deposits, lists) => {
      const states = await rolledBack(database, async (transaction) => {
        await insert(transaction, deposits);
        const stateOf = listStateIn(transaction);
        return Promise.all(
          lists.map(([user, direction]) => stateOf({ operatorId: 'op', userId: user }, 'INR', direction)),
        );
      });
      expect(states.map(({ lastDeposit }) => lastDeposit)).toEqual(
        lists.map(([user, direction]) => (direction === 'deposit' ? lastOf(deposits, user) : undefined)),
      );
    }),
    { numRuns: 30 },
  );
});

test('[LIST-1] the balances are those of the asked currency, and the additional one is for withdrawals', async () => {
  const states = await rolledBack(database, async (transaction) => {
    await transaction.query({
      text: `insert into account (operator_id, owner, asset, kind, balance) values ('op', 'ann', 'INR', 'user', 0),
        ('op', 'ann', 'INR', 'user_additional', 0), ('op', 'ann', 'USD', 'user', 0)`,
    });
    await transaction.query({ text: 'alter table account disable trigger user' });
    await transaction.query({
      text: `update account set balance = case kind when 'user' then 700 else 30 end where owner = 'ann' and asset = 'INR'`,
    });
    const stateOf = listStateIn(transaction);
    const of = { operatorId: 'op', userId: 'ann' };
    return Promise.all([
      stateOf(of, 'INR', 'deposit'),
      stateOf(of, 'INR', 'withdrawal'),
      stateOf(of, 'USD', 'withdrawal'),
    ]);
  });
  expect(states.map(({ main, additional }) => [main, additional])).toEqual([
    [700n, 0n],
    [700n, 30n],
    [0n, 0n],
  ]);
});

test('[LIST-1] a list reads one deposit of its user, however many there are', async () => {
  const statements: Statement[] = [];
  const listening: Queryable = {
    query: (statement) => {
      statements.push(statement);
      return database.query(statement);
    },
  };
  await listStateIn(listening)({ operatorId: 'op', userId: 'ann' }, 'INR', 'deposit');
  const [{ text, values } = { text: '', values: [] }] = statements;
  const plan = await database.query<Record<string, string>>({ text: `explain ${text}`, values: values ?? [] });
  const lines = plan.map((line) => Object.values(line)[0]).join('\n');
  expect(lines).toContain('Index Scan using deposit_listed_of_user');
  expect(lines).not.toContain('Sort Key: deposit.created_at');
});

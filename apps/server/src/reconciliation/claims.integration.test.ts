/** Claims of due deposits among many others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database, Statement } from '../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { createBench, seedOperator } from '../payments/testing/payments.fixture.ts';

const ROWS = 3_000;

let opened: TestDatabase;
let database: Database;

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The statements by which the workers claim deposits, with nothing in hand. */
async function claims(): Promise<ReadonlyMap<string, Statement>> {
  const found = new Map<string, Statement>();
  const bench = createBench({
    ...database,
    query(statement) {
      if (statement.name?.startsWith('deposit-claim') === true) found.set(statement.name, statement);
      return database.query(statement);
    },
  });
  await bench.payments.runDueWork();
  return found;
}

let byName: ReadonlyMap<string, Statement>;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  await seedOperator(database);
  byName = await claims();
  await database.query({
    text: `with taken as (
        insert into deposit_key (operator_id, user_id, client_key, deposit_id)
        select 'op', 'many', id, id from (select gen_random_uuid() as id from generate_series(1, ${ROWS})) new
        returning deposit_id
      )
      insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, currency, amount, country,
        state, rank, request, lifetime_s, expires_at, check_at)
      select deposit_id, 'op', 'many', deposit_id, sha256('x'), 'card', 'fake', 'INR', 100, 'IN', 'awaiting_payment', 30, '{}', 600,
        now() + interval '1 hour', now() + interval '1 hour' from taken`,
  });
});

afterAll(() => opened.drop());

/** Runs a claim of ten, and answers how many rows it took and how many it passed over. */
async function claimOnce(name: string) {
  const statement = byName.get(name);
  if (statement === undefined) throw new Error(`No worker has used ${name}`);
  const [row] = await database.query<{ 'QUERY PLAN': [{ readonly Plan: Plan }] }>({
    text: `explain (analyze, format json) ${statement.text}`,
    values: statement.values ?? [],
  });
  if (row === undefined) throw new Error('The database explained nothing');
  const nodes = nodesOf(row['QUERY PLAN'][0].Plan);
  return {
    took: nodes[0]?.['Actual Rows'],
    passedOver: nodes.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0),
  };
}

async function changeAll(change: string): Promise<void> {
  await database.query({ text: `update deposit set ${change}` });
  await database.query({ text: 'analyze deposit' });
}

test('[SRV-9] a claim passes over none of the deposits that are not due', async () => {
  await changeAll('checks = 0');
  for (const name of byName.keys()) expect(await claimOnce(name), name).toEqual({ took: 0, passedOver: 0 });
});

test('[SRV-9] a claim takes ten of many due deposits, and reads no other', async () => {
  await changeAll(`check_at = now() - interval '1 minute', expires_at = now() - interval '1 minute'`);
  for (const name of byName.keys()) expect(await claimOnce(name), name).toEqual({ took: 10, passedOver: 0 });
});

test('[SRV-9] a claim reads no overdue deposit that others hold, as while a provider is away', async () => {
  await changeAll(
    `check_at = null, expires_at = now() - interval '5 minutes', busy_until = now() + interval '1 minute'`,
  );
  await database.query({
    text: 'update deposit set busy_until = null where id in (select id from deposit order by id desc limit 20)',
  });
  const name = 'deposit-claim-busy_until';
  for (const took of [10, 10, 0]) expect(await claimOnce(name)).toEqual({ took, passedOver: 0 });
});

/** Creates that come at once share statements. Each is answered as if it had come alone. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import type { Database, Statement } from '../database/database.ts';
import type { Caller } from '../operators/caller.ts';
import {
  ann,
  type Bench,
  commandOf,
  createBench,
  createFakeCatalogue,
  refOf,
  reportOf,
} from '../payments/testing/payments.fixture.ts';
import { codeOf, depositStateOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { signal } from '../testing/signal.fixture.ts';
import type { CreateDeposit } from './payments.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

/** An operator of its own for each test, so that no test meets another's deposits. */
let operatorId: string;
beforeEach(async () => {
  operatorId = await newOperator();
});

async function newOperator(): Promise<string> {
  const id = `op-${randomUUID()}`;
  await database.query({
    text: `insert into operator (id, partner_key, name) values ($1, $1, 'Operator of concurrent creates')`,
    values: [id],
  });
  return id;
}

const userOf = (userId: string, operator = operatorId): Caller => ({ ...ann, operatorId: operator, userId });

/** Creates all at once. Answers the code of each, in their order. */
function codesOf(commands: readonly CreateDeposit[], { payments } = bench): Promise<string[]> {
  return Promise.all(commands.map((command) => codeOf(payments.createDeposit(command))));
}

const many = (count: number, command: (nth: number) => CreateDeposit) =>
  Array.from({ length: count }, (_, nth) => command(nth));

async function rowsOf(operator: string) {
  return database.query<{
    id: string;
    user_id: string;
    client_key: string;
    state: string;
    provider_ref: string | null;
  }>({
    text: 'select id, user_id, client_key, state, provider_ref from deposit where operator_id = $1',
    values: [operator],
  });
}

/** A bench that records its statements, and may refuse or change them. */
function watchedBench(
  more: Parameters<typeof createBench>[1] = {},
  refuse: (statement: Statement) => Error | undefined = () => undefined,
  change: (statement: Statement) => Statement = (statement) => statement,
): { watched: Bench; sent: Statement[] } {
  const sent: Statement[] = [];
  const watched = createBench(
    {
      ...database,
      query(statement) {
        sent.push(statement);
        const refused = refuse(statement);
        return refused === undefined ? database.query(change(statement)) : Promise.reject(refused);
      },
    },
    more,
  );
  return { watched, sent };
}

type BatchRow = { readonly id?: string; readonly client_key?: string };

/** The rows of a batch, which are one JSON text among the values. */
function batchOf({ values = [] }: Pick<Statement, 'values'>): readonly BatchRow[] {
  const text = values.find((value): value is string => typeof value === 'string' && value.startsWith('['));
  return JSON.parse(text ?? '[]');
}

/** The keys of an insert's batch. */
const keysOf = (statement: Pick<Statement, 'values'>) => batchOf(statement).map(({ client_key }) => client_key);

function refusal(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('refused', 0, 'error');
  error.code = code;
  return error;
}

/** The batch with one id replaced by an id that no deposit has. */
const withoutId = (batch: readonly BatchRow[], id: string) =>
  JSON.stringify(batch.map((row) => (row.id === id ? { ...row, id: randomUUID() } : row)));

test('[SRV-6] creates of several operators at once: each has its deposit, and no statement is about two operators', async () => {
  const other = await newOperator();
  const { watched, sent } = watchedBench();
  const commands = many(60, (nth) => commandOf({}, userOf(`user-${nth % 7}`, nth % 3 === 0 ? other : operatorId)));
  const operatorOf = new Map(commands.map(({ caller, request }) => [request.depositId, caller.operatorId]));
  const answers = await Promise.all(commands.map((command) => watched.payments.createDeposit(command)));
  expect(answers.map(({ apiResponse }) => apiResponse.source)).toEqual(
    commands.map(({ request }) => `https://pay.example/${request.depositId}`),
  );
  expect(await rowsOf(other)).toHaveLength(20);
  for (const row of await rowsOf(operatorId)) {
    expect(row).toMatchObject({ id: row.client_key, state: 'awaiting_payment', provider_ref: refOf(row.id) });
  }
  for (const name of ['deposit-insert', 'deposit-created']) {
    const batches = sent.filter((statement) => statement.name === name).map(batchOf);
    expect(batches.length, name).toBeLessThan(30);
    for (const batch of batches) {
      const operators = batch.map(({ id, client_key: key }) => operatorOf.get(id ?? key ?? ''));
      expect(operators, name).not.toContain(undefined);
      expect(new Set(operators).size, name).toBe(1);
    }
  }
});

test('[SRV-6] [DEP-16] of equal creates among many others, one makes the deposit', async () => {
  const equal = commandOf({}, userOf('twice'));
  const repeatsAreRefused = signal();
  let refused = 0;
  // Whoever asks after the answer gets that answer. So the provider answers when the nine repeats have theirs.
  bench.provider.onCreate = async ({ depositId }) => {
    if (depositId === equal.request.depositId) await repeatsAreRefused.given;
    return { kind: 'created', providerRef: refOf(depositId) };
  };
  const commands = many(30, (nth) => (nth % 3 === 0 ? equal : commandOf({}, userOf(`user-${nth}`))));
  const codes = await Promise.all(
    commands.map(async (command) => {
      const code = await codeOf(bench.payments.createDeposit(command));
      if (code === 'in-flight' && ++refused === 9) repeatsAreRefused.give();
      return code;
    }),
  );
  expect(codes.filter((_, nth) => nth % 3 !== 0)).toEqual(Array.from({ length: 20 }, () => 'ok'));
  expect(codes.filter((_, nth) => nth % 3 === 0).sort()).toEqual([
    ...Array.from({ length: 9 }, () => 'in-flight'),
    'ok',
  ]);
  expect(bench.provider.creates).toHaveLength(21);
  expect(await rowsOf(operatorId)).toHaveLength(21);
  expect(await codesOf([equal])).toEqual(['ok']);
});

test('[SRV-6] two requests under one key at once: the second is refused, and its amount is nowhere', async () => {
  const depositId = randomUUID();
  const codes = await codesOf(['700', '900'].map((amount) => commandOf({ depositId, amount }, userOf('ann'))));
  expect(codes).toEqual(['ok', 'idempotency-conflict']);
  expect(bench.provider.creates.map(({ amountMinor }) => amountMinor)).toEqual([70_000n]);
});

test('[SRV-6] an id that another user has taken gives that deposit a new id, and its neighbours keep theirs', async () => {
  const taken = randomUUID();
  await bench.payments.createDeposit(commandOf({ depositId: taken }, userOf('first')));
  const commands = many(20, (nth) =>
    commandOf(nth === 7 || nth === 8 ? { depositId: taken } : {}, userOf(`user-${nth}`)),
  );
  expect(new Set(await codesOf(commands))).toEqual(new Set(['ok']));
  const rows = await rowsOf(operatorId);
  expect(rows).toHaveLength(21);
  expect(
    rows
      .filter(({ id, client_key }) => id !== client_key)
      .map(({ user_id }) => user_id)
      .sort(),
  ).toEqual(['user-7', 'user-8']);
});

test('[SRV-6] a deposit that was checked by an old catalogue is checked again, and its neighbours are stored at once', async () => {
  await database.query({
    text: `insert into catalogue_settings (operator_id, version, settings, staff) values ($1, 1, '{}', 'staff')`,
    values: [operatorId],
  });
  let checked = 0;
  const { watched, sent } = watchedBench({
    // The fifth request is checked just before this node learns of the new version.
    catalogue: { ...createFakeCatalogue(), version: () => (++checked === 10 ? 0 : 1) },
  });
  const commands = many(10, (nth) => commandOf({}, userOf(`user-${nth}`)));
  expect(new Set(await codesOf(commands, watched))).toEqual(new Set(['ok']));
  expect(await rowsOf(operatorId)).toHaveLength(10);
  const inserted = sent.filter(({ name }) => name === 'deposit-insert').map((statement) => keysOf(statement).length);
  expect(inserted.reduce((sum, length) => sum + length)).toBe(11);
});

test('[SRV-6] one reference for two deposits of a batch makes one of them unknown, and no third', async () => {
  const commands = many(12, (nth) => commandOf({}, userOf(`user-${nth}`)));
  const twice = commands.slice(3, 5).map(({ request }) => request.depositId);
  const reused = `reused-${randomUUID()}`;
  bench.provider.onCreate = async ({ depositId }) => ({
    kind: 'created',
    providerRef: twice.includes(depositId) ? reused : refOf(depositId),
  });
  const codes = await codesOf(commands);
  // Which of the two comes first depends on the time.
  expect(codes.slice(3, 5).sort()).toEqual(['ok', 'unknown-outcome']);
  expect(new Set(codes.toSpliced(3, 2))).toEqual(new Set(['ok']));
  const rows = await rowsOf(operatorId);
  expect(rows.filter(({ provider_ref }) => provider_ref === reused)).toHaveLength(1);
  expect(rows.filter(({ state }) => state === 'submitted_unknown').map(({ id }) => twice.includes(id))).toEqual([true]);
});

test('[SRV-3] reports that came before their deposits are applied, each to its own', async () => {
  const commands = many(8, (nth) => commandOf({}, userOf(`user-${nth}`)));
  const ids = commands.map(({ request }) => request.depositId);
  const [byId = '', byRef = ''] = ids;
  await bench.payments.apply(reportOf(byId));
  const { depositId: _ours, ...byReference } = reportOf(byRef);
  await bench.payments.apply(byReference);
  expect(new Set(await codesOf(commands))).toEqual(new Set(['ok']));
  await bench.payments.runDueWork();
  expect(await Promise.all(ids.map((id) => depositStateOf(database, id)))).toEqual(
    ids.map((id) => (id === byId || id === byRef ? 'credited' : 'awaiting_payment')),
  );
});

test('[SRV-6] the requests to a provider are stored before the calls, and a repeat gets the first', async () => {
  const sent = new Map<string, string | undefined>();
  bench.provider.onCreate = async ({ depositId, keepRequest }) => {
    sent.set(depositId, await keepRequest?.(`first of ${depositId}`));
    return { kind: 'unknown', code: 'timeout' };
  };
  const commands = many(6, (nth) => commandOf({}, userOf(`user-${nth}`)));
  const ids = commands.map(({ request }) => request.depositId);
  expect(new Set(await codesOf(commands))).toEqual(new Set(['unknown-outcome']));
  bench.provider.onCreate = async ({ depositId, keepRequest }) => {
    sent.set(depositId, await keepRequest?.('second'));
    return { kind: 'created', providerRef: refOf(depositId) };
  };
  await database.query({ text: 'update deposit set busy_until = null where operator_id = $1', values: [operatorId] });
  expect(new Set(await codesOf(commands))).toEqual(new Set(['ok']));
  expect(sent).toEqual(new Map(ids.map((id) => [id, `first of ${id}`])));
});

test('[SRV-6] when somebody holds a key of a batch, each of its deposits goes on alone', async () => {
  const held = randomUUID();
  const { watched, sent } = watchedBench({}, (statement) => {
    const keys = statement.name === 'deposit-insert' ? keysOf(statement) : [];
    return keys.includes(held) && keys.length > 1 ? refusal('55P03') : undefined;
  });
  const commands = many(9, (nth) => commandOf(nth === 4 ? { depositId: held } : {}, userOf(`user-${nth}`)));
  expect(new Set(await codesOf(commands, watched))).toEqual(new Set(['ok']));
  expect(
    sent.filter((statement) => statement.name === 'deposit-insert' && keysOf(statement).length === 1),
  ).toHaveLength(9);
});

// The embedded database has one connection, so there nobody holds a key while others write.
if (process.env['TEST_DATABASE'] === 'postgres') {
  test('[SRV-6] a cancel that has not ended holds up its own create, and no other', async () => {
    const held = randomUUID();
    const began = signal();
    const neighboursDone = signal();
    const cancel = database.transaction(async (transaction) => {
      await transaction.query({
        text: 'insert into deposit_key (operator_id, user_id, client_key) values ($1, $2, $3)',
        values: [operatorId, 'cancelling', held],
      });
      began.give();
      await neighboursDone.given;
    });
    await began.given;
    const own = codesOf([commandOf({ depositId: held }, userOf('cancelling'))]);
    const others = codesOf(many(9, (nth) => commandOf({}, userOf(`user-${nth}`))));
    expect(new Set(await others)).toEqual(new Set(['ok']));
    neighboursDone.give();
    await cancel;
    expect(await own).toEqual(['state-conflict']);
  });

  test('[SRV-6] a request that another call is storing counts, and its neighbours keep their own', async () => {
    const sent = new Map<string, string | undefined>();
    const commands = many(6, (nth) => commandOf({}, userOf(`user-${nth}`)));
    const ids = commands.map(({ request }) => request.depositId);
    const [raced = ''] = ids;
    const isStored = signal();
    const isMet = signal();
    bench.provider.onCreate = async ({ depositId, keepRequest }) => {
      if (depositId === raced) {
        void database.transaction(async (transaction) => {
          const text = 'insert into provider_request (operator_id, deposit_id, request) values ($1, $2, $3)';
          await transaction.query({ text, values: [operatorId, raced, 'theirs'] });
          isStored.give();
          await isMet.given;
        });
      }
      await isStored.given;
      if (depositId === raced) void untilOneWaits().then(isMet.give);
      sent.set(depositId, await keepRequest?.(`own of ${depositId}`));
      return { kind: 'created', providerRef: refOf(depositId) };
    };
    expect(new Set(await codesOf(commands))).toEqual(new Set(['ok']));
    expect(sent).toEqual(new Map(ids.map((id) => [id, id === raced ? 'theirs' : `own of ${id}`])));
  });

  const untilOneWaits = async (): Promise<void> => {
    const text = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%provider_request%'`;
    while ((await database.query({ text })).length === 0);
  };
}

test('[SRV-6] an answer of a deposit that somebody holds is stored by a transaction of its own', async () => {
  const commands = many(6, (nth) => commandOf({}, userOf(`user-${nth}`)));
  const [held = ''] = commands.map(({ request }) => request.depositId);
  const { watched } = watchedBench({}, undefined, (statement) =>
    // As if another transaction held the row: the batch skips it.
    statement.name === 'deposit-created'
      ? {
          ...statement,
          values: (statement.values ?? []).map((value, at) => (at === 0 ? withoutId(batchOf(statement), held) : value)),
        }
      : statement,
  );
  expect(new Set(await codesOf(commands, watched))).toEqual(new Set(['ok']));
  for (const row of await rowsOf(operatorId))
    expect(row).toMatchObject({ state: 'awaiting_payment', provider_ref: refOf(row.id) });
});

type Plan = { readonly user: number; readonly id: number; readonly amount: string; readonly answer: string };

/** Creates of a new operator, with ids of their own. `answer` names what the provider does. */
async function played(plans: readonly Plan[], isAtOnce: boolean) {
  const operator = await newOperator();
  const run = randomUUID();
  const ids = Array.from({ length: 6 }, () => randomUUID());
  const answers = new Map<string, string>();
  const { provider, payments } = createBench(database);
  provider.onCreate = async ({ depositId, fields }) => {
    const answer = answers.get(fields['vpa'] ?? '') ?? '';
    if (answer === 'declined' || answer === 'failed' || answer === 'unknown') return { kind: answer, code: 'planned' };
    return { kind: 'created', providerRef: answer === 'reused' ? `reused-${run}` : refOf(depositId) };
  };
  const calls = plans.map(({ user, id, amount, answer }, nth) => {
    const vpa = `nth.${nth}@bank`;
    answers.set(vpa, answer);
    const request = { depositId: ids[id] ?? '', amount, paymentType: 'upi', fields: { vpa } };
    return () => codeOf(payments.createDeposit(commandOf(request, userOf(`user-${user}`, operator))));
  });
  const codes: string[] = [];
  if (isAtOnce) codes.push(...(await Promise.all(calls.map((call) => call()))));
  else for (const call of calls) codes.push(await call());
  const rows = await database.query<{ user_id: string; client_key: string; history: string[] }>({
    text: `select user_id, client_key, state, amount, failure, reason, provider_ref is null as "hasNoRef",
        (select array_agg(to_state || ' ' || cause order by n) from deposit_history where deposit_id = id) as history
      from deposit where operator_id = $1`,
    values: [operator],
  });
  const outcomes = plans.map(({ user, id }, nth) => {
    const { client_key: _, ...row } = rows.find(
      (row) => row.user_id === `user-${user}` && row.client_key === ids[id],
    ) ?? {
      client_key: '',
    };
    return { code: codes[nth], row };
  });
  // Which of two deposits with one reference comes first depends on the time.
  const isReused = (nth: number) => plans[nth]?.answer === 'reused';
  return {
    single: outcomes.filter((_, nth) => !isReused(nth)),
    reused: outcomes
      .filter((_, nth) => isReused(nth))
      .map(({ code }) => code)
      .sort(),
    rows: rows.length,
  };
}

test('[SRV-6] creates at once are answered and stored like creates one after the other', async () => {
  const plan = fc.record({
    user: fc.nat({ max: 3 }),
    id: fc.nat({ max: 5 }),
    amount: fc.constantFrom('500', '700.5', '99', '50000.01'),
    answer: fc.constantFrom('created', 'created', 'created', 'declined', 'failed', 'unknown', 'reused'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(plan, { maxLength: 16, selector: ({ user, id }) => `${user} ${id}` }),
      async (plans) => {
        expect(await played(plans, true)).toEqual(await played(plans, false));
      },
    ),
    { numRuns: 15 },
  );
});

/**
 * Random faults of routes: companies fail, lie, answer late, repeat themselves and die, and the cashier is killed while it pays.
 * NEMESIS_PAYMENTS says how many payments there are (default 100). After NEMESIS_MINUTES no further payment begins (default: no limit).
 * The companies' own books and the ledger are compared at the end. docs/routing.md says what is promised.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensurePostgres, startPostgres } from '../../scripts/machine/postgres.mjs';
import { postgresAt } from './cluster-database.ts';
import { Company } from './companies.ts';
import { readFailpoints } from './deaths.ts';
import { type Payment, RoutedCashier } from './routed-cashier.ts';

const count = Number(process.env['NEMESIS_PAYMENTS'] ?? 100);
const minutes = Number(process.env['NEMESIS_MINUTES'] ?? Number.POSITIVE_INFINITY);
const kills = Math.max(3, Math.min(50, Math.round(count / 2_000)));
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const limitMs = Math.max(240_000, count * 60);

/** How many deposits the cashier asks about each second while payers pay, and each half second afterwards. */
const CHECKS_A_SECOND = 100;
const CHECKS_AT_THE_END = 1_000;

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let cashier: RoutedCashier;
const query = <Row extends object>(text: string, values: readonly unknown[] = []) =>
  postgresAt(postgres.url).run<Row>([{ text, values }]);

const usual = {
  fails: 14,
  'fails-once': 6,
  declines: 3,
  'dies-before': 3,
  'dies-after': 4,
  'never-answers': 1,
  'late-yes': 1,
  'late-no': 1,
};
const honest = ['alpha', 'beta', 'gamma'];
const companies = [
  ...honest.map((name) => new Company(name, usual, seed, (callback, delayMs) => cashier.call(callback, delayMs))),
  new Company('liar', { ...usual, lies: 20 }, seed, (callback, delayMs) => cashier.call(callback, delayMs)),
];
const companyOf = (name: string): Company => {
  const found = companies.find((company) => company.name === name);
  if (found === undefined) throw new Error(`There is no company ${name}`);
  return found;
};

const planned: readonly Payment[] = Array.from({ length: count }, (_, n) => ({
  id: randomUUID(),
  userId: `user-${n % 500}`,
  amount: String(100 + (n % 400)),
}));

/** The payments that have begun. */
let payments: readonly Payment[] = [];

interface Asked {
  readonly depositId: string;
  readonly id: string;
  readonly provider: string;
  readonly outcome: string | null;
  readonly isLast: boolean;
}
/** Every attempt of every deposit, in order. A deposit without a row of its own is its only attempt. */
let asked: Map<string, Asked[]>;

beforeAll(async () => {
  await readFailpoints();
  postgres = await startPostgres(await ensurePostgres());
  cashier = new RoutedCashier(postgres.url);
  await cashier.start(companies, () => saveRoute('volume', 1));
}, 240_000);
afterAll(async () => {
  await cashier?.stop();
  await postgres?.stop();
});

/** Both have the same texts, each as often. A failure names some of those that differ, also of a hundred thousand. */
function expectSame(found: readonly string[], wanted: readonly string[]): void {
  const left = new Map<string, number>();
  for (const text of found) left.set(text, (left.get(text) ?? 0) + 1);
  for (const text of wanted) left.set(text, (left.get(text) ?? 0) - 1);
  const differing = [...left].filter(([, times]) => times !== 0);
  expect([differing.length, differing.slice(0, 10)]).toEqual([0, []]);
}

function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

async function saveRoute(strategy: string, version: number): Promise<void> {
  const candidates = companies.map(({ name }, index) => ({
    key: `installation/${name}`,
    provider: name,
    priority: index + 1,
    share: 1,
  }));
  const route = {
    method: 'card',
    strategy,
    exploration: 10,
    isShadow: false,
    mostTries: 4,
    afterDecline: 'stop',
    candidates,
  };
  await query(
    version === 1
      ? `insert into routing_policy (operator_id, version, routes, staff) values ('op', $1, $2, 'eve')`
      : `update routing_policy set version = $1, routes = $2 where operator_id = 'op'`,
    [version, JSON.stringify([route])],
  );
}

test(`[SRV-3] [SRV-4] [SRV-6] ${count} payments through ${companies.length} companies, with ${kills} deaths of the cashier (FAULT_SEED=${seed})`, {
  timeout: limitMs,
}, async () => {
  let isPaying = true;
  // Leases of dead processes end, and companies are asked at once instead of in minutes.
  const time = (async () => {
    while (isPaying) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await endLeases(CHECKS_A_SECOND);
    }
  })();
  const began = Date.now();
  try {
    await Promise.race([payAll(), cashier.failed, time]);
  } finally {
    isPaying = false;
    await time;
  }
  expect(cashier.answers.size).toBe(payments.length);
  const paid = Date.now();
  await settle();
  const codes = Object.fromEntries(
    [...grouped([...cashier.answers.values()], (code) => code)].map(([code, same]) => [code, same.length]),
  );
  console.info({ payingSeconds: (paid - began) / 1_000, settlingSeconds: (Date.now() - paid) / 1_000, codes });
});

/** The payments in parts, with a death in the middle of each but the last. Nobody waits for the end of a part. */
async function payAll(): Promise<void> {
  const part = count / (kills + 1);
  const deadline = Date.now() + minutes * 60_000;
  const isOver = (): boolean => Date.now() > deadline;
  const untilAnswered = async (answers: number): Promise<void> => {
    while (cashier.answers.size < answers && !isOver()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const paying = cashier.pay(planned, isOver);
  for (let turn = 0; turn <= kills; turn += 1) {
    // One company after the other is down for a while, and the route changes.
    for (const company of companies) company.isDown = false;
    if (turn % 3 === 1) companyOf(honest[turn % honest.length] ?? 'alpha').isDown = true;
    if (turn === 2) await saveRoute('success-rate', 2);
    await untilAnswered(part * (turn + 0.5));
    if (turn === kills || isOver()) break;
    await endBusy(await cashier.killAndStart());
    await untilAnswered(part * (turn + 1));
    console.info({ answered: cashier.answers.size, kills: cashier.kills });
  }
  payments = await paying;
}

/** Nobody is calling about the payments of a dead node any more: as if the time of its leases had passed. */
async function endBusy(ids: readonly string[]): Promise<void> {
  await query(`update deposit set busy_until = now() where id = any($1) and busy_until > now()`, [ids]);
}

/**
 * Callbacks that a dead node had in hand become due. Companies are asked at once instead of in minutes, the least often asked first.
 * @param mostChecks how many deposits become due at most, so that the payments are not kept waiting by ever more questions
 */
async function endLeases(mostChecks: number): Promise<void> {
  // Rows in the cashier's hand are skipped: two that lock many rows in different orders would wait for each other.
  await query(
    `update inbox_queue set next_at = now() where (source, message_id) in (select source, message_id from inbox_queue
      where status = 'new' and next_at > now() for update skip locked)`,
  );
  await query(
    `update deposit set check_at = now() where (operator_id, id) in (select operator_id, id from deposit
      where state in ('created', 'submitted_unknown', 'awaiting_payment') and check_at > now()
        and (busy_until is null or busy_until <= now()) order by checks, created_at limit $1 for update skip locked)`,
    [mostChecks],
  );
}

/** Until every company has reported its money, and nothing is unknown any more. */
async function settle(): Promise<void> {
  await expect
    .poll(
      async () => {
        await endLeases(CHECKS_AT_THE_END);
        await query(
          `update deposit set check_at = now() where (operator_id, id) in (select operator_id, id from deposit
            where state in ('declined', 'cancelled', 'expired') and check_at > now() for update skip locked)`,
        );
        const [left] = await query<{ n: number }>(
          `select (select count(*)::int from inbox_queue where status = 'new')
            + (select count(*)::int from deposit_event where status = 'parked') as n`,
        );
        await query(
          `update deposit_event set next_at = now() where (provider, event_id) in (select provider, event_id from deposit_event
            where status = 'parked' for update skip locked)`,
        );
        return cashier.unsent + (left?.n ?? 0);
      },
      { timeout: limitMs, interval: 500 },
    )
    .toBe(0);
  const [unsure] = await query<{ ids: string[] }>(
    `select coalesce(array_agg(id), '{}') as ids from deposit where state in ('created', 'submitted_unknown')`,
  );
  // Longer than a create call can be on its way.
  await age(unsure?.ids ?? [], 700);
  await expect
    .poll(
      async () => {
        await endLeases(CHECKS_AT_THE_END);
        return query(
          `select state, count(*)::int from deposit where state in ('created', 'submitted_unknown', 'awaiting_payment') group by state`,
        );
      },
      { timeout: limitMs, interval: 500 },
    )
    .toEqual([]);
  await age(unsure?.ids ?? [], -700);
}

/** Moves the creation of deposits and the end of their calls into the past. A trigger keeps the creation otherwise. */
async function age(ids: readonly string[], seconds: number): Promise<void> {
  await postgresAt(postgres.url).run([
    { text: 'set session_replication_role = replica' },
    {
      text: `update deposit set created_at = created_at - make_interval(secs => $2), busy_until = busy_until - make_interval(secs => $2)
        where id = any($1)`,
      values: [ids, seconds],
    },
  ]);
}

test('[SRV-3] every payment was stored, and every attempt of it', async () => {
  const rows = await query<Asked>(
    `select deposit.id as "depositId", coalesce(attempt.id, deposit.id) as id, coalesce(attempt.provider, deposit.provider) as provider,
        attempt.outcome, coalesce(attempt.id = deposit.attempt_id, true) as "isLast"
      from deposit left join deposit_attempt attempt on attempt.operator_id = deposit.operator_id and attempt.deposit_id = deposit.id
      where not exists (select 1 from deposit_attempt found where found.money_deposit_id = deposit.id)
      order by deposit.id, attempt.n`,
  );
  asked = grouped(rows, ({ depositId }) => depositId);
  expectSame(
    [...asked.keys()],
    payments.map(({ id }) => id),
  );
  // Every call that a company got belongs to one attempt there, and every attempt has the amount of its payer.
  const amounts = new Map(payments.map(({ id, amount }) => [id, `${amount}00`]));
  const known = new Map(rows.map(({ provider, id, depositId }) => [`${provider} ${id}`, amounts.get(depositId)]));
  const strangers = companies.flatMap(({ name, book }) =>
    [...book.values()].filter(({ id, amount }) => known.get(`${name} ${id}`) !== amount),
  );
  expect(strangers).toEqual([]);
});

test('[SRV-4] [SRV-6] no second company was asked before the first had said a certain no in time', () => {
  const bookOf = ({ provider, id }: Asked) => companyOf(provider).book.get(id);
  const unsure = [...asked.values()].flatMap((attempts) =>
    attempts.slice(0, -1).flatMap((attempt, index) => {
      const first = bookOf(attempt);
      const said = first?.said ?? [];
      const following = attempts.slice(index + 1).flatMap((later) => bookOf(later)?.askedAt ?? []);
      const isInOrder = following.every((askedAt) => askedAt > (first?.answeredAt ?? 0));
      const isCertain = attempt.outcome === 'not_sent' ? said.length === 0 : said.includes('failed');
      // After its no, nothing was sent to it again.
      return isCertain && isInOrder && !attempt.isLast && said.length <= 1 ? [] : [{ ...attempt, said, following }];
    }),
  );
  expect(unsure).toEqual([]);
});

test('[SRV-4] [SRV-6] by the books of the honest companies, nobody was charged twice', () => {
  const twice = [...asked.values()].filter(
    (attempts) =>
      attempts.filter(({ id, provider }) => {
        const payment = companyOf(provider).book.get(id);
        return payment?.taken === true && payment.behaviour !== 'lies';
      }).length > 1,
  );
  expect(twice).toEqual([]);
});

test('[SRV-2] [SRV-3] all money that a company took is credited once or in suspense, and nothing else is', async () => {
  const booked = await query<{ company: string; ref: string; amount: string; state: string; deposit: string }>(
    `select payment.provider as company, payment.provider_ref as ref, payment.amount::text, payment.state, payment.deposit_id as deposit
      from payment`,
  );
  const taken = companies.flatMap(({ name, book }) =>
    [...book.values()].filter((payment) => payment.taken).map(({ ref, amount }) => `${name} ${ref} ${amount}`),
  );
  expectSame(
    booked.map(({ company, ref, amount }) => `${company} ${ref} ${amount}`),
    taken,
  );
  const states = grouped(booked, ({ state }) => state);
  expect([...states.keys()].filter((state) => state !== 'credited' && state !== 'in_review')).toEqual([]);
  const [ledger] = await query<{ credited: string; suspense: string; credits: number; twice: number }>(
    `select (select coalesce(sum(balance), 0)::text from account where kind = 'user' and asset = 'INR') as credited,
        (select coalesce(sum(amount), 0)::text from payment where state = 'in_review') as suspense,
        (select count(*)::int from journal where kind = 'deposit_credit') as credits,
        (select count(*)::int from (select deposit_id from journal where kind = 'deposit_credit' group by 1 having count(*) > 1) as more) as twice`,
  );
  const sumOf = (state: string): bigint =>
    (states.get(state) ?? []).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  expect(ledger).toEqual({
    credited: String(sumOf('credited')),
    suspense: String(sumOf('in_review')),
    credits: states.get('credited')?.length ?? 0,
    twice: 0,
  });
  await expectEachUsersCredits(booked.filter(({ state }) => state === 'credited').map(({ deposit }) => deposit));
  const parked = await query(`select event_id from deposit_event where status = 'parked'`);
  expect(parked).toEqual([]);
});

/** Each credit went to the user who paid, with the amount that this user asked for. */
async function expectEachUsersCredits(credited: readonly string[]): Promise<void> {
  const paid = new Map(payments.map((payment) => [payment.id, payment]));
  const sums = new Map<string, bigint>();
  for (const id of credited) {
    const { userId, amount } = paid.get(id) ?? { userId: `nobody paid ${id}`, amount: '0' };
    sums.set(userId, (sums.get(userId) ?? 0n) + BigInt(amount) * 100n);
  }
  const accounts = await query<{ owner: string; balance: string }>(
    `select owner, balance::text from account where kind = 'user' and asset = 'INR' and balance <> 0`,
  );
  expectSame(
    accounts.map(({ owner, balance }) => `${owner} ${balance}`),
    [...sums].map(([userId, sum]) => `${userId} ${sum}`),
  );
}

test('[SRV-4] the second money of a lie is in suspense, and its person was credited once', async () => {
  const lies = [...companyOf('liar').book.values()].filter(({ behaviour, taken }) => behaviour === 'lies' && taken);
  expect(lies.length).toBeGreaterThan(0);
  const rows = await query<{ ref: string; state: string; review: string | null }>(
    `select provider_ref as ref, state, review from deposit where provider_ref = any($1)`,
    [lies.map(({ ref }) => ref)],
  );
  // A callback that came before the no is money in time: then no other company was asked.
  const wrong = rows.filter(
    ({ state, review }) => !(state === 'late_paid' && review === 'late') && state !== 'credited',
  );
  expect([rows.length, wrong]).toEqual([lies.length, []]);
  const credited = new Set(rows.filter(({ state }) => state === 'credited').map(({ ref }) => ref));
  const askedOthers = [...asked.values()].flatMap((attempts) =>
    attempts.filter(({ id, provider, isLast }) => !isLast && provider === 'liar' && credited.has(`liar-${id}`)),
  );
  expect(askedOthers).toEqual([]);
});

test(
  '[SRV-2] [SRV-4] the ledger is sound, and every decision is stored and gives the same order again',
  async () => {
    const { faults, replayed } = await cashier.audit();
    expect(faults).toEqual([]);
    expectSame(
      replayed,
      payments.map(({ id }) => id),
    );
    const [sizes] = await query<Record<'wentOn' | 'credited' | 'suspense' | 'declined', number>>(
      `select (select count(*)::int from deposit_attempt where outcome is not null) as "wentOn",
        (select count(*)::int from deposit where state = 'credited') as credited,
        (select count(*)::int from deposit where state = 'late_paid') as suspense,
        (select count(*)::int from deposit where state = 'declined') as declined`,
    );
    console.info({ payments: payments.length, kills: cashier.kills, seed, ...sizes });
    // Attempts were ended and others followed. Otherwise nothing above was tried.
    expect(sizes?.wentOn).toBeGreaterThan(0);
    if (!Number.isFinite(minutes)) expect(cashier.kills).toBe(kills);
  },
  limitMs,
);

/**
 * The kept sums of a chain are those of all its payments, after any history. Credits and fees come late, payments are reorganised and
 * deleted, refunded and charged back. Payouts come back, and balances are of earlier blocks. Comparisons come in between.
 */
import { REFUND_MOVES, type RefundState } from '@opencashier/core/payment/payment-lifecycle';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asAnotherProcess } from '../database/testing/one-connection.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import type { ChainReading } from '../providers/chain-reading.ts';
import { BalanceStore } from '../providers/crypto/balances/balance-store.ts';
import type { BalancePlace } from '../providers/crypto/chain/chain-source.ts';
import { type CoinBalance, coinBalances } from './chain-books.ts';
import { coinBalancesInFull, sharedBalancesInFull } from './chain-sums-in-full.fixture.ts';
import { foldChanges } from './fold-changes.ts';
import { recountSums } from './recount-sums.ts';
import { sharedBalances } from './shared-books.ts';

const OPERATORS = ['one', 'two', 'three'];
const CONTRACTS = ['', 'token'];
/** With fewer and with more decimals than the ledger, so that credits leave rests. */
const ASSETS: ChainReading['assets'] = [
  { coin: 'ETH', contract: '', decimals: 12 },
  { coin: 'USDT', contract: 'token', decimals: 6 },
];
const DEPOSITS = 4;
const HEIGHTS = 4;
const TOLD = ['new', 'seen', 'gone', 'paid', 'paid', 'paid', 'taken-back'];
const REFUND_ENDS: readonly RefundState[] = ['accepted', 'succeeded', 'declined', 'bounced'];
const runs = Number(process.env['CHAIN_HISTORIES'] ?? 12);

/** The triggers that a history needs; all others of these tables are proved elsewhere, and ask for rows of the whole ledger. */
const TRIGGERS: Readonly<Record<string, readonly string[]>> = {
  deposit: [],
  withdrawal: [],
  payment: ['payment_in_chain_sums'],
  refund: ['refund_in_chain_sums'],
  dispute: ['dispute_in_chain_sums'],
  payout: ['payout_in_chain_sums'],
  coin_payout: ['coin_payout_in_chain_sums'],
  crypto_output: ['crypto_output_in_chain_sums', 'crypto_output_moves_in_chain_sums', 'crypto_output_changed'],
  crypto_balance: ['crypto_balance_of_earlier_block', 'crypto_balance_gone'],
};

let opened: TestDatabase;
const run = async (text: string, values: readonly unknown[] = []): Promise<void> => {
  await opened.database.query({ text, values });
};
beforeAll(async () => {
  opened = await openTestDatabase();
  for (const id of OPERATORS) await run('insert into operator (id, partner_key, name) values ($1, $1, $1)', [id]);
  for (const [table, own] of Object.entries(TRIGGERS)) {
    await run(`alter table ${table} disable trigger all`);
    for (const name of own) await run(`alter table ${table} enable trigger ${name}`);
  }
}, 120_000);
afterAll(() => opened.drop(), 120_000);

const step = fc.record({
  what: fc.constantFrom(
    ...[
      'pay',
      'tell',
      'tell',
      'settle',
      'settle',
      'move',
      'forget',
      'done',
      'done',
      'read',
      'credit',
      'credit',
      'balance',
      'lost-balance',
    ],
    ...[
      'refund',
      'refunded',
      'dispute',
      'payout',
      'paid',
      'fee',
      'report',
      'report',
      'returned',
      'compare',
      'compare',
      'recount',
      'fold',
    ],
  ),
  one: fc.nat(DEPOSITS - 1),
  other: fc.nat(999),
  amount: fc.integer({ min: 1, max: 99_999_999 }),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

let chains = 0;
/** A chain of its own for each history, with addresses of all operators. */
async function newChain(isShared: boolean): Promise<ChainReading> {
  chains += 1;
  const chain = `chain-${chains}`;
  // Each history counts its own chain again, and no earlier one.
  await run('delete from chain_sum_point');
  await run(`insert into crypto_chain (chain, account) values ($1, 'account')`, [chain]);
  for (let n = 0; n < DEPOSITS; n += 1) {
    // One payment without a memo, and one to a wallet that the deposits shared before.
    const address = isShared ? ['wallet', 'before/1', `wallet/${n}`][Math.min(n, 2)] : `address-${n}`;
    await run(
      `with made as (insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, country, currency, amount, provider,
          lifetime_s, request, state, rank, expires_at, paid, credited) values (gen_random_uuid(), $1, 'user', gen_random_uuid(), sha256('request'), 'coin', 'DE',
          'ETH', 1, 'crypto', 60, '{}', 'credited', 90, now(), 1, 1) returning id)
        insert into crypto_address (chain, address, deposit_id, account, index, coin, contract, watched_until)
          select $2, $3, id, 'account', $4, 'ETH', $5, now() from made`,
      [
        OPERATORS[n % OPERATORS.length],
        chain,
        address,
        isShared && n === 0 ? null : n,
        CONTRACTS[n % CONTRACTS.length],
      ],
    );
  }
  return {
    chain,
    height: HEIGHTS,
    assets: ASSETS,
    hotWallet: isShared ? 'wallet' : 'hot',
    owner: 'two',
    ...(isShared && { sharedWallet: 'wallet' }),
  };
}

/** The n-th row of the chain, for a subquery. */
const nth = (table: string, key: string, order: string, n: number): string =>
  `(select ${key} from ${table} where chain = $1 order by ${order} limit 1
    offset ${n} % greatest((select count(*) from ${table} where chain = $1), 1))`;
const ofDeposit = (n: number): string => nth('crypto_address', 'deposit_id', 'address', n);
const ofOutput = (n: number): string =>
  `(chain, txid, address, contract) = ${nth('crypto_output', 'chain, txid, address, contract', 'txid', n)}`;
const ofPayout = (n: number): string => nth('coin_payout', 'withdrawal_id', 'withdrawal_id', n);
const balancesOf = ({ sharedWallet, hotWallet }: ChainReading): string =>
  sharedWallet === undefined
    ? `select address from crypto_address where chain = $1 union select '${hotWallet}'`
    : `select '${sharedWallet}'`;

/** The statement of a step, with the chain as its only parameter. */
const STATEMENTS: Readonly<Record<string, (of: Step, reading: ChainReading) => string>> = {
  pay: ({ one, other, amount }) => `insert into crypto_output (chain, txid, address, contract, raw, height, block_hash)
    select $1, gen_random_uuid(), address, '${CONTRACTS[other % 2]}', ${amount}, ${heightOf(other)}, ${heightOf(other)}::text
    from crypto_address where chain = $1 order by address limit 1 offset ${one}`,
  tell: ({ other, amount }) =>
    `update crypto_output set told = '${TOLD[amount % TOLD.length]}' where ${ofOutput(other)}`,
  done: ({
    one,
    other,
    amount,
  }) => `insert into crypto_output (chain, txid, address, contract, raw, height, block_hash, told, is_settled)
    select $1, gen_random_uuid(), address, '${CONTRACTS[other % 2]}', ${amount}, ${HEIGHTS - 1}, 'hash', 'paid', true
    from crypto_address where chain = $1 order by address limit 1 offset ${one}`,
  read: ({ amount }, reading) => `insert into crypto_balance (chain, address, contract, raw, height, last_height)
    select $1, address, contract, ${amount}, ${HEIGHTS}, ${HEIGHTS} from (${balancesOf(reading)}) place(address)
      cross join unnest(array['${CONTRACTS.join("', '")}']) contract
    on conflict (chain, address, contract) do update set raw = excluded.raw, height = excluded.height, last_height = excluded.last_height`,
  settle: ({ other }) => `update crypto_output set is_settled = true where ${ofOutput(other)}`,
  move: ({
    one,
    other,
    amount,
  }) => `update crypto_output set raw = ${amount}, height = ${heightOf(one)}, block_hash = ${heightOf(one)}::text,
    gone_at_height = ${amount % 3 === 0 ? '7' : 'null'} where ${ofOutput(other)}`,
  forget: ({ other }) => `delete from crypto_output where ${ofOutput(other)} and ${other} % 3 = 0`,
  credit: ({
    one,
    amount,
    other,
  }) => `insert into payment (operator_id, id, deposit_id, provider, provider_ref, origin, state, currency, amount)
    select operator_id, gen_random_uuid(), id, '${other % 5 === 4 ? 'sandbox' : 'crypto'}', gen_random_uuid(), 'further', 'credited', 'ETH', ${amount}
    from deposit where id = ${ofDeposit(one)}`,
  refund: ({
    one,
    amount,
    other,
  }) => `insert into refund (operator_id, deposit_id, payment_id, origin, amount, currency, staff, state)
    select operator_id, deposit_id, id, 'review', ${amount}, 'ETH', 'ann', '${other % 2 === 0 ? 'requested' : 'succeeded'}'
    from payment where deposit_id = ${ofDeposit(one)} limit 1`,
  refunded: ({ one, other }) => {
    const state = REFUND_ENDS[other % REFUND_ENDS.length] ?? 'bounced';
    return `update refund set state = '${state}' where deposit_id = ${ofDeposit(one)} and state in (${statesBefore(state)})`;
  },
  dispute: ({
    one,
    amount,
  }) => `insert into dispute (operator_id, id, deposit_id, payment_id, provider, event_id, state, currency, amount)
    select operator_id, gen_random_uuid(), deposit_id, id, provider, gen_random_uuid(), 'open', 'ETH', ${amount}
    from payment where deposit_id = ${ofDeposit(one)} limit 1`,
  balance: (
    { one, other, amount },
    reading,
  ) => `insert into crypto_balance (chain, address, contract, raw, height, last_height, read_at)
    select $1, address, '${CONTRACTS[other % 2]}', ${amount % 3 === 0 ? 0 : amount}, ${other % HEIGHTS}, ${(other % HEIGHTS) + (amount % 2)}, now()
    from (${balancesOf(reading)}) place(address) order by address offset (${one} % (select count(*) from (${balancesOf(reading)}) place)) limit 1
    on conflict (chain, address, contract) do update set raw = excluded.raw, height = excluded.height, last_height = excluded.last_height,
      read_at = excluded.read_at`,
  'lost-balance': ({ other }) => `delete from crypto_balance where chain = $1 and height = ${other % 40}`,
  payout: (
    { one, other, amount },
    { hotWallet },
  ) => `with made as (insert into withdrawal (id, operator_id, user_id, client_key, fingerprint,
      payment_method, country, account_type, currency, amount, fee, state, rank, expires_at, provider, request)
      select gen_random_uuid(), '${OPERATORS[one % 3]}', 'user', gen_random_uuid(), sha256('request'), 'coin', 'DE', 'main', 'ETH', 1, 0, 'paid', 1,
        now(), 'crypto', '{}' where $1::text is not null returning id, operator_id),
      sent as (insert into coin_payout (operator_id, withdrawal_id, chain, wallet, coin, contract, address, minor, raw)
        select operator_id, id, $1, '${other % 4 === 0 ? 'other' : hotWallet}', 'ETH', '${CONTRACTS[other % 2]}', 'user', 1, ${amount + 1} from made)
      insert into payout (operator_id, id, withdrawal_id, provider, currency, amount, state)
        select operator_id, gen_random_uuid(), id, 'crypto', 'ETH', ${amount}, 'accepted' from made`,
  paid: ({ other }) =>
    `update payout set state = 'paid' where withdrawal_id = ${ofPayout(other)} and state = 'accepted'`,
  returned: ({ other }) =>
    `update payout set state = 'returned' where withdrawal_id = ${ofPayout(other)} and state = 'paid'`,
  fee: ({
    other,
    amount,
  }) => `update coin_payout set fee = case when fee_booked_at is null then ${amount} else fee end, hash = 'hash',
    fee_coin = ${bookedOr(other, `'ETH'`)}, fee_minor = ${bookedOr(other, String(amount % 7))}, fee_booked_at = ${bookedOr(other, 'now()')}
    where withdrawal_id = ${ofPayout(other)} and chain = $1 and state in ('confirmed', 'failed')`,
  report: ({
    one,
    other,
  }) => `update coin_payout set state = '${['broadcast', 'confirmed', 'confirmed', 'failed', 'declined'][one % 5]}',
    hash = 'hash', reported_at = ${['null', `now() - interval '3 hours'`, 'now()'][other % 3]}
    where withdrawal_id = ${ofPayout(other)} and chain = $1 and fee_booked_at is null`,
};
/** The states from which a refund goes to this one, for SQL. The trigger that refuses all others is off here. */
const statesBefore = (state: RefundState): string =>
  (Object.keys(REFUND_MOVES.next) as RefundState[])
    .filter((from) => REFUND_MOVES.next[from].includes(state))
    .map((from) => `'${from}'`)
    .join(', ');
const heightOf = (n: number): string => (n % 7 === 6 ? 'null' : String(n % HEIGHTS));
const bookedOr = (n: number, value: string): string => (n % 2 === 0 ? 'null' : value);

/** An operator without anything left on a chain may have a balance of nothing, or none. */
const withSomething = (balances: readonly CoinBalance[]): CoinBalance[] =>
  balances.filter(({ found, expected, booked, unbooked, mayBeIn, mayBeOut }) =>
    [found, expected, booked, unbooked, mayBeIn, mayBeOut].some((sum) => sum !== 0n),
  );

async function compare(reading: ChainReading): Promise<void> {
  const { sharedWallet } = reading;
  const { database } = opened;
  const [kept, full] =
    sharedWallet === undefined
      ? [await coinBalances(database, reading), await coinBalancesInFull(database, reading)]
      : [
          await sharedBalances(database, { ...reading, sharedWallet }),
          await sharedBalancesInFull(database, { ...reading, sharedWallet }),
        ];
  expect(withSomething(kept)).toEqual(withSomething(full));
  if (sharedWallet === undefined) await compareReading(reading.chain);
}

/** The next reading asks for what a look at all payments of the chain asks for. */
async function compareReading(chain: string): Promise<void> {
  const balances = new BalanceStore(opened.database);
  const read: BalancePlace[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await balances.changing(chain, after, 2);
    read.push(...page);
    after = page.length < 2 ? undefined : page.at(-1)?.address;
  }
  const whole = await opened.database.query<BalancePlace>({
    text: `select distinct output.address, output.contract from crypto_output output left join crypto_balance known
        on known.chain = output.chain and known.address = output.address and known.contract = output.contract
      where output.chain = $1 and output.height is not null
        and (known.raw is null or known.raw > 0 or output.height > known.height)`,
    values: [chain],
  });
  const inOrder = (places: readonly BalancePlace[]): string[] =>
    places.map(({ address, contract }) => `${address} ${contract}`).toSorted();
  expect(inOrder(read)).toEqual(inOrder(whole));
}

async function expectRight(): Promise<void> {
  for await (const { wrong, leftWrongly } of recountSums(opened.database))
    expect({ wrong, leftWrongly }).toEqual({ wrong: [], leftWrongly: 0 });
}

async function take(one: Step, reading: ChainReading): Promise<void> {
  if (one.what === 'compare') await compare(reading);
  else if (one.what === 'recount') await expectRight();
  else if (one.what === 'fold') await foldChanges(opened.database, reading.chain);
  else await run(STATEMENTS[one.what]?.(one, reading) ?? '', [reading.chain]);
}

/** What came and was compared changes afterwards, one change after the other. */
const CHANGES: readonly (readonly [string, readonly Partial<Step>[]])[] = [
  ['a credited payment is taken back', [{ what: 'tell', amount: TOLD.indexOf('taken-back') }]],
  ['a credited payment moves to another block with another amount', [{ what: 'move', amount: 7 }]],
  ['a payment is lost', [{ what: 'forget' }]],
  ['a node answers as of an earlier block', [{ what: 'balance' }, { what: 'balance', other: 1 }]],
  ['a balance is lost', [{ what: 'lost-balance', other: HEIGHTS }]],
  [
    'a refund succeeds late, and bounces',
    [
      { what: 'refunded', other: 1 },
      { what: 'refunded', other: 3 },
    ],
  ],
  ['a payment is charged back', [{ what: 'dispute' }]],
  ['a fee changes, and is booked', [{ what: 'fee' }, { what: 'fee', amount: 5 }, { what: 'fee', other: 1 }]],
  ['a payout comes back', [{ what: 'returned' }]],
  ['an address is paid again', [{ what: 'done' }, { what: 'credit' }]],
];
test.each(CHANGES.flatMap(([what, steps]) => [false, true].map((isShared) => [what, isShared, steps] as const)))(
  '[SRV-1] %s after it was compared (shared wallet: %s)',
  async (_what, isShared, changes) => {
    const reading = await newChain(isShared);
    const before = ['done', 'done', 'read', 'credit', 'refund', 'payout', 'paid', 'report', 'compare'];
    for (const one of [
      ...before.map((what) => ({ what, ...(what === 'report' && { one: 1, other: 1 }) })),
      ...changes,
    ]) {
      // The only coin that goes out is the chain's own, so it has a fee.
      await take({ one: 0, other: 0, amount: 12_345, ...one, what: one.what ?? '' }, reading);
      await compare(reading);
    }
  },
  60_000,
);

test.each([
  ['addresses of their own', false],
  ['a shared wallet', true],
])(
  '[SRV-1] after any history with %s, the kept sums are those of all payments',
  async (_what, isShared) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const reading = await newChain(isShared);
        for (const one of steps) await take(one, reading);
        await compare(reading);
        await compare(reading);
      }),
      { numRuns: runs, endOnFailure: true },
    );
  },
  300_000,
);

// The embedded database has one connection.
test.runIf(process.env['TEST_DATABASE'] === 'postgres')(
  '[SRV-1] payments that commit during a comparison count in the next one, and two comparisons at once count nothing twice',
  async () => {
    const reading = await newChain(false);
    const step = { one: 0, other: 1, amount: 12_345 };
    for (let round = 0; round < 3; round += 1) {
      await opened.database.transaction(async (transaction) => {
        for (const what of ['done', 'credit']) {
          await transaction.query({
            text: STATEMENTS[what]?.({ ...step, what }, reading) ?? '',
            values: [reading.chain],
          });
        }
        // The first round counts all, and the others add changes.
        await asAnotherProcess(() => coinBalances(opened.database, reading));
      });
      await take({ ...step, what: 'done' }, reading);
      await take({ ...step, what: 'read' }, reading);
      await Promise.all([1, 2, 3].map(() => coinBalances(opened.database, reading)));
      await compare(reading);
    }
  },
  60_000,
);

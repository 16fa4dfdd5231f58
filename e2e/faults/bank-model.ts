/**
 * Computes from the answers that customers got what the ledger must hold after a history. An operation without an answer may be in
 * the ledger or not; its key finds out which.
 */
import { expect } from 'vitest';
import type { Operation } from './bank-customer.ts';
import type { Cluster } from './cluster.ts';

interface Holdings {
  main: bigint;
  additional: bigint;
}

/** State by key, for each kind of intent. */
interface Found {
  readonly deposits: ReadonlyMap<string, string>;
  readonly withdrawals: ReadonlyMap<string, string>;
  readonly transfers: ReadonlyMap<string, string>;
  readonly refunds: ReadonlyMap<string, string>;
}

/** Stored by a node that died before it called the provider. It is checked, and declined in the end. */
const neverSubmitted = ['created', 'submitted_unknown', 'declined'];
const moneyIsGone = ['held', 'submitted', 'submitted_unknown', 'paid'];

/** States in which an operation may be, by the outcome that its customer knows. `absent`: no row at all. */
const allowed: Readonly<Record<Operation['kind'], Readonly<Record<Operation['outcome'], readonly string[]>>>> = {
  deposit: {
    done: ['credited', 'refunded'],
    refused: ['absent'],
    unknown: ['credited', ...neverSubmitted, 'absent'],
  },
  'cancelled-deposit': {
    done: ['cancelled'],
    refused: ['absent'],
    // Nobody pays it. If its cancel was lost, it waits until it expires.
    unknown: ['awaiting_payment', 'expired', 'cancelled', ...neverSubmitted, 'absent'],
  },
  withdrawal: { done: ['paid'], refused: ['absent'], unknown: [...moneyIsGone, 'absent'] },
  'cancelled-withdrawal': { done: ['cancelled', 'absent'], refused: [], unknown: ['held', 'cancelled', 'absent'] },
  transfer: { done: ['there'], refused: ['absent'], unknown: ['there', 'absent'] },
  refund: { done: ['refunded'], refused: ['absent'], unknown: ['refunded', 'absent'] },
};

/** @returns how many operations were compared */
export async function expectHistory(cluster: Cluster, history: readonly Operation[]): Promise<number> {
  const found = await readBooks(cluster);
  const wrong: string[] = [];
  const expected = new Map<string, Holdings>();
  for (const operation of history) {
    const state = stateOf(operation, found);
    if (!allowed[operation.kind][operation.outcome].includes(state)) {
      wrong.push(`${operation.kind} ${operation.id} was ${operation.outcome} and is ${state}`);
    }
    const holdings = expected.get(operation.userId) ?? { main: 0n, additional: 0n };
    expected.set(operation.userId, holdings);
    applyTo(holdings, operation, state);
  }
  expect(wrong).toEqual([]);
  const rows = await cluster.query<{ owner: string; kind: string; balance: string }>(
    `select owner, kind, balance::text from account where kind in ('user', 'user_additional') and asset = 'USD'`,
  );
  const balance = (owner: string, kind: string): bigint =>
    BigInt(rows.find((row) => row.owner === owner && row.kind === kind)?.balance ?? '0');
  const actual = [...expected.keys()].map((userId) => [
    userId,
    { main: balance(userId, 'user'), additional: balance(userId, 'user_additional') },
  ]);
  expect(actual).toEqual([...expected]);
  return history.length;
}

function applyTo(holdings: Holdings, { kind, amount, from, to }: Operation, state: string): void {
  switch (kind) {
    case 'deposit':
      if (state === 'credited' || state === 'refunded') holdings.main += amount;
      return;
    case 'withdrawal':
    case 'cancelled-withdrawal':
      if (moneyIsGone.includes(state)) holdings.main -= amount;
      return;
    case 'refund':
      if (state === 'refunded') holdings.main -= amount;
      return;
    case 'transfer':
      if (state !== 'there') return;
      if (from === 'main' || from === 'additional') holdings[from] -= amount;
      if (to === 'main' || to === 'additional') holdings[to] += amount;
      return;
    case 'cancelled-deposit':
  }
}

function stateOf({ kind, id }: Operation, found: Found): string {
  const table = {
    deposit: found.deposits,
    'cancelled-deposit': found.deposits,
    withdrawal: found.withdrawals,
    'cancelled-withdrawal': found.withdrawals,
    transfer: found.transfers,
    refund: found.refunds,
  }[kind];
  return table.get(id) ?? 'absent';
}

async function readBooks(cluster: Cluster): Promise<Found> {
  const read = async (sql: string): Promise<Map<string, string>> =>
    new Map((await cluster.query<{ id: string; state: string }>(sql)).map(({ id, state }) => [id, state]));
  return {
    deposits: await read('select client_key::text as id, state from deposit'),
    withdrawals: await read('select client_key::text as id, state from withdrawal'),
    transfers: await read(`select transfer_id::text as id, 'there' as state from operator_transfer`),
    refunds:
      await read(`select refund_id::text as id, case when state in ('succeeded', 'bounced') then 'refunded' else state end as state
      from refund where origin = 'operator' and state <> 'declined'`),
  };
}

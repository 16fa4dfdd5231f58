/**
 * Credits many deposits of one operator in one transaction (docs/adr/0021-batches-of-one-operator.md).
 *
 * The reducers decide which reports are plain credits. Every other report is applied alone. So is a report that meets a change, or
 * that spoils its batch.
 */
import { randomUUID } from 'node:crypto';
import { isFurtherTransfer, refOfTransfer } from '@opencashier/core/payment/deposit-of-payment';
import { reduceReport } from '@opencashier/core/payment/reduce-report';
import { type Batch, batchesOfLane, createBatches } from '../database/batches.ts';
import type { Transaction } from '../database/database.ts';
import { isLockTimeout, isRefused } from '../database/pool-database.ts';
import {
  creditDeposits,
  creditedRow,
  type DepositCredit,
  type FoundDeposit,
  findDeposits,
  lockDeposits,
} from '../deposits/credit-deposits.ts';
import { newDetails } from '../deposits/deposit-details.ts';
import { announceMoves } from '../deposits/deposit-store.ts';
import { type PostingLine, postCredits } from '../ledger/ledger.ts';
import type { QueuedPush } from '../outbox/queued-push.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import { logMove } from '../payment-ports/log-move.ts';
import type { AppliedReport, RunnerPorts } from '../provider-events/apply-report.ts';
import { depositEvents } from '../provider-events/deposit-events.ts';
import type { DepositReport } from '../providers/provider.ts';
import { creditLines } from './credit-lines.ts';
import { insertCreditedPayments, unpaidAggregate } from './payment-store.ts';

/** How long a batch waits for a lock, in ms. After that its reports are applied alone, where only the one with the held row waits. */
const MOST_WAIT_MS = 100;

/**
 * Credits of a transaction. More would share its commit and its plans among more credits, but would hold the rows of their users for
 * longer. The embedded database has one connection, so everybody waits for a transaction there.
 */
const MOST_CREDITS = { postgres: 256, embedded: 64 };

/** A report whose whole effect is to credit its unpaid deposit. */
interface PlainCredit extends DepositCredit {
  readonly version: string;
  readonly report: DepositReport;
  readonly asset: string;
  /** Made before the batch, so that an error here is the report's own. */
  readonly lines: readonly PostingLine[];
}

/**
 * @returns applies a report together with others; undefined: the report must be applied alone. Nothing of it is stored then.
 * @param uncommitted the failpoint after all writes and before the commit
 */
export function createCreditBatches(
  ports: RunnerPorts,
  uncommitted: Failpoint,
): (report: DepositReport) => Promise<AppliedReport | undefined> {
  const mostOfLane = batchesOfLane(ports.database);
  const mostItems = MOST_CREDITS[ports.database.kind];
  const find = createBatches<DepositReport, FoundDeposit | undefined>({
    laneOf: ({ provider }) => provider,
    run: (reports) => findDeposits(ports.database, reports),
    mostItems,
    mostOfLane,
  });
  const credit = createBatches<PlainCredit, AppliedReport | undefined>({
    // Events are locked by provider, so a batch is of one provider, too.
    laneOf: ({ row }) => JSON.stringify([row.operatorId, row.provider]),
    run: (credits) =>
      creditThese(ports, uncommitted, credits).catch((error: unknown) => tellAndThrow(ports, credits, error)),
    mostItems,
    mostOfLane,
  });
  return async (report) => {
    // No other outcome credits anything.
    if (report.outcome !== 'paid') return undefined;
    try {
      const plain = plainCreditOf(await find(report), report);
      return plain && (await credit(plain).catch((error: unknown) => onceMore(error, () => credit(plain))));
    } catch (error) {
      // The database refused this report, and did nothing. Alone it gets the treatment of its fault, and waits for its own locks.
      if (isRefused(error) || isLockTimeout(error)) return undefined;
      throw error;
    }
  };
}

/** A batch mostly waits for the batch before it, which credits some of the same users. Alone, each credit would cost five times as much. */
function onceMore<Result>(error: unknown, again: () => Promise<Result>): Promise<Result> {
  if (isLockTimeout(error)) return again();
  throw error;
}

function tellAndThrow({ logger }: RunnerPorts, credits: Batch<PlainCredit>, error: unknown): never {
  logger.warn(
    { provider: credits[0].row.provider, credits: credits.length, err: error },
    'credits were not written together',
  );
  throw error;
}

/** The credit that a report makes; undefined: its effect is another, or more than one credit. */
function plainCreditOf(found: FoundDeposit | undefined, report: DepositReport): PlainCredit | undefined {
  if (found === undefined) return undefined;
  const { row, version, paysDebt, isKeptHere } = found;
  // The money goes on to the operator, which is another effect.
  if (!isKeptHere) return undefined;
  const aggregate = unpaidAggregate(row);
  if (aggregate === undefined || (paysDebt && row.box === null)) return undefined;
  // The card that paid is stored, too.
  if (report.card !== undefined) return undefined;
  // A fee is a second journal.
  if (row.fee !== null) return undefined;
  // The rules of a further transfer may choose another deposit.
  if (isFurtherTransfer(row, report) || refOfTransfer(row, report) !== report.providerRef) return undefined;
  if (newDetails(row, report) !== undefined) return undefined;
  const verdict = reduceReport(aggregate, report);
  if (verdict.kind !== 'effects' || verdict.alert !== undefined) return undefined;
  const [receive, move, ...more] = verdict.effects;
  if (receive?.kind !== 'receive' || receive.origin !== 'deposit' || more.length > 0) return undefined;
  if (receive.reason !== undefined || receive.part !== undefined) return undefined;
  if (move?.kind !== 'move' || move.to !== 'credited' || move.reason !== undefined) return undefined;
  const { asset, amount } = receive;
  const source: PostingLine = { owner: row.provider, asset, kind: 'provider_clearing', amount: -amount };
  const lines = [source, ...creditLines(row, amount, false)].filter((line) => line.amount !== 0n);
  return { row, version, report, asset, amount, ref: report.providerRef, lines };
}

/** Some credits of a batch are no longer plain, so the transaction is rolled back and these credits are left out. */
class NoLongerPlain extends Error {
  override readonly name = 'NoLongerPlain';
  readonly depositIds: ReadonlySet<string>;

  constructor(depositIds: Iterable<string>) {
    super('Deposits changed before their batch');
    this.depositIds = new Set(depositIds);
  }
}

/** Credits a batch. Answers undefined for each report that must be applied alone. */
async function creditThese(
  ports: RunnerPorts,
  uncommitted: Failpoint,
  credits: Batch<PlainCredit>,
): Promise<(AppliedReport | undefined)[]> {
  const creditAll = async (plain: readonly PlainCredit[]): Promise<ReadonlySet<PlainCredit>> => {
    const [first, ...others] = plain;
    if (first === undefined) return new Set();
    try {
      const { credits: made, pushes } = await ports.database.transaction((transaction) =>
        creditNew(ports, transaction, [first, ...others], uncommitted),
      );
      ports.pushes?.take(pushes);
      return made;
    } catch (error) {
      if (!(error instanceof NoLongerPlain)) throw error;
      return creditAll(plain.filter(({ row }) => !error.depositIds.has(row.id)));
    }
  };
  const credited = await creditAll(withoutRepeats(credits));
  return credits.map((credit) => (credited.has(credit) ? { outcome: 'credited', id: credit.row.id } : undefined));
}

/** Without later reports of the same deposit or with the same event. */
function withoutRepeats(credits: readonly PlainCredit[]): readonly PlainCredit[] {
  const seen = new Set<string>();
  return credits.filter(({ row, report }) => {
    const names = [`deposit ${row.id}`, `event ${report.eventId}`];
    const isFirst = names.every((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    return isFirst;
  });
}

interface NewCredits {
  /** Those whose events are new. Nothing of the others is written. */
  readonly credits: ReadonlySet<PlainCredit>;
  /** Leased to this node, which sends them after the commit. */
  readonly pushes: readonly QueuedPush[];
}

/** Locks and writes in the order of a report that is applied alone: events, deposits, accounts. Each kind is locked in one order. */
async function creditNew(
  { failpoint, pushes: sender }: RunnerPorts,
  transaction: Transaction,
  plain: Batch<PlainCredit>,
  uncommitted: Failpoint,
): Promise<NewCredits> {
  const { operatorId, provider } = plain[0].row;
  // A row that somebody holds, such as a node that has frozen, must not hold up its neighbours, nor have them locked for long.
  // Stored plans use indexes only. One that was made while the tables were small would read them whole when they have grown.
  const [settings] = await transaction.query<{ walletMode: string }>({
    name: 'credits-settings',
    text: `select set_config('lock_timeout', $1, true), set_config('enable_seqscan', 'off', true), wallet_mode_of($2) as "walletMode"`,
    values: [String(MOST_WAIT_MS), operatorId],
  });
  // The operator began to keep the balances itself a moment ago.
  if (settings?.walletMode !== 'cashier') throw new NoLongerPlain(plain.map(({ row }) => row.id));
  const events = plain.map((credit) => ({ event: credit.report, id: credit.row.id }));
  const stored = await depositEvents.recordApplied(transaction, provider, events, 'credit');
  const credits = plain.filter(({ report }) => stored.has(report.eventId));
  if (credits.length === 0) return { credits: new Set(), pushes: [] };
  const ids = credits.map((credit) => credit.row.id);
  const { versions, serverTime } = await lockDeposits(transaction, operatorId, ids);
  const changed = credits.filter((credit) => versions.get(credit.row.id) !== credit.version);
  if (changed.length > 0) throw new NoLongerPlain(changed.map((credit) => credit.row.id));
  await bookCredits(transaction, operatorId, provider, credits);
  const indebted = await creditDeposits(transaction, operatorId, credits);
  if (indebted.length > 0) throw new NoLongerPlain(indebted);
  await depositEvents.wakeAll(transaction, {
    provider,
    ids: [...ids, ...credits.flatMap((credit) => credit.row.furtherOf ?? [])],
    providerRefs: credits.map(({ row, ref }) => row.providerRef ?? ref),
  });
  const isLeased = sender?.hasPlace() === true;
  const pushes = await announce(transaction, operatorId, credits, { serverTime, isLeased });
  if (failpoint !== undefined) for (const _each of credits) failpoint(uncommitted);
  return { credits: new Set(credits), pushes: isLeased ? pushes : [] };
}

/** Stores the payments and books them. */
async function bookCredits(
  transaction: Transaction,
  operatorId: string,
  provider: string,
  credits: readonly PlainCredit[],
): Promise<void> {
  const payments = credits.map(({ row, ref, asset, amount, lines }) => {
    return { id: randomUUID(), depositId: row.id, ref, asset, amount, lines };
  });
  await insertCreditedPayments(transaction, operatorId, provider, payments);
  const entries = payments.map(({ id: paymentId, depositId, ref, lines }) => ({ depositId, paymentId, ref, lines }));
  await postCredits(transaction, operatorId, provider, entries);
}

/** Queues the pushes and webhooks of the credited deposits. */
function announce(
  transaction: Transaction,
  operatorId: string,
  credits: readonly PlainCredit[],
  { serverTime, isLeased }: { readonly serverTime: Date; readonly isLeased: boolean },
): Promise<QueuedPush[]> {
  const moves = credits.map((credit) => ({ before: credit.row, after: creditedRow(credit, serverTime) }));
  for (const { before, after } of moves) {
    logMove(transaction, { type: 'deposit', row: after, from: before.state, cause: 'provider' });
  }
  return announceMoves(transaction, operatorId, moves, isLeased);
}

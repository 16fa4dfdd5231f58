/** Background work on deposits: asks silent providers, expires unpaid deposits, retries parked reports. */
import { canDepositExpire } from '@opencashier/core/deposit/deposit-lifecycle';
import { type DepositRow, depositColumns, idAtProvider, isMoneySeen, readDeposit } from '../deposits/deposit-row.ts';
import { lockDeposit, moveDeposit } from '../deposits/deposit-store.ts';
import { resendInputs } from '../deposits/paid-inputs.ts';
import { nextCheckDelayS } from '../deposits/reconciliation-schedule.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import { dueByLane, placesTaken } from '../jobs/lanes.ts';
import { withinTime } from '../jobs/within-time.ts';
import { providerOf } from '../payment-ports/connected-providers.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { createUnchangedChecks, type UnchangedChecks } from '../payment-ports/unchanged-checks.ts';
import { applyDepositReport } from '../payments/apply.ts';
import { depositEvents } from '../provider-events/deposit-events.ts';
import type { DepositReport } from '../providers/provider.ts';

const BATCH = 10;
/** Concurrent questions to one provider, per node. A slow provider does not delay the others. */
const PLACES_PER_PROVIDER = 10;
const INQUIRY_TIMEOUT_MS = 10_000;
/** Longer than an inquiry. When a node dies during one, another node continues after this time. */
const LEASE_S = 30;
/** Seconds after its end in which a create call may still reach the provider. */
const NEVER_ARRIVED_AFTER_S = 600;
/** Seconds for which an overdue deposit stays open when its provider does not answer. */
const EXPIRY_PATIENCE_S = 600;

/** Asks the providers about deposits whose next question is due. */
export function reconcileDeposits(core: PaymentsCore): DueWork<DepositRow> {
  const unchanged = createUnchangedChecks(core.database, 'deposit');
  return {
    name: 'reconciliation',
    idleMs: 1000,
    isByTimeAlone: true,
    isContinuous: true,
    claim: (inHand) => claim(core, checks, inHand),
    handle: (row) => reconcile(core, row, unchanged),
    async giveBack(rows) {
      await core.database.query({
        name: 'deposit-give-back',
        text: `update deposit set check_at = now()
          where operator_id = any($1::text[]) and id = any($2::uuid[]) and check_at > now()`,
        values: [[...new Set(rows.map(({ operatorId }) => operatorId))], rows.map(({ id }) => id)],
      });
    },
  };
}

/** Expires deposits that were not paid in time, by the database's clock. */
export function expireDeposits(core: PaymentsCore): DueWork<DepositRow> {
  const unchanged = createUnchangedChecks(core.database, 'deposit');
  return {
    name: 'expiry',
    idleMs: 1000,
    isByTimeAlone: true,
    isContinuous: true,
    claim: (inHand) => claim(core, expiries, inHand),
    handle: (row) => expire(core, row, unchanged),
  };
}

/** Retries parked reports about deposits that are due. */
export function retryParkedDepositEvents(core: PaymentsCore): DueWork<DepositReport> {
  return {
    name: 'parked-reports',
    idleMs: 1000,
    claim: () => depositEvents.claimParked(core.database, BATCH),
    async handle(report) {
      await applyDepositReport(core, report);
    },
  };
}

/** The query of due rows, and the column that leases a claimed row. */
interface Due {
  readonly leased: 'check_at' | 'busy_until';
  readonly keys: string;
}

const checks: Due = {
  leased: 'check_at',
  keys: dueByLane({
    table: 'deposit',
    column: 'provider',
    waiting: 'check_at is not null',
    due: 'check_at <= now()',
    order: 'check_at',
    key: 'operator_id, id',
  }),
};

const expiries: Due = {
  leased: 'busy_until',
  keys: dueByLane({
    table: 'deposit',
    column: 'provider',
    waiting: `state = 'awaiting_payment' and review is null`,
    // The lease is part of the order. Otherwise a claim would read all rows that others hold, before each free one.
    due: 'greatest(expires_at, busy_until) <= now()',
    order: 'greatest(expires_at, busy_until)',
    key: 'operator_id, id',
  }),
};

/** Claims due rows of each provider with free places. */
async function claim(core: PaymentsCore, due: Due, inHand: readonly DepositRow[]): Promise<readonly DepositRow[]> {
  const taken = placesTaken(inHand.map(({ provider }) => provider));
  const rows = await core.database.query<DepositRow>({
    name: `deposit-claim-${due.leased}`,
    text: `update deposit set ${due.leased} = now() + make_interval(secs => $4)
      where (operator_id, id) in (${due.keys}) returning ${depositColumns}`,
    values: [PLACES_PER_PROVIDER, taken.names, taken.counts, LEASE_S],
  });
  return rows.map(readDeposit);
}

async function reconcile(core: PaymentsCore, row: DepositRow, unchanged: UnchangedChecks): Promise<void> {
  await resendInputs(core, row);
  const answer = await inquire(core, row);
  core.failpoint?.('deposit-inquired');
  const planNext = async (): Promise<boolean> => {
    if (!mayBeUnchanged(row, answer)) return false;
    const report = answer.kind === 'report' ? answer.report : undefined;
    return unchanged.planNext({ row, report, delayS: nextCheckDelayS(row.state, row.checks + 1) });
  };
  // Nothing was queued, so no worker is woken.
  if (await planNext()) return;
  if (answer.kind === 'report') {
    await applyDepositReport(core, answer.report);
    // Most new reports change nothing, either.
    if (await planNext()) return;
  }
  await core.database.transaction(async (transaction) => {
    const now = await lockDeposit(transaction, row);
    if (now === undefined) throw new Error(`Deposit ${row.id} no longer exists`);
    if (answer.kind === 'unknown-there' && hasNotArrived(row, now)) {
      // If the create call did arrive, its payment is kept as late.
      await moveDeposit(transaction, now, {
        to: 'declined',
        cause: 'reconciliation',
        reason: 'transaction.reason.not-submitted',
      });
      return;
    }
    // A running create call answers its own client. This row has none, because its node died.
    if (now.state === 'created' && !now.isBusy) {
      await moveDeposit(transaction, now, { to: 'submitted_unknown', cause: 'reconciliation' });
      return;
    }
    if (hasExpiredUnseen(now)) {
      await moveDeposit(transaction, now, { to: 'expired', cause: 'expiry', reason: 'transaction.reason.expired' });
      return;
    }
    // A move has planned its own next question.
    if (now.state !== row.state) return;
    const delay = nextCheckDelayS(now.state, now.checks + 1);
    await transaction.query({
      name: 'deposit-next-check',
      text: `update deposit set checks = checks + 1, check_at = now() + make_interval(secs => $2)
        where operator_id = $3 and id = $1`,
      values: [row.id, delay ?? null, row.operatorId],
    });
  });
  core.onChange();
}

/**
 * Whether a provider that did not know the deposit can no longer get it. A call that began or ended after the question, or shortly before
 * it, may reach the provider after it.
 * @param asked the row as it was before the question
 */
function hasNotArrived(asked: DepositRow, now: DepositRow): boolean {
  const isUnsure = now.state === 'created' || now.state === 'submitted_unknown';
  const isSameCall = now.lastCallAt.getTime() === asked.lastCallAt.getTime();
  const sinceCallS = (asked.serverTime.getTime() - asked.lastCallAt.getTime()) / 1000;
  return isUnsure && isSameCall && sinceCallS >= NEVER_ARRIVED_AFTER_S;
}

/** False when the answer alone may move the deposit. */
function mayBeUnchanged({ state }: DepositRow, answer: Inquiry): boolean {
  return state !== 'created' && !(state === 'submitted_unknown' && answer.kind === 'unknown-there');
}

async function expire(core: PaymentsCore, row: DepositRow, unchanged: UnchangedChecks): Promise<void> {
  // The callback of a last-second payment may be on its way. One question avoids a late payment that staff must
  // review.
  const answer = await inquire(core, row);
  // The deposit stays open for now, also by a clock that was read after the answer. It is asked about again when the
  // lease ends.
  if (answer.kind === 'silent' && overdueS(row) + INQUIRY_TIMEOUT_MS / 1000 < EXPIRY_PATIENCE_S) return;
  if (answer.kind === 'report' && !(await unchanged.isApplied({ row, report: answer.report }))) {
    await applyDepositReport(core, answer.report);
  }
  await core.database.transaction(async (transaction) => {
    const now = await lockDeposit(transaction, row);
    if (now?.state !== 'awaiting_payment' || now.review !== null) return;
    if (overdueS(now) < 0 || (answer.kind === 'silent' && overdueS(now) < EXPIRY_PATIENCE_S)) return;
    await moveDeposit(transaction, now, { to: 'expired', cause: 'expiry', reason: 'transaction.reason.expired' });
    core.failpoint?.('deposit-expiry-uncommitted');
  });
  core.failpoint?.('deposit-expired');
  core.onChange();
}

function overdueS({ serverTime, expiresAt }: DepositRow): number {
  return (serverTime.getTime() - expiresAt.getTime()) / 1000;
}

/** True when a pending transfer has vanished and the deposit's time is over. */
function hasExpiredUnseen(row: DepositRow): boolean {
  const wasSeen = row.state === 'detected' || row.state === 'confirming';
  return (
    wasSeen && canDepositExpire(row.state, isMoneySeen(row)) && row.serverTime.getTime() >= row.expiresAt.getTime()
  );
}

/** A provider's answer. `unknown-there`: the provider does not know the deposit. `silent`: no answer. */
export type Inquiry =
  | { readonly kind: 'report'; readonly report: DepositReport }
  | { readonly kind: 'unknown-there' }
  | { readonly kind: 'silent' };

/** Asks the provider once, outside any transaction. Never throws: without an answer the result is `silent`. */
export async function inquire(core: PaymentsCore, row: DepositRow): Promise<Inquiry> {
  const provider = await providerOf(core, row);
  if (provider === undefined) return { kind: 'silent' };
  const question = { depositId: idAtProvider(row), ...(row.providerRef !== null && { providerRef: row.providerRef }) };
  const answer = provider.inquire(question).then(
    (report): Inquiry => (report === undefined ? { kind: 'unknown-there' } : { kind: 'report', report }),
    (error: unknown): Inquiry => {
      core.logger.warn({ depositId: row.id, provider: row.provider, err: error }, 'provider did not answer');
      return { kind: 'silent' };
    },
  );
  return withinTime(core.clock, INQUIRY_TIMEOUT_MS, answer, () => ({ kind: 'silent' }));
}

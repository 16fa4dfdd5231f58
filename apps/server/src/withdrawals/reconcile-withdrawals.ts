/**
 * Background work: asks silent providers about withdrawals, and retries parked reports. A hold is never released on a
 * guess.
 */
import type { Cancel } from '@opencashier/core/time/clock';
import type { DueWork } from '../jobs/due-worker.ts';
import { dueByLane, placesTaken } from '../jobs/lanes.ts';
import { providerOf } from '../payment-ports/connected-providers.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { createUnchangedChecks, type UnchangedChecks } from '../payment-ports/unchanged-checks.ts';
import { declineRefunds, readPayoutRefunds } from '../payout-refunds/payout-refunds.ts';
import { withdrawalEvents } from '../provider-events/withdrawal-events.ts';
import type { WithdrawalReport } from '../providers/withdrawal-provider.ts';
import { applyWithdrawal } from './apply-withdrawal.ts';
import { cardPayoutOf } from './card-withdrawal.ts';
import { resubmitWithdrawal } from './confirm-withdrawal.ts';
import { readWithdrawal, type WithdrawalRow, withdrawalColumns } from './withdrawal-row.ts';
import { nextWithdrawalCheckS } from './withdrawal-schedule.ts';
import { lockWithdrawal } from './withdrawal-store.ts';

const BATCH = 10;
/** Concurrent questions to one provider, per node. */
const PLACES_PER_PROVIDER = 10;
const INQUIRY_TIMEOUT_MS = 10_000;
/** Longer than a question and a submission. When a node dies during one, another node continues after this time. */
const LEASE_S = 40;

const due = dueByLane({
  table: 'withdrawal',
  column: 'provider',
  waiting: 'check_at is not null',
  due: 'check_at <= now() and (busy_until is null or busy_until <= now())',
  order: 'check_at',
  key: 'operator_id, id',
});

/** Asks the providers about withdrawals whose next question is due. */
export function reconcileWithdrawals(core: PaymentsCore): DueWork<WithdrawalRow> {
  const unchanged = createUnchangedChecks(core.database, 'withdrawal');
  return {
    name: 'withdrawal-reconciliation',
    idleMs: 1000,
    isByTimeAlone: true,
    isContinuous: true,
    async claim(inHand) {
      const taken = placesTaken(inHand.map(({ provider }) => provider));
      const rows = await core.database.query<WithdrawalRow>({
        name: 'withdrawal-claim',
        text: `update withdrawal set check_at = now() + make_interval(secs => $4)
          where (operator_id, id) in (${due}) returning ${withdrawalColumns}`,
        values: [PLACES_PER_PROVIDER, taken.names, taken.counts, LEASE_S],
      });
      return rows.map(readWithdrawal);
    },
    handle: (row) => reconcile(core, row, unchanged),
    async giveBack(rows) {
      await core.database.query({
        name: 'withdrawal-give-back',
        text: `update withdrawal set check_at = now() from unnest($1::text[], $2::uuid[]) given(operator_id, id)
          where withdrawal.operator_id = given.operator_id and withdrawal.id = given.id and check_at > now()`,
        values: [rows.map(({ operatorId }) => operatorId), rows.map(({ id }) => id)],
      });
    },
  };
}

/** Retries parked reports about withdrawals that are due. */
export function retryParkedWithdrawalEvents(core: PaymentsCore): DueWork<WithdrawalReport> {
  return {
    name: 'parked-withdrawal-reports',
    idleMs: 1000,
    claim: () => withdrawalEvents.claimParked(core.database, BATCH),
    async handle(report) {
      await applyWithdrawal(core, report);
    },
  };
}

async function reconcile(core: PaymentsCore, row: WithdrawalRow, unchanged: UnchangedChecks): Promise<void> {
  const answer = await inquire(core, row);
  core.failpoint?.('withdrawal-inquired');
  const planNext = async (): Promise<boolean> => {
    if (answer === 'unknown-there') return false;
    const report = answer === 'silent' ? undefined : answer;
    return unchanged.planNext({ row, report, delayS: nextWithdrawalCheckS(row.state, row.checks + 1) });
  };
  const refused = typeof answer === 'string' ? undefined : answer.refusedRefunds;
  // Refunds may have been replaced since the question. Only a submission knows them all, because there is one at a time.
  const isDeclinedCard = row.request.card !== undefined && typeof answer !== 'string' && answer.outcome === 'declined';
  const isSubmittedAgain = refused !== undefined || isDeclinedCard;
  // Nothing was queued, so no worker is woken.
  if (!isSubmittedAgain && (await planNext())) return;
  if (!isDeclinedCard && answer !== 'silent' && answer !== 'unknown-there') {
    await applyWithdrawal(core, answer);
    // Most new reports change nothing, either.
    if (!isSubmittedAgain && (await planNext())) return;
  }
  if (refused !== undefined) await declineRefunds(core.database, row, refused);
  if (isSubmittedAgain) await resubmitWithdrawal(core, row);
  if (answer === 'unknown-there') {
    // The withdrawal was confirmed but never reached the provider, so it is submitted now. The id stays the same, so
    // a call that is still on its way pays nothing twice.
    if (row.state === 'submitted_unknown' || row.request.card !== undefined) await resubmitWithdrawal(core, row);
    else
      core.logger.error(
        { withdrawalId: row.id, provider: row.provider },
        'provider does not know a withdrawal that it accepted before',
      );
  }
  await core.database.transaction(async (transaction) => {
    const now = await lockWithdrawal(transaction, row);
    // A move has planned its own next question.
    if (now.state !== row.state) return;
    await transaction.query({
      name: 'withdrawal-next-check',
      text: `update withdrawal set checks = checks + 1, check_at = now() + make_interval(secs => $3)
        where operator_id = $1 and id = $2`,
      values: [row.operatorId, row.id, nextWithdrawalCheckS(now.state, now.checks + 1) ?? null],
    });
  });
  core.onChange();
}

/** Asks the provider once, outside any transaction. Never throws: without an answer the result is `silent`. */
async function inquire(core: PaymentsCore, row: WithdrawalRow): Promise<WithdrawalReport | 'unknown-there' | 'silent'> {
  const half = (await providerOf(core, row))?.withdrawals;
  if (half === undefined) return 'silent';
  let cancelTimer: Cancel = () => undefined;
  const timeout = new Promise<'silent'>((resolve) => {
    cancelTimer = core.clock.setTimer(() => resolve('silent'), INQUIRY_TIMEOUT_MS);
  });
  const toCard = cardPayoutOf(row);
  const refunds = toCard && (await readPayoutRefunds(core.database, toCard));
  // A refused refund is not replaced yet. The others alone are not the payout.
  const planned = refunds?.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  if (planned !== toCard?.receives) return 'unknown-there';
  const question = {
    withdrawalId: row.id,
    ...(row.providerRef !== null && { providerRef: row.providerRef }),
    ...(refunds && { refunds }),
  };
  const answer = half.inquire(question).then(
    (report) => report ?? ('unknown-there' as const),
    (error: unknown) => {
      core.logger.warn({ withdrawalId: row.id, provider: row.provider, err: error }, 'provider did not answer');
      return 'silent' as const;
    },
  );
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    cancelTimer();
  }
}

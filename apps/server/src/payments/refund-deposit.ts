/**
 * Refunds of credited deposits by the operator (SRV-1). The amount is held first, so that the user cannot spend it.
 * It is booked when the provider has sent the money. An unknown outcome keeps the hold, and the provider is asked
 * again.
 */
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Transaction } from '../database/database.ts';
import { type DepositRow, idAtProvider } from '../deposits/deposit-row.ts';
import { lockDeposit } from '../deposits/deposit-store.ts';
import { nextRefundCheckS } from '../deposits/reconciliation-schedule.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import { placesTaken } from '../jobs/lanes.ts';
import { withinTime } from '../jobs/within-time.ts';
import { FrozenAccountError, InsufficientFundsError, userBalance } from '../ledger/ledger.ts';
import { providerOf } from '../payment-ports/connected-providers.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { depositEvents } from '../provider-events/deposit-events.ts';
import type { ProviderRefundResult } from '../providers/provider.ts';
import { holdRefund, REFUND_LEASE_S, refundablePayment, usedForAnother } from './begin-refund.ts';
import { type AskedRefund, askedRefund, refundFromWallet } from './refund-from-wallet.ts';
import {
  findRefund,
  postRefund,
  type RefundAnswer,
  type RefundCommand,
  type RefundRow,
  refundColumns,
  setRefundState,
  voidRefund,
} from './refund-store.ts';

const PROVIDER_MS = 10_000;
/** Concurrent calls to one provider, per node. */
const PLACES_PER_PROVIDER = 10;

/**
 * Holds the whole amount and asks the provider to refund it. A retry returns the present state of the refund.
 * @throws DomainError not-found, state-conflict, insufficient-funds (`params.max`), idempotency-conflict
 */
export async function refundDeposit(core: PaymentsCore, command: RefundCommand): Promise<RefundAnswer> {
  const started = await core.database
    .transaction((transaction) => startRefund(core, transaction, command))
    .catch(async (error: unknown) => {
      throw await failureOf(core, command, error);
    });
  core.failpoint?.('refund-begun');
  if ('debit' in started) return refundFromWallet(core, command, started, (refund) => requestRefund(core, refund));
  if (started.isNew) await requestRefund(core, started.refund);
  const now = await findRefund(core.database, command.operatorId, command.refundId);
  if (now === undefined) throw new Error('A stored refund was deleted');
  return now;
}

async function startRefund(
  core: PaymentsCore,
  transaction: Transaction,
  command: RefundCommand,
): Promise<{ readonly refund: RefundRow; readonly isNew: boolean } | AskedRefund> {
  const { operatorId, depositId, refundId } = command;
  const row = await lockDeposit(transaction, { operatorId, id: depositId });
  if (row === undefined) throw new DomainError('not-found', 'Deposit not found.');
  const known = await findRefund(transaction, operatorId, refundId);
  if (known !== undefined) {
    if (known.depositId === depositId) return { refund: known, isNew: false };
    throw usedForAnother();
  }
  const payment = await refundablePayment(core, transaction, row);
  const asked = await askedRefund(transaction, row, command, payment);
  return asked ?? { refund: await holdRefund(transaction, row, command, payment), isNew: true };
}

async function failureOf(core: PaymentsCore, command: RefundCommand, error: unknown): Promise<unknown> {
  if (error instanceof FrozenAccountError) {
    return new DomainError('state-conflict', 'The account is frozen.', {}, { cause: error });
  }
  if (!(error instanceof InsufficientFundsError)) return error;
  const { operatorId, depositId: id } = command;
  const row = await core.database.transaction((transaction) => lockDeposit(transaction, { operatorId, id }));
  if (row === undefined) return error;
  const left = await userBalance(core.database, row.operatorId, row.userId, row.currency);
  const params = { max: toDecimalString(left, decimalsOf(row.currency)) };
  return new DomainError(
    'insufficient-funds',
    'The user has spent a part of the deposit, so the balance does not cover the refund.',
    { params },
    { cause: error },
  );
}

function depositOf({ operatorId, depositId: id }: RefundRow): Pick<DepositRow, 'operatorId' | 'id'> {
  return { operatorId, id };
}

/** Asks the provider outside any transaction, and books the answer. */
async function requestRefund(core: PaymentsCore, refund: RefundRow): Promise<void> {
  const result = await callProvider(core, refund);
  core.failpoint?.('refund-answered');
  await core.database.transaction(async (transaction) => {
    const deposit = await lockDeposit(transaction, depositOf(refund));
    const now = await findRefund(transaction, refund.operatorId, refund.refundId);
    if (deposit === undefined || now === undefined) throw new Error(`Refund ${refund.id} no longer exists`);
    // A report ended the refund before this answer.
    if (now.state !== 'requested' && now.state !== 'accepted') return;
    const isSent = result.kind === 'accepted' && result.isDone;
    if (isSent) await postRefund(transaction, deposit, now, 'refund');
    else if (result.kind === 'declined') await voidRefund(transaction, deposit, now);
    else return planNextCheck(core, transaction, now, result.kind === 'accepted' ? 'accepted' : now.state);
    // The return of the money may have been reported before the refund ended.
    await depositEvents.wake(transaction, deposit);
  });
  core.failpoint?.('refund-booked');
  core.onChange();
}

async function planNextCheck(
  core: PaymentsCore,
  transaction: Transaction,
  refund: RefundRow,
  state: RefundRow['state'],
): Promise<void> {
  const delay = nextRefundCheckS(refund.checks);
  if (delay === undefined)
    core.logger.error({ refund: refund.id }, 'refund has an unknown outcome after the last check');
  await setRefundState(transaction, refund, state, delay);
}

async function callProvider(core: PaymentsCore, refund: RefundRow): Promise<ProviderRefundResult> {
  const unknown = (code: string): ProviderRefundResult => ({ kind: 'unknown', code });
  const deposit = await core.database.transaction((transaction) => lockDeposit(transaction, depositOf(refund)));
  const provider = deposit && (await providerOf(core, deposit));
  if (provider?.refund === undefined || deposit === undefined || deposit.providerRef === null)
    return unknown('no-provider');
  const { id: refundId, amount: amountMinor, currency } = refund;
  const answer = provider
    .refund({ refundId, depositId: idAtProvider(deposit), providerRef: deposit.providerRef, amountMinor, currency })
    .catch((error: unknown) => {
      core.logger.warn({ refund: refundId, provider: deposit.provider, err: error }, 'provider did not answer');
      return unknown('no-answer');
    });
  return withinTime(core.clock, PROVIDER_MS, answer, () => unknown('timeout'));
}

/** Background work that asks providers again about refunds that have not ended. */
export function reconcileRefunds(core: PaymentsCore): DueWork<RefundRow & { readonly provider: string }> {
  return {
    name: 'refunds',
    idleMs: 1000,
    isByTimeAlone: true,
    isContinuous: true,
    claim(inHand) {
      const taken = placesTaken(inHand.map(({ provider }) => provider));
      return core.database.query({
        name: 'refund-claim',
        text: `with shared as (
            select refund.operator_id, refund.id, coalesce(taken.places, 0)
              + row_number() over (partition by deposit.provider order by refund.check_at) as place
            from refund join deposit on deposit.operator_id = refund.operator_id and deposit.id = refund.deposit_id
              left join unnest($2::text[], $3::int[]) taken(name, places) on taken.name = deposit.provider
            where refund.check_at <= now()
          ), claimed as (
            update refund set check_at = now() + make_interval(secs => $4)
            where (operator_id, id) in (select operator_id, id from refund where check_at <= now()
              and (operator_id, id) in (select operator_id, id from shared where place <= $1) for update skip locked)
            returning ${refundColumns}
          )
          select claimed.*, deposit.provider from claimed
            join deposit on deposit.operator_id = claimed."operatorId" and deposit.id = claimed."depositId"`,
        values: [PLACES_PER_PROVIDER, taken.names, taken.counts, REFUND_LEASE_S],
      });
    },
    handle: (refund) => requestRefund(core, refund),
  };
}

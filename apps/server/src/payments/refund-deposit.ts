/**
 * An operator sends a credited deposit back (SRV-1). In two phases: the amount is held first, so that it cannot be spent twice,
 * and booked when the provider has sent it. What is not known stays held and is asked again.
 */
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { leftOf, ownPayment, type Payment } from '@opencashier/core/payment/aggregate';
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { lockDeposit } from '../deposits/deposit-store.ts';
import { nextRefundCheckS } from '../deposits/reconciliation-schedule.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import { placesTaken } from '../jobs/lanes.ts';
import { withinTime } from '../jobs/within-time.ts';
import { createHold } from '../ledger/holds.ts';
import { FrozenAccountError, InsufficientFundsError, userBalance } from '../ledger/ledger.ts';
import type { PaymentsCore } from '../lifecycle/payments-core.ts';
import { depositEvents } from '../provider-events/deposit-events.ts';
import type { ProviderRefundResult } from '../providers/provider.ts';
import { loadAggregate } from './payment-store.ts';
import {
  findRefund,
  postRefund,
  type RefundCommand,
  type RefundRow,
  refundColumns,
  setRefundState,
  voidRefund,
} from './refund-store.ts';

const PROVIDER_MS = 10_000;
/** Longer than a question: a node that dies in one gives the row back after this. */
const LEASE_S = 30;
/** Questions to one provider at a time, at one node. */
const PLACES_PER_PROVIDER = 10;

/**
 * Holds the whole amount, asks the provider, and answers how the refund stands; a repeat answers how it stands now.
 * @throws DomainError not-found, state-conflict, insufficient-funds (`params.max`), idempotency-conflict
 */
export async function refundDeposit(core: PaymentsCore, command: RefundCommand): Promise<RefundRow> {
  const begun = await core.database
    .transaction((transaction) => begin(core, transaction, command))
    .catch(async (error: unknown) => {
      throw await failureOf(core, command, error);
    });
  core.failpoint?.('refund-begun');
  if (begun.isNew) await ask(core, begun.refund);
  const now = await findRefund(core.database, command.operatorId, command.refundId);
  if (now === undefined) throw new Error('A refund was begun and is gone');
  return now;
}

async function begin(
  core: PaymentsCore,
  transaction: Transaction,
  command: RefundCommand,
): Promise<{ readonly refund: RefundRow; readonly isNew: boolean }> {
  const { operatorId, depositId, refundId } = command;
  const row = await lockDeposit(transaction, depositId);
  if (row === undefined || row.operatorId !== operatorId)
    throw new DomainError('not-found', 'There is no such deposit.');
  const known = await findRefund(transaction, operatorId, refundId);
  if (known !== undefined) {
    if (known.depositId === depositId) return { refund: known, isNew: false };
    throw new DomainError('idempotency-conflict', 'The refundId was used before for another deposit.');
  }
  const payment = await refundablePayment(core, transaction, row);
  const { amount } = payment;
  const [refund] = await transaction.query<RefundRow>({
    name: 'refund-insert',
    text: `insert into refund (operator_id, refund_id, deposit_id, payment_id, origin, amount, currency, reason, staff, state, check_at)
      values ($1, $2, $3, $9, 'operator', $4, $5, $6, $7, 'requested', now() + make_interval(secs => $8))
      on conflict on constraint refund_key_once do nothing returning ${refundColumns}`,
    values: [
      operatorId,
      refundId,
      row.id,
      amount,
      row.currency,
      command.reason ?? null,
      command.staff,
      LEASE_S,
      payment.id,
    ],
  });
  // Of two deposits under one key at the same moment, one comes second.
  if (refund === undefined) {
    throw new DomainError('idempotency-conflict', 'The refundId was used before for another deposit.');
  }
  const { userId, currency: asset } = row;
  const names = { holdId: refund.id, refundId: refund.id, paymentId: payment.id, depositId: row.id };
  await createHold(transaction, { operatorId, ...names, userId, asset, amount });
  return { refund, isNew: true };
}

async function refundablePayment(core: PaymentsCore, transaction: Transaction, row: DepositRow): Promise<Payment> {
  const conflict = (message: string): DomainError => new DomainError('state-conflict', message);
  const aggregate = await loadAggregate(transaction, row);
  const isRefunded = aggregate.refunds.some(({ origin, state }) => origin === 'operator' && state !== 'declined');
  if (isRefunded) throw conflict('The deposit has a refund already.');
  const payment = ownPayment(aggregate);
  if (row.state !== 'credited' || payment === undefined) throw conflict('Only a credited deposit can be refunded.');
  if (row.review !== null) throw conflict('The deposit is under review; decide about that first.');
  if (leftOf(aggregate, payment) < payment.amount) throw conflict('A part of the deposit was taken back already.');
  if (row.box !== null) throw conflict('A coin box is not sent back.');
  if (row.providerRef === null || core.providers.get(row.provider)?.refund === undefined) {
    throw conflict('The provider of this deposit cannot refund.');
  }
  return payment;
}

async function failureOf(core: PaymentsCore, command: RefundCommand, error: unknown): Promise<unknown> {
  if (error instanceof FrozenAccountError) {
    return new DomainError('state-conflict', 'The account is frozen.', {}, { cause: error });
  }
  if (!(error instanceof InsufficientFundsError)) return error;
  const row = await core.database.transaction((transaction) => lockDeposit(transaction, command.depositId));
  if (row === undefined) return error;
  const left = await userBalance(core.database, row.operatorId, row.userId, row.currency);
  const params = { max: toDecimalString(left, decimalsOf(row.currency)) };
  return new DomainError('insufficient-funds', 'The user has spent of it.', { params }, { cause: error });
}

/** Asks the provider, outside any transaction, and books what it says. */
async function ask(core: PaymentsCore, refund: RefundRow): Promise<void> {
  const result = await answerOf(core, refund);
  core.failpoint?.('refund-answered');
  await core.database.transaction(async (transaction) => {
    const deposit = await lockDeposit(transaction, refund.depositId);
    const now = await findRefund(transaction, refund.operatorId, refund.refundId);
    if (deposit === undefined || now === undefined) throw new Error(`Refund ${refund.id} is gone`);
    // A report was faster, and ended it.
    if (now.state !== 'requested' && now.state !== 'accepted') return;
    const isSent = result.kind === 'accepted' && result.isDone;
    if (isSent) await postRefund(transaction, deposit, now, 'refund');
    else if (result.kind === 'declined') await voidRefund(transaction, deposit, now);
    else return waitOn(core, transaction, now, result.kind === 'accepted' ? 'accepted' : now.state);
    // That the money came back may have been told before the refund had ended.
    await depositEvents.wake(transaction, deposit);
  });
  core.failpoint?.('refund-booked');
  core.onChange();
}

async function waitOn(
  core: PaymentsCore,
  transaction: Transaction,
  refund: RefundRow,
  state: RefundRow['state'],
): Promise<void> {
  const delay = nextRefundCheckS(refund.checks);
  if (delay === undefined) core.logger.error({ refund: refund.id }, 'nobody knows what became of a refund');
  await setRefundState(transaction, refund, state, delay);
}

async function answerOf(core: PaymentsCore, refund: RefundRow): Promise<ProviderRefundResult> {
  const unknown = (code: string): ProviderRefundResult => ({ kind: 'unknown', code });
  const deposit = await core.database.transaction((transaction) => lockDeposit(transaction, refund.depositId));
  const provider = deposit && core.providers.get(deposit.provider);
  if (provider?.refund === undefined || deposit === undefined || deposit.providerRef === null)
    return unknown('no-provider');
  const { id: refundId, depositId, amount: amountMinor, currency } = refund;
  const answer = provider
    .refund({ refundId, depositId, providerRef: deposit.providerRef, amountMinor, currency })
    .catch((error: unknown) => {
      core.logger.warn({ refund: refundId, provider: deposit.provider, err: error }, 'provider did not answer');
      return unknown('no-answer');
    });
  return withinTime(core.clock, PROVIDER_MS, answer, () => unknown('timeout'));
}

/** Asks again about refunds whose end nobody has said yet. */
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
            select refund.id, coalesce(taken.places, 0)
              + row_number() over (partition by deposit.provider order by refund.check_at) as place
            from refund join deposit on deposit.id = refund.deposit_id
              left join unnest($2::text[], $3::int[]) taken(name, places) on taken.name = deposit.provider
            where refund.check_at <= now()
          ), claimed as (
            update refund set check_at = now() + make_interval(secs => $4)
            where id in (select id from refund where check_at <= now()
              and id in (select id from shared where place <= $1) for update skip locked)
            returning ${refundColumns}
          )
          select claimed.*, deposit.provider from claimed join deposit on deposit.id = claimed."depositId"`,
        values: [PLACES_PER_PROVIDER, taken.names, taken.counts, LEASE_S],
      });
    },
    handle: (refund) => ask(core, refund),
  };
}

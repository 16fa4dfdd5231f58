/** The rules of a refund before the provider is asked: whether it is possible, and the hold of its amount (SRV-1). */
import { leftOf, ownPayment, type Payment } from '@opencashier/core/payment/aggregate';
import type { Transaction } from '../database/database.ts';
import { type DepositRow, paidFee } from '../deposits/deposit-row.ts';
import { DomainError } from '../errors/domain-error.ts';
import { createHold } from '../ledger/holds.ts';
import { measure } from '../observability/measure.ts';
import { bringBack } from '../operator-wallet/wallet-money.ts';
import { canRefund } from '../payment-ports/connected-providers.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { loadAggregate } from './payment-store.ts';
import { type RefundCommand, type RefundRow, refundColumns } from './refund-store.ts';

/** Longer than a provider call. When a node dies during the call, another node continues after this time. */
export const REFUND_LEASE_S = 30;

/** Stores the refund with the hold of its amount. The user's account must have the amount. */
export async function holdRefund(
  transaction: Transaction,
  row: DepositRow,
  command: RefundCommand,
  payment: Payment,
): Promise<RefundRow> {
  const { operatorId, refundId } = command;
  const { amount } = payment;
  const { userId, currency: asset } = row;
  const feeBack = paidFee(row);
  const rest = amount - feeBack;
  await bringBack(transaction, {
    operatorId,
    userId,
    currency: asset,
    amount: rest,
    reason: 'refund',
    depositId: row.id,
  });
  const [refund] = await transaction.query<RefundRow>({
    name: 'refund-insert',
    text: `insert into refund (operator_id, refund_id, deposit_id, payment_id, origin, amount, currency, reason, staff, state, check_at, key_id)
      values ($1, $2, $3, $9, 'operator', $4, $5, $6, $7, 'requested', now() + make_interval(secs => $8), $10)
      on conflict on constraint refund_key_once do nothing returning ${refundColumns}`,
    values: [
      operatorId,
      refundId,
      row.id,
      amount,
      row.currency,
      command.reason ?? null,
      command.staff,
      REFUND_LEASE_S,
      payment.id,
      command.keyId ?? null,
    ],
  });
  // Two requests used one key for two deposits at the same moment. The other request came first.
  if (refund === undefined) throw usedForAnother();
  const names = { holdId: refund.id, refundId: refund.id, paymentId: payment.id, depositId: row.id };
  // A refund gives the fee back, too: the user has only the rest.
  await createHold(transaction, { operatorId, ...names, userId, asset, amount, feeBack });
  measure(transaction, 'refunds', { provider: row.provider, state: 'requested' });
  return refund;
}

/** The refusal of a `refundId` that belongs to another deposit. */
export function usedForAnother(): DomainError {
  return new DomainError('idempotency-conflict', 'The refundId was already used for another deposit.');
}

/**
 * The payment that a refund would send back.
 * @throws DomainError state-conflict
 */
export async function refundablePayment(
  core: Pick<PaymentsCore, 'providers' | 'connections'>,
  transaction: Transaction,
  row: DepositRow,
): Promise<Payment> {
  const conflict = (message: string): DomainError => new DomainError('state-conflict', message);
  const aggregate = await loadAggregate(transaction, row);
  const isRefunded = aggregate.refunds.some(({ origin, state }) => origin === 'operator' && state !== 'declined');
  if (isRefunded) throw conflict('The deposit was already refunded.');
  const payment = ownPayment(aggregate);
  if (row.state !== 'credited' || payment === undefined) throw conflict('Only a credited deposit can be refunded.');
  if (row.review !== null) throw conflict('The deposit is under review. Decide the review first.');
  if (leftOf(aggregate, payment) < payment.amount)
    throw conflict('A part of the deposit was taken back or paid out already.');
  if (row.box !== null) throw conflict('A coin box is not sent back.');
  if (row.providerRef === null || !canRefund(core, row)) {
    throw conflict('The provider of this deposit does not support refunds.');
  }
  return payment;
}

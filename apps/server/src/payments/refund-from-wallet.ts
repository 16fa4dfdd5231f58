/**
 * Refunds where the operator's own wallet keeps the balance: the wallet gives the amount first. Without the amount nothing is sent, so a
 * refund never takes more than the user has.
 */
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { type DebitPurpose, effectsOfDebit } from '@opencashier/core/operator-wallet/wallet-effects';
import type { Payment } from '@opencashier/core/payment/aggregate';
import type { Transaction } from '../database/database.ts';
import { type DepositRow, paidFee } from '../deposits/deposit-row.ts';
import { depositHookData, lockDeposit } from '../deposits/deposit-store.ts';
import { DomainError } from '../errors/domain-error.ts';
import { FrozenAccountError, lockUserBalance } from '../ledger/ledger.ts';
import { newestRefundDebit, refundDebitOf } from '../operator-wallet/wallet-debits.ts';
import { walletModeOf } from '../operator-wallet/wallet-mode.ts';
import { passOn, takeIn } from '../operator-wallet/wallet-money.ts';
import {
  insertWalletCall,
  readWalletCall,
  WALLET_LEASE_S,
  type WalletCallKey,
  type WalletCallRow,
} from '../operator-wallet/wallet-store.ts';
import { queueWebhook } from '../outbox/queue-webhook.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { holdRefund, refundablePayment, usedForAnother } from './begin-refund.ts';
import { findRefund, type RefundAnswer, type RefundCommand, type RefundRow } from './refund-store.ts';

/** A refund whose amount the wallet was asked for. */
export interface AskedRefund {
  readonly debit: WalletCallKey;
  /** True: this request stored the call, and asks now. */
  readonly isNew: boolean;
  /** Minor units; the whole credited amount. The debit is without the fee. */
  readonly amount: bigint;
}

/** What staff asked for, as the debit keeps it. */
type KeptCommand = Pick<RefundCommand, 'refundId' | 'staff' | 'reason' | 'keyId'>;

/**
 * The debit for a refund, stored now or by an earlier request. Undefined: the ledger has the amount, or all of it was the fee.
 * @throws DomainError state-conflict if the wallet is asked for another refund of the deposit; FrozenAccountError
 */
export async function askedRefund(
  transaction: Transaction,
  row: DepositRow,
  command: RefundCommand,
  payment: Payment,
): Promise<AskedRefund | undefined> {
  const { operatorId, id: depositId, userId } = row;
  if ((await walletModeOf(transaction, operatorId)) !== 'operator') return undefined;
  // The wallet got the payment without the fee, which the refund gives back.
  const { amount } = payment;
  const given = amount - paidFee(row);
  if (given === 0n) return undefined;
  const debit = await refundDebitOf(transaction, command);
  if (debit !== undefined) return { debit, isNew: false, amount };
  const newest = await newestRefundDebit(transaction, { operatorId, depositId });
  if (newest?.state === 'waiting') {
    throw new DomainError('state-conflict', 'The wallet is being asked for another refund of this deposit.');
  }
  const { isFrozen } = await lockUserBalance(transaction, operatorId, userId, payment.asset);
  if (isFrozen) throw new FrozenAccountError('The account is frozen');
  const { refundId, staff, reason, keyId } = command;
  const request: KeptCommand = { refundId, staff, reason, keyId };
  const move = { operatorId, userId, currency: payment.asset, amount: given, depositId };
  const call = { ...move, type: 'debit', reason: 'refund', request } as const;
  const id = await insertWalletCall(transaction, call, { leasedS: WALLET_LEASE_S });
  return { debit: { operatorId, id }, isNew: true, amount };
}

/**
 * Asks the wallet for the amount, and continues the refund.
 * @param request asks the provider for the refund
 * @throws DomainError insufficient-funds (`params.max`), state-conflict
 */
export async function refundFromWallet(
  core: PaymentsCore,
  { operatorId, refundId, depositId }: RefundCommand,
  { debit, isNew, amount }: AskedRefund,
  request: (refund: RefundRow) => Promise<void>,
): Promise<RefundAnswer> {
  if (isNew) await core.askWallet(debit);
  // Read before the refund: one transaction ends the debit and stores the refund. In the other order, a refund that another process begins
  // between the two reads would look like one that was given up.
  const now = await readWalletCall(core.database, debit);
  const begun = await findRefund(core.database, operatorId, refundId);
  if (begun !== undefined) {
    // Another request used the refundId for another deposit meanwhile. The amount of this one goes back.
    if (begun.depositId !== depositId) throw usedForAnother();
    if (isNew) await request(begun);
    return (await findRefund(core.database, operatorId, refundId)) ?? begun;
  }
  if (now.state === 'done') {
    throw new DomainError(
      'state-conflict',
      'The deposit can no longer be refunded. The amount goes back to the wallet.',
    );
  }
  if (now.state === 'declined') throw declined(now);
  const { currency, createdAt } = now;
  return {
    refundId,
    depositId,
    amount,
    currency,
    createdAt,
    state: 'requested',
    staff: commandOf(now).staff,
  };
}

function declined({ code, balance, currency }: WalletCallRow): DomainError {
  if (code !== 'insufficient-funds')
    return new DomainError('state-conflict', `The operator's wallet declined the debit for the refund: ${code}`);
  const params = balance === null ? undefined : { params: { max: toDecimalString(balance, decimalsOf(currency)) } };
  return new DomainError('insufficient-funds', 'The wallet does not cover the refund.', params);
}

function commandOf({ request }: WalletCallRow): KeptCommand {
  return request as KeptCommand;
}

/** A refund that a debit was asked for, under the lock of its deposit. */
export interface RefundToPay {
  readonly deposit: DepositRow;
  readonly purpose: DebitPurpose;
  readonly payment: Payment | undefined;
}

/**
 * Locks the deposit of a debit. It is `blocked` if the deposit can no longer be refunded, for example after a chargeback.
 * @param mayGoOn false: the refund could not be stored, so its amount goes back
 */
export async function lockRefundToPay(
  core: Pick<PaymentsCore, 'providers' | 'connections'>,
  transaction: Transaction,
  { operatorId, depositId, userId, currency }: WalletCallRow,
  mayGoOn: boolean,
): Promise<RefundToPay> {
  const deposit = await lockDeposit(transaction, { operatorId, id: depositId ?? '' });
  if (deposit === undefined) throw new Error(`Deposit ${depositId} no longer exists`);
  const { isFrozen } = await lockUserBalance(transaction, operatorId, userId, currency);
  if (isFrozen || !mayGoOn) return { deposit, purpose: 'blocked', payment: undefined };
  try {
    return { deposit, purpose: 'waiting', payment: await refundablePayment(core, transaction, deposit) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { deposit, purpose: 'blocked', payment: undefined };
  }
}

/** Books the certain outcome of a debit for a refund. */
export async function bookRefundDebit(
  transaction: Transaction,
  call: WalletCallRow,
  outcome: 'done' | 'declined',
  { deposit, purpose, payment }: RefundToPay,
): Promise<void> {
  const { operatorId, userId, currency, amount, depositId } = call;
  const command = { ...commandOf(call), operatorId, depositId: deposit.id };
  for (const effect of effectsOfDebit(outcome, purpose)) {
    if (effect === 'take-in') await takeIn(transaction, call);
    if (effect === 'go-on' && payment !== undefined) await holdRefund(transaction, deposit, command, payment);
    if (effect === 'give-back') {
      const back = { operatorId, userId, currency, amount, reason: 'refund', debitId: call.id } as const;
      await passOn(transaction, { ...back, ...(depositId !== null && { depositId }) });
    }
    if (effect === 'refuse') {
      await queueWebhook(transaction, {
        operatorId,
        type: 'deposit.refund_declined',
        at: deposit.serverTime.toISOString(),
        data: { ...depositHookData(deposit), refundId: command.refundId },
      });
    }
  }
}

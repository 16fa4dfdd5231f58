/** Books the certain outcome of a call to an operator's wallet, once, with what goes on after it (SRV-2, WD-2). */
import { effectsOfCredit } from '@opencashier/core/operator-wallet/wallet-effects';
import type { Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { FrozenAccountError } from '../ledger/ledger.ts';
import { bookDebtDebit } from '../operator-wallet/wallet-debts.ts';
import { settleTransit } from '../operator-wallet/wallet-money.ts';
import {
  endWalletCall,
  type KnownAnswer,
  lockWalletCall,
  type WalletCallRow,
} from '../operator-wallet/wallet-store.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { bookRefundDebit, lockRefundToPay } from '../payments/refund-from-wallet.ts';
import { bookWithdrawalDebit, lockWithdrawalToHold } from '../withdrawals/wallet-withdrawal.ts';

type SettleCore = Pick<PaymentsCore, 'database' | 'providers' | 'connections' | 'secret' | 'logger' | 'failpoint'>;

/**
 * Books an outcome. An outcome that was booked before changes nothing: the wallet gives a repeat the first answer.
 * @param asked the call as it was sent
 */
export async function settleCall(core: SettleCore, asked: WalletCallRow, answer: KnownAnswer): Promise<void> {
  try {
    await settleOnce(core, asked, answer, true);
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof FrozenAccountError)) throw error;
    // What the debit was for cannot go on. The transaction stored nothing, and the amount goes back.
    core.logger.warn({ operator: asked.operatorId, call: asked.id, err: error }, 'a debit of a wallet came too late');
    await settleOnce(core, asked, answer, false);
  }
}

async function settleOnce(
  core: SettleCore,
  asked: WalletCallRow,
  answer: KnownAnswer,
  mayGoOn: boolean,
): Promise<void> {
  await core.database.transaction(async (transaction) => {
    // The payment is locked before its call, as by everything else that changes the payment.
    const book = await lockPurpose(core, transaction, asked, mayGoOn);
    const call = await lockWalletCall(transaction, asked);
    if (call.state !== 'waiting') return;
    await endWalletCall(transaction, call, answer);
    await book(call, answer);
    core.failpoint?.('wallet-uncommitted');
  });
}

type Book = (call: WalletCallRow, answer: KnownAnswer) => Promise<void>;

async function lockPurpose(
  core: SettleCore,
  transaction: Transaction,
  asked: WalletCallRow,
  mayGoOn: boolean,
): Promise<Book> {
  if (asked.type !== 'debit') {
    return async (call, { kind }) => {
      if (effectsOfCredit(kind).includes('settle')) return settleTransit(transaction, call);
      throw new Error(`A ${call.type} was declined`);
    };
  }
  if (asked.reason === 'withdrawal') {
    const purpose = await lockWithdrawalToHold(transaction, asked, mayGoOn);
    return (call, answer) => bookWithdrawalDebit(core, transaction, call, answer, purpose);
  }
  if (asked.reason === 'refund') {
    const refund = await lockRefundToPay(core, transaction, asked, mayGoOn);
    return (call, { kind }) => bookRefundDebit(transaction, call, kind, refund);
  }
  return (call, answer) => bookDebtDebit(transaction, call, answer);
}

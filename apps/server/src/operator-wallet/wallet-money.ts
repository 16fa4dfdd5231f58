/**
 * Books what moves between the ledger and the operator's own wallet. The user's account here is only a step on the way: it is empty
 * before and after each transaction, so nothing can be spent twice (SRV-2).
 */
import type { WalletCreditReason, WalletReason, WalletReleaseReason } from '@opencashier/contract/operator';
import type { Transaction } from '../database/database.ts';
import { type PostingLine, postJournal } from '../ledger/ledger.ts';
import type { UserAccountKind } from '../ledger/user-accounts.ts';
import { isKeptByWallets, walletModeOf } from './wallet-mode.ts';
import { insertWalletCall, type NewWalletCall, type WalletCallRow } from './wallet-store.ts';

const SOURCE = 'operator-wallet';

/** Money that a transaction has just given to a user's account. */
export interface PassedOn extends Pick<NewWalletCall, 'operatorId' | 'userId' | 'currency' | 'amount'> {
  readonly reason: WalletCreditReason | WalletReleaseReason;
  readonly depositId?: string;
  readonly withdrawalId?: string;
  /** Of a release: the debit whose amount goes back. */
  readonly debitId?: string;
  /** The account that got the money. Default: `user`. */
  readonly account?: UserAccountKind;
}

/**
 * Passes money on to the operator, in the transaction that gave it to the user. Nothing happens if the ledger keeps the balance. If the
 * operator's wallet keeps it, the money is in transit until the wallet has answered.
 */
export async function passOn(transaction: Transaction, money: PassedOn): Promise<void> {
  const { operatorId, userId, currency, amount, debitId, account = 'user', ...why } = money;
  if (amount <= 0n || !isKeptByWallets(currency)) return;
  const mode = await walletModeOf(transaction, operatorId);
  if (mode === 'cashier') return;
  const isAsked = mode === 'operator';
  const call: NewWalletCall = {
    operatorId,
    userId,
    currency,
    amount,
    type: debitId === undefined ? 'credit' : 'release',
    ...why,
    ...(debitId !== undefined && { debitId }),
  };
  const id = await insertWalletCall(transaction, call, isAsked ? { leasedS: 0 } : 'booked');
  await bookMove(transaction, { ...call, id }, 'wallet_out', [
    { owner: userId, asset: currency, kind: account, amount: -amount },
    isAsked
      ? { owner: userId, asset: currency, kind: 'wallet_transit', amount }
      : { owner: '', asset: currency, kind: 'operator_clearing', amount },
  ]);
}

/** The wallet has the amount in transit: nobody owes it to the user here any more. */
export async function settleTransit(transaction: Transaction, call: WalletCallRow): Promise<void> {
  const { userId, currency: asset, amount } = call;
  await bookMove(transaction, call, 'wallet_settled', [
    { owner: userId, asset, kind: 'wallet_transit', amount: -amount },
    { owner: '', asset, kind: 'operator_clearing', amount },
  ]);
}

/**
 * The wallet gave the amount of a debit: the operator owes it, and the user has it here for the rest of the transaction.
 * @param account the account that gets the amount
 */
export async function takeIn(
  transaction: Transaction,
  call: Pick<WalletCallRow, 'operatorId' | 'id' | 'userId' | 'currency' | 'amount'>,
  account: UserAccountKind = 'user',
): Promise<void> {
  const { userId, currency: asset, amount } = call;
  await bookMove(transaction, call, 'wallet_in', [
    { owner: '', asset, kind: 'operator_clearing', amount: -amount },
    { owner: userId, asset, kind: account, amount },
  ]);
}

/** Money that left, or leaves now, and that the operator has got before. */
interface BroughtBack extends Pick<NewWalletCall, 'operatorId' | 'userId' | 'currency' | 'amount'> {
  readonly reason: Extract<WalletReason, 'refund' | 'chargeback' | 'late-payout'>;
  readonly depositId?: string;
  readonly withdrawalId?: string;
  /** The account that pays next. Default: `user`. */
  readonly account?: UserAccountKind;
}

/**
 * Brings money back from an operator that only passes deposits through, because a provider takes it or has paid it out. Nothing happens
 * in the other modes.
 */
export async function bringBack(transaction: Transaction, { account, ...money }: BroughtBack): Promise<void> {
  const { operatorId, currency, amount } = money;
  if (amount <= 0n || !isKeptByWallets(currency)) return;
  if ((await walletModeOf(transaction, operatorId)) !== 'pass-through') return;
  const call: NewWalletCall = { ...money, type: 'debit' };
  await takeIn(transaction, { ...call, id: await insertWalletCall(transaction, call, 'booked') }, account);
}

async function bookMove(
  transaction: Transaction,
  { operatorId, id }: Pick<WalletCallRow, 'operatorId' | 'id'>,
  kind: 'wallet_out' | 'wallet_settled' | 'wallet_in',
  lines: readonly PostingLine[],
): Promise<void> {
  const result = await postJournal(transaction, { operatorId, kind, source: SOURCE, ref: id, lines });
  if (result === 'duplicate') throw new Error(`Call ${id} to a wallet was booked before: ${kind}`);
}

/** Transfers by an operator: between a user's two accounts, or between one of them and the operator; and the end of bonus money (WD-1). */
import type { TransferAccount, TransferRequest, TransferResponse } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import type { Database, Transaction } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import {
  type AccountKind,
  accountBalance,
  InsufficientFundsError,
  lockUserBalance,
  type PostingLine,
  postJournal,
} from '../../ledger/ledger.ts';
import { userAccountKinds } from '../../ledger/user-accounts.ts';
import { walletModeOf } from '../../operator-wallet/wallet-mode.ts';

/** The largest transfer, in minor units: far above any amount, and well within a balance. */
const MOST_MINOR = 10n ** 16n;

const KINDS: Readonly<Record<TransferAccount, AccountKind>> = {
  ...userAccountKinds,
  operator: 'operator_clearing',
  bonus: 'bonus',
};

interface TransferRow {
  readonly user_id: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly from_account: TransferAccount;
  readonly to_account: TransferAccount;
  readonly created_at: Date;
}

/**
 * Moves money once per `transferId`. A repeat gets the same answer with the current balances.
 * @throws DomainError invalid-request, insufficient-funds (`params.max`), state-conflict for a frozen account,
 *   idempotency-conflict
 */
export async function transferFunds(
  database: Database,
  operatorId: string,
  userId: string,
  request: TransferRequest,
): Promise<TransferResponse> {
  const amount = minorOf(request);
  const row = await database
    .transaction((transaction) => transferOnce(transaction, operatorId, userId, request, amount))
    .catch(async (error: unknown) => {
      throw error instanceof InsufficientFundsError ? await insufficient(database, operatorId, userId, request) : error;
    });
  const isSame =
    row.user_id === userId &&
    row.currency === request.currency &&
    row.amount === amount &&
    row.from_account === request.from &&
    row.to_account === request.to;
  if (!isSame) throw new DomainError('idempotency-conflict', 'The transferId was already used for another transfer.');
  const balanceOf = async (account: 'main' | 'additional'): Promise<string> =>
    written(await accountBalance(database, operatorId, nameOf(account, userId, row.currency)), row.currency);
  return {
    transferId: request.transferId,
    userId,
    currency: row.currency,
    amount: written(row.amount, row.currency),
    from: row.from_account,
    to: row.to_account,
    created: row.created_at.toISOString(),
    balances: { main: await balanceOf('main'), additional: await balanceOf('additional') },
  };
}

async function transferOnce(
  transaction: Transaction,
  operatorId: string,
  userId: string,
  request: TransferRequest,
  amount: bigint,
): Promise<TransferRow> {
  const { transferId, currency, from, to } = request;
  const [taken] = await transaction.query<TransferRow>({
    name: 'operator-transfer-insert',
    text: `insert into operator_transfer (operator_id, transfer_id, user_id, currency, amount, from_account, to_account)
      values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing
      returning user_id, currency, amount, from_account, to_account, created_at`,
    values: [operatorId, transferId, userId, currency, amount, from, to],
  });
  if (taken === undefined) return knownTransfer(transaction, operatorId, transferId);
  await requireBalancesHere(transaction, operatorId);
  if (from !== 'operator') await requireFree(transaction, operatorId, userId, request);
  const gets = nameOf(to, userId, currency);
  const lines: PostingLine[] = [
    { ...nameOf(from, userId, currency), amount: -amount },
    // Bonus money is no money that the operator could get: what it takes over was only a cost here.
    { ...gets, ...(from === 'bonus' && to === 'operator' && { kind: 'bonus_expense' as const }), amount },
  ];
  const fact = { operatorId, kind: 'operator_transfer', source: `operator:${operatorId}`, ref: transferId };
  const result = await postJournal(transaction, { ...fact, note: `${from} to ${to}`, lines });
  if (result === 'duplicate') throw new Error(`Transfer ${transferId} was booked without its row`);
  return taken;
}

/** A transfer beside the calls to a wallet could give a user the same money twice. */
async function requireBalancesHere(transaction: Transaction, operatorId: string): Promise<void> {
  const mode = await walletModeOf(transaction, operatorId);
  if (mode === 'cashier') return;
  const message =
    mode === 'operator'
      ? 'Your wallet keeps the balances: money moves only by the calls to it.'
      : 'Your system keeps the balances: deposits go on to you by themselves.';
  throw new DomainError('state-conflict', message, { params: { walletMode: mode } });
}

async function knownTransfer(transaction: Transaction, operatorId: string, transferId: string): Promise<TransferRow> {
  const [known] = await transaction.query<TransferRow>({
    name: 'operator-transfer-known',
    text: `select user_id, currency, amount, from_account, to_account, created_at from operator_transfer
      where operator_id = $1 and transfer_id = $2`,
    values: [operatorId, transferId],
  });
  if (known === undefined) throw new Error('A transfer was stored but not found');
  return known;
}

/**
 * A debt freezes the main account, and then the additional account may not be debited either. The accounts are locked in the same order
 * as for a new hold, so that the two cannot block each other.
 */
async function requireFree(
  transaction: Transaction,
  operatorId: string,
  userId: string,
  { currency, from }: TransferRequest,
): Promise<void> {
  const main = await lockUserBalance(transaction, operatorId, userId, currency);
  const own = from === 'main' ? main : await lockUserBalance(transaction, operatorId, userId, currency, KINDS[from]);
  if (main.isFrozen || own.isFrozen) throw new DomainError('state-conflict', 'The account is frozen.');
}

async function insufficient(
  database: Database,
  operatorId: string,
  userId: string,
  { currency, from }: TransferRequest,
): Promise<DomainError> {
  const left = await accountBalance(database, operatorId, nameOf(from, userId, currency));
  return new DomainError('insufficient-funds', 'The balance does not cover the amount.', {
    params: { max: written(left, currency) },
  });
}

function nameOf(account: TransferAccount, userId: string, asset: string) {
  return { owner: account === 'operator' ? '' : userId, asset, kind: KINDS[account] };
}

function minorOf({ amount, currency }: TransferRequest): bigint {
  const bad = (path: string, message: string): DomainError =>
    new DomainError('invalid-request', 'The transfer cannot be made.', { fields: [{ path, message }] });
  const known = findCurrency(currency);
  if (!known) throw bad('currency', 'The currency is unknown.');
  // A user has one account of sweepstake coins. Only grants and plays move them.
  if (known.kind === 'sweepstake') throw bad('currency', 'These accounts do not hold this currency.');
  const parsed = parseDecimal(amount, decimalsOf(currency));
  if (!parsed.ok || parsed.minor <= 0n || parsed.minor > MOST_MINOR)
    throw bad('amount', 'Give an amount of the currency, such as 10.00.');
  return parsed.minor;
}

function written(minor: bigint, currency: string): string {
  return toDecimalString(minor, decimalsOf(currency));
}

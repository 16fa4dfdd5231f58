/**
 * Withdrawals where the operator's own wallet keeps the balance (WD-2). The request is committed first, as `checking`. Then the wallet is
 * asked for the amount, and only with its "yes" the amount comes here and is held, in one transaction.
 */
import type { ConfirmationChannel } from '@opencashier/contract/api';
import type { WalletMode } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { type DebitPurpose, effectsOfDebit } from '@opencashier/core/operator-wallet/wallet-effects';
import { declineMessage } from '@opencashier/core/withdrawal/decline-message';
import { requestCode } from '../confirmation-codes/confirmation-code.ts';
import type { Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { withdrawalDebitOf } from '../operator-wallet/wallet-debits.ts';
import { isKeptByWallets } from '../operator-wallet/wallet-mode.ts';
import { passOn, takeIn } from '../operator-wallet/wallet-money.ts';
import {
  insertWalletCall,
  type KnownAnswer,
  WALLET_LEASE_S,
  type WalletCallRow,
} from '../operator-wallet/wallet-store.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import type { StoredFailure } from '../payment-ports/provider-failure.ts';
import { type WithdrawalRow, withdrawalHookData } from './withdrawal-row.ts';
import { HOLD_LIFETIME_S } from './withdrawal-schedule.ts';
import {
  findWithdrawal,
  holdAmount,
  isAccountFrozen,
  lockWithdrawal,
  moneyOf,
  moveWithdrawal,
} from './withdrawal-store.ts';

/**
 * Refuses what an operator's mode does not allow. An operator that only passes deposits through pays no money out here. A wallet of an
 * operator has one balance, so a withdrawal there leaves the main account. Coins are in the ledger in every mode, so the mode does not
 * matter for a redemption.
 * @throws DomainError method-unavailable, invalid-request
 */
export function requireMode(
  mode: WalletMode,
  { accountType, currency }: { readonly accountType: string; readonly currency: string },
): void {
  if (!isKeptByWallets(currency)) return;
  if (mode === 'pass-through') {
    throw new DomainError(
      'method-unavailable',
      "This operator only takes deposits here. Withdrawals are made in the operator's own system.",
    );
  }
  if (mode !== 'operator' || accountType === 'main') return;
  const fields = [{ path: 'accountType', message: "The operator's wallet has one balance. Expected main." }];
  throw new DomainError('invalid-request', 'The withdrawal cannot leave this account.', { fields });
}

/** Stores the call that asks the wallet for the amount. A frozen account is refused before the wallet is asked. */
export async function askForAmount(transaction: Transaction, row: WithdrawalRow): Promise<void> {
  if (await isAccountFrozen(transaction, row)) {
    throw new DomainError('method-unavailable', 'The account is frozen, so no withdrawal is possible');
  }
  const { operatorId, userId, currency, amount, id: withdrawalId } = row;
  const move = { operatorId, userId, currency, amount, withdrawalId };
  await insertWalletCall(transaction, { ...move, type: 'debit', reason: 'withdrawal' }, { leasedS: WALLET_LEASE_S });
}

/** Asks the wallet for the amount of a withdrawal that was just stored; other withdrawals stay as they are. */
export async function askedWithdrawal(core: PaymentsCore, row: WithdrawalRow): Promise<WithdrawalRow> {
  if (row.state !== 'checking') return row;
  const debit = await withdrawalDebitOf(core.database, row);
  if (debit === undefined) throw new Error(`Withdrawal ${row.id} is checked without a call to the wallet`);
  await core.askWallet(debit);
  const now = await findWithdrawal(core.database, row);
  if (now === undefined) throw new Error(`Withdrawal ${row.id} no longer exists`);
  return now;
}

/** A withdrawal that a debit was asked for, under its lock. */
export interface WithdrawalToHold {
  readonly row: WithdrawalRow;
  readonly purpose: DebitPurpose;
}

/**
 * Locks the withdrawal of a debit.
 * @param mayGoOn false: the amount could not be held, so it goes back
 */
export async function lockWithdrawalToHold(
  transaction: Transaction,
  { operatorId, withdrawalId }: WalletCallRow,
  mayGoOn: boolean,
): Promise<WithdrawalToHold> {
  const row = await lockWithdrawal(transaction, { operatorId, id: withdrawalId ?? '' });
  if (row.state !== 'checking') return { row, purpose: 'over' };
  const isBlocked = !mayGoOn || row.isOverdue || (await isAccountFrozen(transaction, row));
  return { row, purpose: isBlocked ? 'blocked' : 'waiting' };
}

/** Books the certain outcome of a debit for a withdrawal. */
export async function bookWithdrawalDebit(
  core: Pick<PaymentsCore, 'secret'>,
  transaction: Transaction,
  call: WalletCallRow,
  answer: KnownAnswer,
  { row, purpose }: WithdrawalToHold,
): Promise<void> {
  for (const effect of effectsOfDebit(answer.kind, purpose)) {
    if (effect === 'take-in') await takeIn(transaction, call);
    if (effect === 'go-on') await holdTaken(core, transaction, row);
    if (effect === 'give-back') {
      await passOn(transaction, { ...moneyOf(row), account: 'user', reason: 'withdrawal', debitId: call.id });
    }
    if (effect === 'refuse') {
      await moveWithdrawal(transaction, row, {
        to: 'refused',
        cause: 'wallet',
        reason: 'withdrawal.reason.unapproved',
        failure: failureOf(answer, call),
      });
    }
  }
}

/** Holds the amount that the wallet gave, and gives the user the whole time to confirm. */
async function holdTaken(
  core: Pick<PaymentsCore, 'secret'>,
  transaction: Transaction,
  row: WithdrawalRow,
): Promise<void> {
  await holdAmount(transaction, row);
  await transaction.query({
    name: 'withdrawal-confirm-time',
    text: `update withdrawal set expires_at = now() + make_interval(secs => $3) where operator_id = $1 and id = $2`,
    values: [row.operatorId, row.id, HOLD_LIFETIME_S],
  });
  const held = await moveWithdrawal(transaction, row, { to: 'held', cause: 'wallet' });
  const channel: ConfirmationChannel | undefined = row.request.codeChannel;
  if (channel !== undefined) await requestCode(core, transaction, held, channel, withdrawalHookData(held));
}

/** Codes whose message is for the user. */
const WITH_MESSAGE: ReadonlySet<string> = new Set(['blocked', 'limit', 'other']);

/** What a repeat of the create call is told. */
function failureOf(answer: KnownAnswer, { currency }: WalletCallRow): StoredFailure {
  if (answer.kind === 'done') {
    return {
      code: 'method-unavailable',
      message: 'The withdrawal could not be held. The amount goes back to the wallet.',
    };
  }
  const { code, balance } = answer;
  if (code === 'insufficient-funds') {
    const params = balance === undefined ? undefined : { max: toDecimalString(balance, decimalsOf(currency)) };
    return { code, message: 'The balance does not cover the amount', ...(params && { params }) };
  }
  const message = WITH_MESSAGE.has(code) ? declineMessage(answer.message) : undefined;
  if (message !== undefined) return { code: 'banking.merchantClientError', message };
  return { code: 'method-unavailable', message: `The operator's wallet declined the withdrawal: ${code}` };
}

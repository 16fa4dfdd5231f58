/**
 * Debts where the operator's own wallet keeps the balance (SRV-2). The money has left, so the user owes the amount here until the wallet
 * has given it. What the wallet declines stays a debt, about which staff decide.
 */
import { ruleNamePrefix, type WalletDebitReason } from '@opencashier/contract/operator';
import { payDebtFirst } from '@opencashier/core/money/debt';
import { effectsOfDebit } from '@opencashier/core/operator-wallet/wallet-effects';
import type { Transaction } from '../database/database.ts';
import { accountBalance, lockUserBalance, postJournal, unfreezeUser } from '../ledger/ledger.ts';
import { isKeptByWallets, walletModeOf } from './wallet-mode.ts';
import { passOn, takeIn } from './wallet-money.ts';
import {
  insertWalletCall,
  type KnownAnswer,
  type NewWalletCall,
  type WalletCallRow,
  walletCallColumns,
} from './wallet-store.ts';

/** The name in the history when the wallet paid a debt. */
const BY_RULE = `${ruleNamePrefix}operator-wallet`;

type Account = Pick<NewWalletCall, 'operatorId' | 'userId' | 'currency'>;

/**
 * Asks the operator's wallet for a debt, under the lock of the user's account.
 * @returns the id of the call; undefined: nothing happened, because no wallet keeps the balance
 */
export async function askForDebt(
  transaction: Transaction,
  debt: Account & PaymentOfDebt & Pick<NewWalletCall, 'amount'>,
): Promise<string | undefined> {
  if (!isKeptByWallets(debt.currency) || (await walletModeOf(transaction, debt.operatorId)) !== 'operator') return;
  const frozenSince = await freezeOfClaims(transaction, debt);
  return insertWalletCall(transaction, { ...debt, type: 'debit', isForced: true, frozenSince }, { leasedS: 0 });
}

/** The payment that a debt is about, and why. */
export interface PaymentOfDebt extends Pick<NewWalletCall, 'depositId' | 'withdrawalId'> {
  readonly reason: Extract<WalletDebitReason, 'chargeback' | 'late-payout'>;
}

/** The payment that last raised the debt of an account. Undefined: its month has left for the archive. */
export async function paymentOfDebt(
  transaction: Transaction,
  { operatorId, userId, currency }: Account,
): Promise<PaymentOfDebt | undefined> {
  const [raised] = await transaction.query<{ depositId: string | null; withdrawalId: string | null }>({
    text: `select deposit_id as "depositId", withdrawal_id as "withdrawalId" from account debt
      join posting on posting.operator_id = $1 and posting.account_id = debt.id and posting.amount < 0
      join journal on journal.operator_id = $1 and journal.id = posting.journal_id
      where debt.operator_id = $1 and debt.owner = $2 and debt.asset = $3 and debt.kind = 'reversal_debt'
      order by journal.id desc limit 1`,
    values: [operatorId, userId, currency],
  });
  if (raised === undefined) return undefined;
  const { depositId, withdrawalId } = raised;
  if (depositId !== null) return { depositId, reason: 'chargeback' };
  return withdrawalId === null ? undefined : { withdrawalId, reason: 'late-payout' };
}

/** The newest claim of debts of an account. */
export async function newestClaim(
  transaction: Transaction,
  { operatorId, userId, currency }: Account,
): Promise<WalletCallRow | undefined> {
  const [claim] = await transaction.query<WalletCallRow>({
    name: 'wallet-newest-claim',
    text: `select ${walletCallColumns} from operator_wallet_call asked
      where operator_id = $1 and user_id = $2 and currency = $3 and is_forced
      order by id desc limit 1`,
    values: [operatorId, userId, currency],
  });
  return claim;
}

/** Claims that belong to the freeze of `account`, as an SQL condition on `claim`. */
const sameFreeze = `claim.operator_id = $1 and claim.user_id = $2 and claim.currency = $3 and claim.is_forced
  and claim.frozen_since = account.frozen_at`;

/**
 * When the account was frozen, as a text of the database, if a claim caused the freeze: this one, or an earlier one. Undefined: the
 * account was frozen by a debt that the wallet was never asked for.
 */
async function freezeOfClaims(
  transaction: Transaction,
  { operatorId, userId, currency }: Account,
): Promise<string | undefined> {
  const [found] = await transaction.query<{ freeze: string }>({
    name: 'wallet-freeze-of-claims',
    text: `select frozen_at::text as freeze from account
      where operator_id = $1 and owner = $2 and asset = $3 and kind = 'user'
        and (frozen_at >= now() or exists (select 1 from operator_wallet_call claim where ${sameFreeze}))`,
    values: [operatorId, userId, currency],
  });
  return found?.freeze;
}

/**
 * Books the certain outcome of a debit for a debt. What the wallet gave pays the debt; what is no longer owed goes back to the wallet,
 * because staff settled the debt meanwhile.
 */
export async function bookDebtDebit(
  transaction: Transaction,
  call: WalletCallRow,
  { kind }: KnownAnswer,
): Promise<void> {
  // The debt exists already, so a decline needs no booking.
  if (!effectsOfDebit(kind, 'waiting').includes('take-in')) return;
  const { operatorId, userId, currency, amount, id, depositId, withdrawalId } = call;
  await takeIn(transaction, call);
  const { accountId } = await lockUserBalance(transaction, operatorId, userId, currency);
  const name = { owner: userId, asset: currency, kind: 'reversal_debt' } as const;
  const debt = -(await accountBalance(transaction, operatorId, name));
  const { toDebt, toUser } = payDebtFirst(amount, debt);
  if (toDebt > 0n) {
    await transaction.query({
      name: 'debt-paid-by-wallet',
      text: `insert into debt_settlement (operator_id, decision_id, account_id, paid_from, amount, debt, decided_by, reason)
        values ($1, $2, $3, 'main', $4, $5, $6, 'paid by the operator''s wallet')`,
      values: [operatorId, id, accountId, toDebt, debt, BY_RULE],
    });
    await postJournal(transaction, {
      operatorId,
      kind: 'debt_settlement',
      source: `operator:${operatorId}`,
      ref: id,
      note: `decided by ${BY_RULE}: main`,
      lines: [
        { owner: userId, asset: currency, kind: 'user', amount: -toDebt },
        { ...name, amount: toDebt },
      ],
    });
  }
  await passOn(transaction, {
    operatorId,
    userId,
    currency,
    amount: toUser,
    reason: 'debt-paid-twice',
    ...(depositId !== null && { depositId }),
    ...(withdrawalId !== null && { withdrawalId }),
  });
  await releaseOwnFreeze(transaction, call);
}

/**
 * Releases an account that was frozen only until the wallet paid, when nothing is owed any more. After a "no" of the wallet, or when an
 * older debt has frozen the account, staff decide, unless the operator lets paid debts release accounts.
 */
async function releaseOwnFreeze(transaction: Transaction, call: WalletCallRow): Promise<void> {
  const { operatorId, userId, currency, frozenSince } = call;
  const released = await transaction.query({
    name: 'account-release-by-wallet',
    text: `insert into account_release (operator_id, decision_id, account_id, frozen_since, debt, decided_by, reason)
      select operator.id, gen_random_uuid(), account.id, account.frozen_at, 0, $4, 'paid by the operator''s wallet'
      from operator join account on account.operator_id = operator.id
      where operator.id = $1 and account.owner = $2 and account.asset = $3 and account.kind = 'user'
        and account.frozen_at is not null
        and (operator.accounts_released_when_paid or (account.frozen_at = $5::timestamptz
          and not exists (select 1 from operator_wallet_call claim where ${sameFreeze} and claim.state = 'declined')))
        and not exists (select 1 from account debt where debt.operator_id = $1 and debt.owner = $2 and debt.asset = $3
          and debt.kind = 'reversal_debt' and debt.balance < 0)
      returning 1`,
    values: [operatorId, userId, currency, BY_RULE, frozenSince],
  });
  if (released.length > 0) await unfreezeUser(transaction, operatorId, userId, currency);
}

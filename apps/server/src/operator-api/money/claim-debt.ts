/** Claims of debts from the operator's own wallet by its staff, by name and once (SRV-1, SRV-2). */
import type { ClaimedDebt, ClaimRequest } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Database, Transaction } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { accountBalance, lockUserBalance } from '../../ledger/ledger.ts';
import { askForDebt, newestClaim, paymentOfDebt } from '../../operator-wallet/wallet-debts.ts';
import { isKeptByWallets, walletModeOf } from '../../operator-wallet/wallet-mode.ts';
import type { WalletCallRow } from '../../operator-wallet/wallet-store.ts';

/** Who decided about a claim, as its call keeps it. */
interface KeptDecision {
  readonly decisionId: string;
  readonly decidedBy: string;
  readonly why: string;
  readonly keyId?: string;
}

/**
 * Asks the wallet for the whole debt of an account, once per `decisionId` of the account. The answer has the state of the call, and a
 * repeat its present state. What the wallet gives pays the debt. The account stays frozen until staff release it, unless paid debts do.
 * @param keyId the API key that sent the decision; absent: the command line
 * @throws DomainError not-found, state-conflict, idempotency-conflict
 */
export function claimDebtOnce(
  database: Database,
  operatorId: string,
  request: ClaimRequest,
  keyId?: string,
): Promise<ClaimedDebt> {
  return database.transaction(async (transaction) => {
    const { userId, currency, decisionId, decidedBy, reason: why } = request;
    const account = { operatorId, userId, currency };
    // Every transaction that raises, claims or pays a debt takes this lock.
    const { accountId } = await lockUserBalance(transaction, operatorId, userId, currency);
    if (accountId === undefined) throw new DomainError('not-found', 'Account not found.');
    const known = await newestClaim(transaction, account, decisionId);
    if (known !== undefined) return answerOf(known, request);
    await requireWallet(transaction, account);
    const amount = -(await accountBalance(transaction, operatorId, {
      owner: userId,
      asset: currency,
      kind: 'reversal_debt',
    }));
    if (amount === 0n) throw conflict('Nothing is owed.', { debt: toDecimalString(amount, decimalsOf(currency)) });
    const newest = await newestClaim(transaction, account);
    if (newest?.state === 'waiting') throw conflict('The wallet is being asked for a debt of this account already.');
    const payment = newest === undefined ? await paymentOfDebt(transaction, account) : paymentOf(newest);
    if (payment === undefined) {
      throw conflict('The payment of this debt is in the archive. Settle the debt from the operator.');
    }
    const decision: KeptDecision = { decisionId, decidedBy, why, ...(keyId !== undefined && { keyId }) };
    await askForDebt(transaction, { ...account, ...payment, amount, decision });
    const made = await newestClaim(transaction, account, decisionId);
    if (made === undefined) throw new Error(`Claim ${decisionId} was stored but not found`);
    return answerOf(made, request);
  });
}

async function requireWallet(
  transaction: Transaction,
  { operatorId, currency }: { readonly operatorId: string; readonly currency: string },
): Promise<void> {
  const walletMode = await walletModeOf(transaction, operatorId);
  if (walletMode === 'operator' && isKeptByWallets(currency)) return;
  throw conflict('No wallet of yours keeps this balance, so no wallet can be asked.', { walletMode });
}

function paymentOf({ depositId, withdrawalId }: WalletCallRow) {
  return depositId === null
    ? ({ withdrawalId: withdrawalId ?? '', reason: 'late-payout' } as const)
    : ({ depositId, reason: 'chargeback' } as const);
}

/** A repeat may give another reason. It must be by the same person. */
function answerOf(claim: WalletCallRow, { decisionId, userId, currency, decidedBy }: ClaimRequest): ClaimedDebt {
  const { id, amount, state, code, createdAt } = claim;
  if ((claim.request as KeptDecision).decidedBy !== decidedBy) {
    throw new DomainError('idempotency-conflict', 'The decisionId was already used for another decision.');
  }
  if (state === 'booked') throw new Error(`Claim ${id} was never asked`);
  return {
    decisionId,
    userId,
    currency,
    callId: id,
    amount: toDecimalString(amount, decimalsOf(currency)),
    state,
    ...(code !== null && { code }),
    asked: createdAt.toISOString(),
    decidedBy,
  };
}

function conflict(message: string, params?: Readonly<Record<string, string>>): DomainError {
  return new DomainError('state-conflict', message, params && { params });
}

/** Claims of debts from the operator's own wallet by its staff, by name and once (SRV-1, SRV-2). */
import type { ClaimedDebt, ClaimRequest, KnownWalletCall } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Database, Transaction } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { accountBalance, lockUserBalance } from '../../ledger/ledger.ts';
import { askForDebt, newestClaim, paymentOfDebt } from '../../operator-wallet/wallet-debts.ts';
import { isKeptByWallets, walletModeOf } from '../../operator-wallet/wallet-mode.ts';
import type { WalletCallRow } from '../../operator-wallet/wallet-store.ts';

/** A decision with the call that it has made. */
interface MadeClaim {
  readonly userId: string;
  readonly currency: string;
  readonly decidedBy: string;
  readonly callId: string;
  readonly amount: bigint;
  readonly state: KnownWalletCall['state'];
  readonly code: string | null;
  readonly createdAt: Date;
}

/**
 * Asks the wallet for the whole debt of an account, once per `decisionId`. The answer has the state of the call, and a
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
    const { userId, currency, decisionId } = request;
    const account = { operatorId, userId, currency };
    // Every transaction that raises, claims or pays a debt takes this lock.
    const { accountId } = await lockUserBalance(transaction, operatorId, userId, currency);
    if (accountId === undefined) throw new DomainError('not-found', 'Account not found.');
    const known = await findClaim(transaction, operatorId, decisionId);
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
    const callId = await askForDebt(transaction, { ...account, ...payment, amount });
    if (callId === undefined) throw new Error(`Nobody was asked for the debt of decision ${decisionId}`);
    await insertClaim(transaction, { operatorId, accountId, callId, keyId }, request);
    const made = await findClaim(transaction, operatorId, decisionId);
    if (made === undefined) throw new Error(`Claim ${decisionId} was stored but not found`);
    return answerOf(made, request);
  });
}

/** @throws DomainError idempotency-conflict if another account has got the decision at the same moment */
async function insertClaim(
  transaction: Transaction,
  made: {
    readonly operatorId: string;
    readonly accountId: bigint;
    readonly callId: string;
    readonly keyId?: string | undefined;
  },
  { decisionId, decidedBy, reason }: ClaimRequest,
): Promise<void> {
  const inserted = await transaction.query({
    text: `insert into debt_claim (operator_id, decision_id, account_id, call_id, decided_by, reason, key_id)
      values ($1, $2, $3, $4, $5, $6, $7) on conflict (operator_id, decision_id) do nothing returning 1`,
    values: [made.operatorId, decisionId, made.accountId, made.callId, decidedBy, reason, made.keyId ?? null],
  });
  if (inserted.length === 0) throw otherDecision();
}

async function findClaim(
  transaction: Transaction,
  operatorId: string,
  decisionId: string,
): Promise<MadeClaim | undefined> {
  const [found] = await transaction.query<MadeClaim>({
    text: `select asked.user_id as "userId", asked.currency, decided_by as "decidedBy", asked.id as "callId", asked.amount, asked.state,
        asked.code, asked.created_at as "createdAt"
      from debt_claim join operator_wallet_call asked on asked.operator_id = $1 and asked.id = call_id
      where debt_claim.operator_id = $1 and decision_id = $2`,
    values: [operatorId, decisionId],
  });
  return found;
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

/** A repeat may give another reason. It must be about the same account, by the same person. */
function answerOf(claim: MadeClaim, { decisionId, userId, currency, decidedBy }: ClaimRequest): ClaimedDebt {
  const { callId, amount, state, code, createdAt } = claim;
  const isSame = claim.userId === userId && claim.currency === currency && claim.decidedBy === decidedBy;
  if (!isSame) throw otherDecision();
  if (state === 'booked') throw new Error(`Claim ${callId} was never asked`);
  return {
    decisionId,
    userId,
    currency,
    callId,
    amount: toDecimalString(amount, decimalsOf(currency)),
    state,
    ...(code !== null && { code }),
    asked: createdAt.toISOString(),
    decidedBy,
  };
}

function otherDecision(): DomainError {
  return new DomainError('idempotency-conflict', 'The decisionId was already used for another decision.');
}

function conflict(message: string, params?: Readonly<Record<string, string>>): DomainError {
  return new DomainError('state-conflict', message, params && { params });
}

/** Accounts that a debt has frozen, and their release by staff (SRV-1, SRV-2). `debts` settles the debt. */
import type { FrozenPage, PageQuery, ReleasedAccount, ReleaseRequest } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Database, Queryable, Transaction } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { accountBalance, lockUserBalance, unfreezeUser } from '../../ledger/ledger.ts';
import { momentAndAccount, pagedList } from '../../requests/page-cursor.ts';

const frozenList = pagedList('frozen accounts', momentAndAccount);

interface FrozenRow {
  readonly account: string;
  readonly userId: string;
  readonly currency: string;
  readonly since: Date;
  /** The exact time, for the cursor. */
  readonly sinceText: string;
  readonly debt: bigint;
}

/**
 * Frozen accounts of an operator, the oldest first.
 * @param cursor from the page before; `undefined`: the first page
 */
export async function frozenPage(
  database: Queryable,
  operatorId: string,
  { limit, cursor }: PageQuery,
): Promise<FrozenPage> {
  const after = frozenList.placeOf(cursor);
  const rows = await database.query<FrozenRow>({
    name: 'operator-frozen',
    text: `select id::text as account, owner as "userId", asset as currency, frozen_at as since, frozen_at::text as "sinceText",
        coalesce((select -balance from account debt where debt.operator_id = $1 and debt.owner = frozen.owner
          and debt.asset = frozen.asset and debt.kind = 'reversal_debt'), 0) as debt
      from account frozen
      where operator_id = $1 and kind = 'user' and frozen_at is not null
        and ($2::timestamptz is null or (frozen_at, id) > ($2::timestamptz, $3::bigint))
      order by frozen_at, id limit $4`,
    values: [operatorId, after?.at ?? null, after?.account ?? null, limit + 1],
  });
  const { page, next } = frozenList.pageOf(rows, limit, ({ sinceText, account }) => ({ at: sinceText, account }));
  return {
    accounts: page.map(({ userId, currency, since, debt }) => ({
      userId,
      currency,
      since: since.toISOString(),
      debt: toDecimalString(debt, decimalsOf(currency)),
    })),
    ...next,
  };
}

interface MadeRelease {
  readonly decisionId: string;
  readonly userId: string;
  readonly currency: string;
  readonly debt: bigint;
  readonly decidedBy: string;
  readonly frozenSince: Date;
  readonly at: Date;
}

/**
 * Releases a frozen account, once per `decisionId`, so that money can leave it again. The debt does not change. A repeat gets the
 * first answer.
 * @throws DomainError not-found, state-conflict if the account is not frozen, idempotency-conflict
 */
export function releaseAccountOnce(
  database: Database,
  operatorId: string,
  request: ReleaseRequest,
  keyId?: string,
): Promise<ReleasedAccount> {
  return database.transaction(async (transaction) => {
    // This lock orders the release, a new debt that freezes the account, and debits of the account.
    const account = await lockUserBalance(transaction, operatorId, request.userId, request.currency);
    if (account.accountId === undefined) throw new DomainError('not-found', 'Account not found.');
    const known = await findRelease(transaction, operatorId, request.decisionId);
    if (known !== undefined) return answerOf(known, request);
    if (!account.isFrozen) throw new DomainError('state-conflict', 'The account is not frozen.');
    await recordRelease(transaction, operatorId, account.accountId, { ...request, keyId });
    await unfreezeUser(transaction, operatorId, request.userId, request.currency);
    const made = await findRelease(transaction, operatorId, request.decisionId);
    if (made === undefined) throw new Error(`Release ${request.decisionId} was stored but not found`);
    return answerOf(made, request);
  });
}

async function findRelease(
  transaction: Transaction,
  operatorId: string,
  decisionId: string,
): Promise<MadeRelease | undefined> {
  const [made] = await transaction.query<MadeRelease>({
    text: `select decision_id as "decisionId", account.owner as "userId", account.asset as currency, debt,
        decided_by as "decidedBy", frozen_since as "frozenSince", at
      from account_release join account on account.operator_id = $1 and account.id = account_id
      where account_release.operator_id = $1 and decision_id = $2`,
    values: [operatorId, decisionId],
  });
  return made;
}

async function recordRelease(
  transaction: Transaction,
  operatorId: string,
  accountId: bigint,
  {
    decisionId,
    userId: owner,
    currency: asset,
    decidedBy,
    reason,
    keyId,
  }: ReleaseRequest & { readonly keyId: string | undefined },
): Promise<void> {
  const debt = -(await accountBalance(transaction, operatorId, { owner, asset, kind: 'reversal_debt' }));
  const inserted = await transaction.query({
    text: `insert into account_release (operator_id, decision_id, account_id, frozen_since, debt, decided_by, reason, key_id)
      select $1, $2, id, frozen_at, $4, $5, $6, $7 from account where operator_id = $1 and id = $3
      on conflict (operator_id, decision_id) do nothing returning 1`,
    values: [operatorId, decisionId, accountId, debt, decidedBy, reason, keyId ?? null],
  });
  // A simultaneous decision about another account used the same key first.
  if (inserted.length === 0) throw otherDecision();
}

/** A repeat may give another reason. It must be about the same account, by the same person. */
function answerOf(made: MadeRelease, { userId, currency, decidedBy }: ReleaseRequest): ReleasedAccount {
  if (made.userId !== userId || made.currency !== currency || made.decidedBy !== decidedBy) throw otherDecision();
  return {
    decisionId: made.decisionId,
    userId,
    currency,
    debt: toDecimalString(made.debt, decimalsOf(currency)),
    decidedBy,
    frozenSince: made.frozenSince.toISOString(),
    released: made.at.toISOString(),
  };
}

function otherDecision(): DomainError {
  return new DomainError('idempotency-conflict', 'The decisionId was already used for another decision.');
}

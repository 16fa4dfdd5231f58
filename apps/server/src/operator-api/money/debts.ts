/** Debts of users, and how staff settle them, by name and once (SRV-1, SRV-2). No debt ends without a payment or a decision. */
import type { DebtPage, DebtQuery, DebtSettings, SettledDebt, SettleRequest } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { debtPayment } from '@opencashier/core/money/debt';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import type { Database, Queryable, Transaction } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { accountBalance, lockUserBalance, type PostingLine, postJournal } from '../../ledger/ledger.ts';
import { userAccountKinds } from '../../ledger/user-accounts.ts';
import { type Actor, recordSettingChange } from '../../operators/setting-history.ts';
import { releaseWhenPaid } from '../../payments/release-when-paid.ts';
import { accountAlone, pagedList } from '../../requests/page-cursor.ts';

const debtList = pagedList('debts', accountAlone);

interface DebtRow {
  readonly account: string;
  readonly userId: string;
  readonly currency: string;
  readonly debt: bigint;
  readonly raised: Date;
  readonly main: bigint;
  readonly additional: bigint;
  readonly frozenSince: Date | null;
  readonly callId: string | null;
  readonly claimed: bigint | null;
  readonly state: Claim['state'] | null;
  readonly code: string | null;
  readonly asked: Date | null;
}

type Claim = NonNullable<DebtPage['debts'][number]['claim']>;

/**
 * Debts of an operator's users, including those whose account was released.
 * @param cursor from the page before; `undefined`: the first page
 */
export async function debtPage(
  database: Queryable,
  operatorId: string,
  { limit, cursor, userId, currency }: DebtQuery,
): Promise<DebtPage> {
  const after = debtList.placeOf(cursor);
  const rows = await database.query<DebtRow>({
    name: 'operator-debts',
    text: `select debt.id::text as account, debt.owner as "userId", debt.asset as currency, -debt.balance as debt, raised,
        coalesce(main.balance, 0) as main, coalesce(additional.balance, 0) as additional, main.frozen_at as "frozenSince",
        claim.id as "callId", claim.amount as claimed, claim.state, claim.code, claim.created_at as asked
      from account debt
      cross join lateral (select greatest(max(journal.at), (select max(lowered_at) from archived_balance
          where archived_balance.operator_id = $1 and archived_balance.account_id = debt.id)) as raised from posting
        join journal on journal.operator_id = $1 and journal.id = posting.journal_id
        where posting.operator_id = $1 and posting.account_id = debt.id and posting.amount < 0) last
      left join account main on main.operator_id = $1 and main.owner = debt.owner and main.asset = debt.asset
        and main.kind = 'user'
      left join account additional on additional.operator_id = $1 and additional.owner = debt.owner
        and additional.asset = debt.asset and additional.kind = 'user_additional'
      left join lateral (select id, amount, state, code, created_at from operator_wallet_call where operator_id = $1
        and user_id = debt.owner and currency = debt.asset and is_forced order by id desc limit 1) claim on true
      where debt.operator_id = $1 and debt.kind = 'reversal_debt' and debt.balance < 0
        and ($2::bigint is null or debt.id > $2) and ($3::text is null or debt.owner = $3)
        and ($4::text is null or debt.asset = $4)
      order by debt.id limit $5`,
    values: [operatorId, after?.account ?? null, userId ?? null, currency ?? null, limit + 1],
  });
  const { page, next } = debtList.pageOf(rows, limit, ({ account }) => ({ account }));
  return {
    debts: page.map(({ userId, currency, debt, raised, main, additional, frozenSince, ...claim }) => ({
      userId,
      currency,
      debt: written(debt, currency),
      raised: raised.toISOString(),
      main: written(main, currency),
      additional: written(additional, currency),
      ...(frozenSince !== null && { frozenSince: frozenSince.toISOString() }),
      ...claimOf(currency, claim),
    })),
    ...next,
  };
}

function claimOf(
  currency: string,
  { callId, claimed, state, code, asked }: Pick<DebtRow, 'callId' | 'claimed' | 'state' | 'code' | 'asked'>,
): { claim?: Claim } {
  if (callId === null || claimed === null || state === null || asked === null) return {};
  const amount = written(claimed, currency);
  return { claim: { callId, amount, state, ...(code !== null && { code }), asked: asked.toISOString() } };
}

interface MadeSettlement {
  readonly decisionId: string;
  readonly userId: string;
  readonly currency: string;
  readonly from: SettleRequest['from'];
  readonly amount: bigint;
  /** The debt before the settlement, in minor units. */
  readonly debt: bigint;
  readonly decidedBy: string;
  readonly at: Date;
  /** Since when the account is frozen; read now, not at the time of the settlement. */
  readonly frozenSince: Date | null;
}

/**
 * Pays a debt, in full or in part, once per `decisionId`. A repeat gets the first answer, but with the current `frozenSince`.
 * @param keyId the API key that sent the decision; absent: the command line
 * @throws DomainError not-found, invalid-request, state-conflict if the amount is larger than the debt (`params.debt`),
 *   insufficient-funds (`params.max`), idempotency-conflict
 */
export function settleDebtOnce(
  database: Database,
  operatorId: string,
  request: SettleRequest,
  keyId?: string,
): Promise<SettledDebt> {
  return database.transaction(async (transaction) => {
    const { userId: owner, currency: asset, from, decisionId, decidedBy, reason } = request;
    // Every transaction that raises or pays a debt takes this lock. One that debits the additional account takes both locks in this
    // order, so that two of them cannot block each other.
    const main = await lockUserBalance(transaction, operatorId, owner, asset);
    if (main.accountId === undefined) throw new DomainError('not-found', 'Account not found.');
    const known = await findSettlement(transaction, operatorId, decisionId);
    if (known !== undefined) return answerOf(known, request);
    const debt = -(await accountBalance(transaction, operatorId, { owner, asset, kind: 'reversal_debt' }));
    const { balance } =
      from === 'additional'
        ? await lockUserBalance(transaction, operatorId, owner, asset, userAccountKinds[from])
        : main;
    const amount = amountOf(request, debt, from === 'operator' ? undefined : balance);
    const inserted = await transaction.query({
      text: `insert into debt_settlement (operator_id, decision_id, account_id, paid_from, amount, debt, decided_by, reason, key_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (operator_id, decision_id) do nothing returning 1`,
      values: [operatorId, decisionId, main.accountId, from, amount, debt, decidedBy, reason, keyId ?? null],
    });
    // A simultaneous decision about another account used the same key first.
    if (inserted.length === 0) throw otherDecision();
    const result = await postJournal(transaction, {
      operatorId,
      kind: 'debt_settlement',
      source: `operator:${operatorId}`,
      ref: decisionId,
      note: `decided by ${decidedBy}: ${from}`,
      lines: [payerLine(request, -amount), { owner, asset, kind: 'reversal_debt', amount }],
    });
    if (result === 'duplicate') throw new Error(`Settlement ${decisionId} was booked without its row`);
    await releaseWhenPaid(transaction, operatorId, owner, asset, decidedBy);
    return made(transaction, operatorId, request);
  });
}

function payerLine({ from, userId, currency: asset }: SettleRequest, amount: bigint): PostingLine {
  if (from !== 'operator') return { owner: userId, asset, kind: userAccountKinds[from], amount };
  // The coins of the sweepstake come from the account that issues them, so a forgiven debt is booked there.
  const kind = findCurrency(asset)?.kind === 'sweepstake' ? 'coin_issue' : 'operator_clearing';
  return { owner: '', asset, kind, amount };
}

/** @param available balance of the user's account that pays, in minor units; undefined: the operator pays */
function amountOf({ amount, currency }: SettleRequest, debt: bigint, available: bigint | undefined): bigint {
  const asked = amount === undefined ? undefined : parseDecimal(amount, decimalsOf(currency));
  if (asked?.ok === false || (asked?.ok === true && asked.minor <= 0n)) {
    const fields = [{ path: 'amount', message: 'Give an amount of the currency.' }];
    throw new DomainError('invalid-request', 'The debt cannot be settled with this amount.', { fields });
  }
  const settlement = debtPayment(debt, { asked: asked?.minor, available });
  if (settlement.kind === 'pays') return settlement.amount;
  if (settlement.kind === 'not-owed') {
    const params = { debt: written(debt, currency) };
    throw new DomainError('state-conflict', 'The amount is larger than the debt.', { params });
  }
  const params = { max: written(available ?? 0n, currency) };
  throw new DomainError('insufficient-funds', 'The balance does not cover the amount.', { params });
}

async function made(transaction: Transaction, operatorId: string, request: SettleRequest): Promise<SettledDebt> {
  const found = await findSettlement(transaction, operatorId, request.decisionId);
  if (found === undefined) throw new Error(`Settlement ${request.decisionId} was stored but not found`);
  return answerOf(found, request);
}

async function findSettlement(
  transaction: Transaction,
  operatorId: string,
  decisionId: string,
): Promise<MadeSettlement | undefined> {
  const [found] = await transaction.query<MadeSettlement>({
    text: `select decision_id as "decisionId", account.owner as "userId", account.asset as currency, paid_from as "from",
        amount, debt, decided_by as "decidedBy", at, account.frozen_at as "frozenSince"
      from debt_settlement join account on account.operator_id = $1 and account.id = account_id
      where debt_settlement.operator_id = $1 and decision_id = $2`,
    values: [operatorId, decisionId],
  });
  return found;
}

/** A repeat may give another reason. It must have the same decision about the same account, by the same person. */
function answerOf(known: MadeSettlement, { userId, currency, from, amount, decidedBy }: SettleRequest): SettledDebt {
  const isSame =
    known.userId === userId &&
    known.currency === currency &&
    known.from === from &&
    known.decidedBy === decidedBy &&
    (amount === undefined || isAmount(amount, known));
  if (!isSame) throw otherDecision();
  return {
    decisionId: known.decisionId,
    userId,
    currency,
    from,
    amount: written(known.amount, currency),
    debt: written(known.debt - known.amount, currency),
    decidedBy,
    settled: known.at.toISOString(),
    ...(known.frozenSince !== null && { frozenSince: known.frozenSince.toISOString() }),
  };
}

function isAmount(text: string, { amount, currency }: MadeSettlement): boolean {
  const parsed = parseDecimal(text, decimalsOf(currency));
  return parsed.ok && parsed.minor === amount;
}

function otherDecision(): DomainError {
  return new DomainError('idempotency-conflict', 'The decisionId was already used for another decision.');
}

export async function debtSettingsOf(queryable: Queryable, operatorId: string): Promise<DebtSettings> {
  const [found] = await queryable.query<DebtSettings>({
    text: `select debts_paid_by_deposits as "paidByDeposits", accounts_released_when_paid as "releasedWhenPaid"
      from operator where id = $1`,
    values: [operatorId],
  });
  if (found === undefined) throw new Error(`There is no operator ${operatorId}`);
  return found;
}

/** Changes the settings that are given. Every node applies them at once. */
export function changeDebtSettings(
  database: Database,
  operatorId: string,
  actor: Actor,
  { paidByDeposits, releasedWhenPaid }: Partial<DebtSettings>,
): Promise<DebtSettings> {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'select 1 from operator where id = $1 for no key update', values: [operatorId] });
    const before = await debtSettingsOf(transaction, operatorId);
    await transaction.query({
      text: `update operator set debts_paid_by_deposits = coalesce($2, debts_paid_by_deposits),
        accounts_released_when_paid = coalesce($3, accounts_released_when_paid) where id = $1`,
      values: [operatorId, paidByDeposits ?? null, releasedWhenPaid ?? null],
    });
    const after = await debtSettingsOf(transaction, operatorId);
    await recordSettingChange(transaction, { operatorId, setting: 'debts', ...actor, before, after });
    return after;
  });
}

function written(minor: bigint, currency: string): string {
  return toDecimalString(minor, decimalsOf(currency));
}

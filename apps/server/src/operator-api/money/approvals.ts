/** Withdrawals that wait for approval, the answer to a decision, and the amounts above which withdrawals wait (SRV-1). */
import type {
  ApprovalSettingsView,
  AwaitingPage,
  AwaitingQuery,
  DecisionResponse,
} from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import { maskedDestination } from '@opencashier/core/withdrawal/masked-destination';
import { statusOfWithdrawalState } from '@opencashier/core/withdrawal/withdrawal-lifecycle';
import type { Database, Queryable } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { type Actor, recordSettingChange } from '../../operators/setting-history.ts';
import { momentAndId, pagedList } from '../../requests/page-cursor.ts';
import {
  type ApprovalSettings,
  type ApprovalThreshold,
  readApprovalSettings,
  writeApprovalSettings,
} from '../../withdrawals/approval-settings.ts';
import { approvalsOf } from '../../withdrawals/withdrawal-decision.ts';
import { amountsOf, type WithdrawalRow, withdrawalColumns } from '../../withdrawals/withdrawal-row.ts';
import type { DecidedWithdrawal, KnownApproval } from '../../withdrawals/withdrawals.ts';

const awaitingList = pagedList('withdrawals awaiting approval', momentAndId);

/** The largest threshold, in minor units: far above any amount, and well within a bigint of the database. */
const MOST_MINOR = 10n ** 18n;

interface AwaitingRow extends WithdrawalRow {
  readonly approvalSince: Date;
  /** The exact time, for the cursor. */
  readonly sinceText: string;
}

/**
 * Withdrawals of an operator that wait for approval, the oldest first.
 * @param cursor from the page before; `undefined`: the first page
 */
export async function awaitingPage(
  database: Queryable,
  operatorId: string,
  { limit, cursor, ...filter }: AwaitingQuery,
): Promise<AwaitingPage> {
  const after = awaitingList.placeOf(cursor);
  const rows = await database.query<AwaitingRow>({
    name: 'operator-awaiting',
    text: `select ${withdrawalColumns}, approval_since::text as "sinceText" from withdrawal
      where operator_id = $1 and state = 'awaiting_approval'
        and ($2::timestamptz is null or (approval_since, id) > ($2::timestamptz, $3::uuid))
        and ($5::text is null or user_id = $5) and ($6::text is null or currency = $6)
        and ($7::text is null or payment_method = $7)
        and ($8::timestamptz is null or approval_since >= $8) and ($9::timestamptz is null or approval_since < $9)
      order by approval_since, id limit $4`,
    values: [
      operatorId,
      after?.at ?? null,
      after?.id ?? null,
      limit + 1,
      filter.userId ?? null,
      filter.currency ?? null,
      filter.paymentMethod ?? null,
      filter.from ?? null,
      filter.to ?? null,
    ],
  });
  const { page, next } = awaitingList.pageOf(rows, limit, (row) => ({ at: row.sinceText, id: row.id }));
  const ids = page.map(({ id }) => id);
  const approvals = await approvalsOf(database, operatorId, ids);
  return {
    withdrawals: page.map((row) =>
      awaitingView(
        row,
        approvals.filter(({ withdrawalId }) => withdrawalId === row.id),
      ),
    ),
    ...next,
  };
}

function awaitingView(row: AwaitingRow, approvals: readonly KnownApproval[]): AwaitingPage['withdrawals'][number] {
  return {
    withdrawalId: row.id,
    userId: row.userId,
    paymentMethod: row.paymentMethod,
    accountType: row.accountType,
    ...amountsOf(row),
    currency: row.currency,
    country: row.country,
    destination: maskedDestination(row.request.fields),
    since: row.approvalSince.toISOString(),
    expires: row.expiresAt.toISOString(),
    approvalsNeeded: row.approvalsNeeded,
    because: row.approvalBecause ?? 'amount',
    approvals: approvals.map(approvalView),
  };
}

function approvalView({ decidedBy, at }: KnownApproval): DecisionResponse['approvals'][number] {
  return { decidedBy, decided: at.toISOString() };
}

export function decisionView({ made, row, approvals }: DecidedWithdrawal): DecisionResponse {
  return {
    decisionId: made.decisionId,
    withdrawalId: row.id,
    decision: made.decision,
    decidedBy: made.decidedBy,
    decided: made.at.toISOString(),
    state: row.state,
    status: statusOfWithdrawalState(row.state),
    approvalsNeeded: row.approvalsNeeded,
    approvals: approvals.map(approvalView),
  };
}

export async function approvalSettingsOf(database: Queryable, operatorId: string): Promise<ApprovalSettingsView> {
  const { thresholds, hours, differentKeys } = await readApprovalSettings(database, operatorId);
  return {
    thresholds: thresholds.map(({ currency, one, two, day }) => ({
      currency,
      ...(one !== null && { approvalThreshold: toDecimalString(one, decimalsOf(currency)) }),
      ...(two !== null && { secondApprovalThreshold: toDecimalString(two, decimalsOf(currency)) }),
      ...(day !== null && { dailyThreshold: toDecimalString(day, decimalsOf(currency)) }),
    })),
    approvalHours: hours,
    differentKeys,
  };
}

/**
 * Changes the amounts above which withdrawals wait. Every node applies them at once.
 * @param change gets the current settings, which are locked meanwhile
 * @throws DomainError invalid-request
 */
export function changeApprovalSettings(
  database: Database,
  operatorId: string,
  actor: Actor,
  change: (known: ApprovalSettingsView) => ApprovalSettingsView,
): Promise<ApprovalSettingsView> {
  return database.transaction(async (transaction) => {
    await transaction.query({
      text: 'select 1 from operator where id = $1 for no key update',
      values: [operatorId],
    });
    const before = await approvalSettingsOf(transaction, operatorId);
    await writeApprovalSettings(transaction, operatorId, readSettings(change(before)));
    const after = await approvalSettingsOf(transaction, operatorId);
    await recordSettingChange(transaction, { operatorId, setting: 'approvals', ...actor, before, after });
    return after;
  });
}

function readSettings({ thresholds, approvalHours, differentKeys }: ApprovalSettingsView): ApprovalSettings {
  const seen = new Set<string>();
  return {
    hours: approvalHours,
    differentKeys,
    thresholds: thresholds.map((threshold, index) => {
      const bad = (field: string, message: string): DomainError =>
        new DomainError('invalid-request', 'These approval settings are not valid.', {
          fields: [{ path: `thresholds.${index}.${field}`, message }],
        });
      const { currency } = threshold;
      if (!findCurrency(currency)) throw bad('currency', 'The currency is unknown.');
      if (seen.has(currency)) throw bad('currency', 'Named twice.');
      seen.add(currency);
      return readThreshold(threshold, bad);
    }),
  };
}

function readThreshold(
  { currency, approvalThreshold, secondApprovalThreshold, dailyThreshold }: ApprovalSettingsView['thresholds'][number],
  bad: (field: string, message: string) => DomainError,
): ApprovalThreshold {
  const minorOf = (field: string, amount: string | undefined): bigint | null => {
    if (amount === undefined) return null;
    const parsed = parseDecimal(amount, decimalsOf(currency));
    if (!parsed.ok || parsed.minor > MOST_MINOR) throw bad(field, 'Expected an amount of the currency, such as 10.00.');
    return parsed.minor;
  };
  const one = minorOf('approvalThreshold', approvalThreshold);
  const two = minorOf('secondApprovalThreshold', secondApprovalThreshold);
  const day = minorOf('dailyThreshold', dailyThreshold);
  if (one === null && (two !== null || day === null))
    throw bad('approvalThreshold', 'Required when dailyThreshold is not set.');
  if (one !== null && two !== null && two < one)
    throw bad('secondApprovalThreshold', 'Must not be below approvalThreshold.');
  return { currency, one, two, day };
}

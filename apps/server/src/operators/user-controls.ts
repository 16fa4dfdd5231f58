/** What staff set for one user: limits, a block and notes (SRV-1). Every change is recorded. */
import type { UserChange } from '@opencashier/contract/operator';
import { findCurrency } from '@opencashier/core/money/currencies';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { invalidFields } from '../errors/domain-error.ts';
import { minorOf } from './amount-of-currency.ts';
import { type Actor, recordSettingChange } from './setting-history.ts';
import type { UserLimit } from './user-rules.ts';

export interface UserBlock {
  readonly deposits: boolean;
  readonly withdrawals: boolean;
  readonly reason: string;
  readonly by: string;
  readonly since: Date;
}

export interface UserControls {
  readonly limits: readonly UserLimit[];
  readonly block: UserBlock | undefined;
}

interface PolicyRow {
  readonly limits: UserLimit[];
  readonly deposits: boolean;
  readonly withdrawals: boolean;
  readonly reason: string | null;
  readonly by: string | null;
  readonly since: Date | null;
}

export async function userControlsOf(queryable: Queryable, operatorId: string, userId: string): Promise<UserControls> {
  const [row] = await queryable.query<PolicyRow>({
    text: `select limits, deposits_blocked as deposits, withdrawals_blocked as withdrawals, block_reason as reason,
        blocked_by as by, blocked_at as since from user_policy where operator_id = $1 and user_id = $2`,
    values: [operatorId, userId],
  });
  const { reason = null, by = null, since = null } = row ?? {};
  const isBlocked = row !== undefined && reason !== null && by !== null && since !== null;
  return {
    limits: row?.limits ?? [],
    block: isBlocked ? { deposits: row.deposits, withdrawals: row.withdrawals, reason, by, since } : undefined,
  };
}

/**
 * Changes what is given. Every node applies it from the next payment on.
 * @throws DomainError invalid-request for a limit that is no amount of its currency
 */
export function changeUserControls(
  database: Database,
  operatorId: string,
  userId: string,
  actor: Actor,
  { limits, block }: Pick<UserChange, 'limits' | 'block'>,
): Promise<void> {
  checkLimits(limits ?? []);
  return database.transaction(async (transaction) => {
    await lockPolicy(transaction, operatorId, userId);
    const known = await userControlsOf(transaction, operatorId, userId);
    const isBlocked = block !== undefined && (block.deposits || block.withdrawals);
    await transaction.query({
      text: `update user_policy set version = version + 1, limits = coalesce($3, limits),
          deposits_blocked = coalesce($4, deposits_blocked), withdrawals_blocked = coalesce($5, withdrawals_blocked),
          block_reason = case when $6 then $7 when $4 is null then block_reason end,
          blocked_by = case when $6 then $8 when $4 is null then blocked_by end,
          blocked_at = case when $6 then now() when $4 is null then blocked_at end
        where operator_id = $1 and user_id = $2`,
      values: [
        operatorId,
        userId,
        limits === undefined ? null : JSON.stringify(limits),
        block?.deposits ?? null,
        block?.withdrawals ?? null,
        isBlocked,
        block?.reason ?? null,
        actor.by,
      ],
    });
    const now = await userControlsOf(transaction, operatorId, userId);
    const recorded = ({ limits: all, block: one }: UserControls) => ({
      limits: all,
      block: { deposits: one?.deposits ?? false, withdrawals: one?.withdrawals ?? false, reason: one?.reason },
    });
    const before = recorded(known);
    const after = recorded(now);
    // The end of a block has a reason, too. It is no part of the user's state, so only the history has it.
    const ended =
      block !== undefined && !isBlocked ? { ...after, block: { ...after.block, reason: block.reason } } : after;
    await recordSettingChange(transaction, { operatorId, setting: `user ${userId}`, ...actor, before, after: ended });
  });
}

/** Makes the row of a user, or locks the known one, so that two changes run one after the other. */
async function lockPolicy(transaction: Transaction, operatorId: string, userId: string): Promise<void> {
  await transaction.query({
    text: `insert into user_policy (operator_id, user_id, version) values ($1, $2, 1)
      on conflict (operator_id, user_id) do update set version = user_policy.version`,
    values: [operatorId, userId],
  });
}

/** @throws DomainError invalid-request */
function checkLimits(limits: readonly UserLimit[]): void {
  const seen = new Set<string>();
  const fields = limits.flatMap(({ direction, currency, paymentMethod, min, max }, index) => {
    const path = (name: string): string => `limits.${index}.${name}`;
    if (findCurrency(currency) === undefined) return [{ path: path('currency'), message: 'The currency is unknown.' }];
    const [least, most] = [minorOf(min, currency), minorOf(max, currency)];
    if (least === undefined)
      return [{ path: path('min'), message: 'Expected an amount of the currency, such as 10.00.' }];
    if (most === undefined)
      return [{ path: path('max'), message: 'Expected an amount of the currency, such as 10.00.' }];
    if (least === 0n && most === 0n)
      return [{ path: path('max'), message: 'Expected a minimum or a maximum. To block the user, use `block`.' }];
    if (most !== 0n && least > most) return [{ path: path('max'), message: 'Must not be below `min`.' }];
    const key = [direction, currency, paymentMethod].join(' ');
    if (seen.has(key)) return [{ path: path('paymentMethod'), message: 'Named twice.' }];
    seen.add(key);
    return [];
  });
  if (fields.length > 0) throw invalidFields('These limits are not valid.', fields);
}

export interface UserNote {
  readonly note: string;
  readonly by: string;
  readonly keyId: string | null;
  readonly at: Date;
}

/** The newest notes first. */
export function userNotesOf(
  queryable: Queryable,
  operatorId: string,
  userId: string,
  limit: number,
): Promise<UserNote[]> {
  return queryable.query({
    text: `select note, by, key_id as "keyId", at from user_note where operator_id = $1 and user_id = $2
      order by id desc limit $3`,
    values: [operatorId, userId, limit],
  });
}

export async function addUserNote(
  queryable: Queryable,
  operatorId: string,
  userId: string,
  { by, keyId }: Actor,
  note: string,
): Promise<void> {
  await queryable.query({
    text: 'insert into user_note (operator_id, user_id, note, by, key_id) values ($1, $2, $3, $4, $5)',
    values: [operatorId, userId, note, by, keyId ?? null],
  });
}

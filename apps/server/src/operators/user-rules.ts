/**
 * What an operator and its staff have set for one user: limits and blocks (SRV-1). They are read from the database when a payment is
 * created, and the insert compares the version. So no node uses older ones.
 */
import { userChangeSchema } from '@opencashier/contract/operator';
import type { ServerLimits } from '@opencashier/core/limits/limits';
import * as v from 'valibot';
import type { Queryable } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { wordFiles } from '../languages/word-files.ts';
import { createWords } from '../languages/words.ts';
import type { Caller } from './caller.ts';

export type Direction = 'deposit' | 'withdrawal';

const limitsSchema = v.nonOptional(userChangeSchema.entries.limits);
export type UserLimit = v.InferOutput<typeof limitsSchema>[number];

/** The rules that apply to one user now. */
export interface UserRules {
  /** 0: staff have set nothing for this user. */
  readonly version: number;
  readonly limits: readonly UserLimit[];
  readonly blocked: Readonly<Record<Direction, boolean>>;
  /** Whether the operator accepts new payments at all. */
  readonly isOpen: Readonly<Record<Direction, boolean>>;
}

/** The rules of a user for whom staff have set nothing. The insert finds out whether that is so. */
export const noUserRules: UserRules = {
  version: 0,
  limits: [],
  blocked: { deposit: false, withdrawal: false },
  isOpen: { deposit: true, withdrawal: true },
};

interface RulesRow {
  readonly version: number | null;
  readonly limits: unknown;
  readonly deposits_blocked: boolean | null;
  readonly withdrawals_blocked: boolean | null;
  readonly deposits_open: boolean;
  readonly withdrawals_open: boolean;
}

/** Reads the rules of a user. */
export async function readUserRules(
  queryable: Queryable,
  { operatorId, userId }: Pick<Caller, 'operatorId' | 'userId'>,
): Promise<UserRules> {
  const [row] = await queryable.query<RulesRow>({
    name: 'user-rules',
    text: `select version, limits, deposits_blocked, withdrawals_blocked, deposits_open, withdrawals_open
      from operator left join user_policy on user_policy.operator_id = operator.id and user_id = $2 where operator.id = $1`,
    values: [operatorId, userId],
  });
  // The tables refuse a payment of an operator that they do not have.
  if (row === undefined) return noUserRules;
  return {
    version: row.version ?? 0,
    limits: row.limits === null ? [] : v.parse(limitsSchema, row.limits),
    blocked: { deposit: row.deposits_blocked === true, withdrawal: row.withdrawals_blocked === true },
    isOpen: { deposit: row.deposits_open, withdrawal: row.withdrawals_open },
  };
}

/** The user's own limit, or `undefined` for those of the operator and the catalogue. A limit that names the method goes first. */
export function userLimit(
  { limits }: UserRules,
  direction: Direction,
  paymentMethod: string,
  currency: string,
): ServerLimits | undefined {
  const fitting = limits.filter((limit) => limit.direction === direction && limit.currency === currency);
  const found =
    fitting.find((limit) => limit.paymentMethod === paymentMethod) ??
    fitting.find((limit) => limit.paymentMethod === undefined);
  return found && { min: found.min, max: found.max };
}

const BLOCKED = 'This is not possible with your account right now. No money was moved. Contact support.';
const words = createWords(wordFiles);

/**
 * @param language of the payer, for the text that the payer reads
 * @throws DomainError banking.merchantClientError for a blocked user; temporarily-unavailable where the operator accepts none
 */
export function requireOpen(
  { blocked, isOpen }: UserRules,
  direction: Direction,
  language: string | undefined = 'en',
): void {
  if (!isOpen[direction]) {
    throw new DomainError('temporarily-unavailable', `The operator accepts no new ${direction}s now.`);
  }
  if (blocked[direction]) throw new DomainError('banking.merchantClientError', words(BLOCKED, language) ?? BLOCKED);
}

/** The rule that another person must agree, for bookings of settlements, closes of days and differences of shared wallets (SRV-2). */
import { judgeSecondPerson, type Take } from '@opencashier/core/payout/second-person';
import type { Queryable } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { readApprovalSettings } from '../withdrawals/approval-settings.ts';

/** What somebody proposed. */
export interface Proposed {
  /** Such as `the booking`. */
  readonly what: string;
  readonly proposedBy: string;
  /** Null: the command line. */
  readonly proposedKey: string | null;
  readonly state: string;
}

/** @throws DomainError state-conflict for the same person, and with `differentKeys` for the same API key */
export async function refuseSamePerson(
  queryable: Queryable,
  operatorId: string,
  proposed: Proposed,
  decidedBy: string,
  keyId?: string,
): Promise<void> {
  const { differentKeys } = await readApprovalSettings(queryable, operatorId);
  refuseSame(proposed, { by: decidedBy, keyId: keyId ?? null }, differentKeys);
}

/** The rule alone, for what belongs to no operator. @throws DomainError state-conflict as `refuseSamePerson` */
export function refuseSame({ what, proposedBy, proposedKey, state }: Proposed, who: Take, needsOtherKey = false): void {
  const verdict = judgeSecondPerson([{ by: proposedBy, keyId: proposedKey }], who, needsOtherKey);
  if (verdict === 'same-person') {
    const message = `This person has proposed ${what}. Another person must agree to it.`;
    throw new DomainError('state-conflict', message, { params: { state } });
  }
  if (verdict === 'same-key') {
    const message = `This API key has proposed ${what}. Another person must agree to it with another key.`;
    throw new DomainError('state-conflict', message, { params: { state } });
  }
}

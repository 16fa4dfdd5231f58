/** The rule that another person must agree, for bookings of settlements and closes of days (SRV-2). */
import { judgeSecondPerson } from '@opencashier/core/payout/second-person';
import type { Queryable } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { readApprovalSettings } from '../withdrawals/approval-settings.ts';

/** What somebody proposed. */
export interface Proposed {
  /** Such as `booking`. */
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
  { what, proposedBy, proposedKey, state }: Proposed,
  decidedBy: string,
  keyId?: string,
): Promise<void> {
  const { differentKeys } = await readApprovalSettings(queryable, operatorId);
  const proposal = { by: proposedBy, keyId: proposedKey };
  const verdict = judgeSecondPerson([proposal], { by: decidedBy, keyId: keyId ?? null }, differentKeys);
  if (verdict === 'same-person') {
    const message = `This person has proposed the ${what}. Another person must agree to it.`;
    throw new DomainError('state-conflict', message, { params: { state } });
  }
  if (verdict === 'same-key') {
    const message = `This API key has proposed the ${what}. Another person must agree to it with another key.`;
    throw new DomainError('state-conflict', message, { params: { state } });
  }
}

/** Every report about a withdrawal is kept, once per fact; what cannot be acted on yet is parked and tried again. */
import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../../database/database.ts';
import { isStorableText } from '../../database/storable-text.ts';
import type { WithdrawalEvidence } from '../../providers/withdrawal-provider.ts';

const RETRIES_S = [2, 10, 60, 600, 3600];
const LATER_RETRY_S = 21_600;

/**
 * Records a report and locks its record.
 * @returns `changed`: the same event told before with other content: the first word stands
 */
export async function recordWithdrawalEvidence(
  transaction: Transaction,
  evidence: WithdrawalEvidence,
): Promise<'new' | 'parked' | 'applied' | 'changed'> {
  const body = toJson(evidence);
  const { at: _at, reason: _reason, ...facts } = body;
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest();
  const inserted = await transaction.query({
    name: 'withdrawal-evidence-insert',
    text: `insert into withdrawal_evidence (provider, event_id, body, body_hash, status, outcome)
      values ($1, $2, $3, $4, 'parked', 'new') on conflict (provider, event_id) do nothing returning 1`,
    values: [evidence.provider, evidence.eventId, JSON.stringify(body), hash],
  });
  if (inserted.length > 0) return 'new';
  const [known] = await transaction.query<{ status: 'parked' | 'applied'; body_hash: Buffer }>({
    name: 'withdrawal-evidence-lock',
    text: 'select status, body_hash from withdrawal_evidence where provider = $1 and event_id = $2 for update',
    values: [evidence.provider, evidence.eventId],
  });
  if (known === undefined) throw new Error('A report vanished while it was being recorded');
  return known.body_hash.equals(hash) ? known.status : 'changed';
}

export async function settleWithdrawalEvidence(
  transaction: Transaction,
  evidence: WithdrawalEvidence,
  result: { readonly status: 'applied' | 'parked'; readonly outcome: string; readonly withdrawalId?: string },
): Promise<void> {
  await transaction.query({
    name: 'withdrawal-evidence-settle',
    text: `update withdrawal_evidence set status = $3, outcome = $4, withdrawal_id = $5, tries = tries + 1,
        next_at = case when $3 = 'parked' then now() + make_interval(secs => coalesce(($6::float8[])[tries], $7)) end
      where provider = $1 and event_id = $2`,
    values: [
      evidence.provider,
      evidence.eventId,
      result.status,
      result.outcome,
      result.withdrawalId ?? null,
      RETRIES_S,
      LATER_RETRY_S,
    ],
  });
}

/** Takes parked reports that are due. */
export async function claimWithdrawalEvidence(database: Database, limit: number): Promise<WithdrawalEvidence[]> {
  const rows = await database.query<{ body: EvidenceJson }>({
    name: 'withdrawal-evidence-claim',
    text: `update withdrawal_evidence set next_at = now() + interval '1 minute' where (provider, event_id) in (
        select provider, event_id from withdrawal_evidence where status = 'parked' and next_at <= now()
        order by next_at limit $1 for update skip locked)
      returning body`,
    values: [limit],
  });
  return rows.map(({ body: { paidMinor, ...rest } }) =>
    paidMinor === undefined ? rest : { ...rest, paidMinor: BigInt(paidMinor) },
  );
}

type EvidenceJson = Omit<WithdrawalEvidence, 'paidMinor'> & { readonly paidMinor?: string };

function toJson(evidence: WithdrawalEvidence): EvidenceJson {
  const { provider, outcome, eventId, at, providerRef, withdrawalId, paidMinor, currency, reason } = evidence;
  return {
    provider,
    outcome,
    eventId,
    at,
    ...(providerRef !== undefined && { providerRef }),
    ...(withdrawalId !== undefined && { withdrawalId }),
    ...(paidMinor !== undefined && { paidMinor: paidMinor.toString() }),
    ...(currency !== undefined && { currency }),
    ...(reason !== undefined && isStorableText(reason) && { reason }),
  };
}

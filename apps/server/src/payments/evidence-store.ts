/** Every report of a provider is kept, once per fact; what cannot be acted on yet is parked and tried again. */
import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../database/database.ts';
import { isStorableText } from '../database/storable-text.ts';
import type { ChainEvidence, ProviderEvidence } from '../providers/provider.ts';

/** `changed`: the same event told before with other money: the first word stands, and people are told. */
export type EvidenceState = 'new' | 'parked' | 'applied' | 'changed';

const DAY_S = 86_400;
const FIRST_RETRIES_S = [2, 10, 60, 600, 3600];
const LATER_RETRY_S = DAY_S / 4;

/** Records a report and locks its record. */
export async function recordEvidence(
  transaction: Transaction,
  evidence: ProviderEvidence,
): Promise<{ readonly state: EvidenceState; readonly depositId: string | undefined }> {
  const body = evidenceToJson(evidence);
  const { at: _at, reason: _reason, ...facts } = body;
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest();
  const inserted = await transaction.query({
    name: 'evidence-insert',
    text: `insert into evidence (provider, event_id, body, body_hash, deposit_id, status, outcome)
      values ($1, $2, $3, $4, $5, 'parked', 'new') on conflict (provider, event_id) do nothing returning 1`,
    values: [evidence.provider, evidence.eventId, JSON.stringify(body), hash, evidence.depositId ?? null],
  });
  if (inserted.length > 0) return { state: 'new', depositId: undefined };
  const [known] = await transaction.query<{
    status: 'parked' | 'applied';
    body_hash: Buffer;
    deposit_id: string | null;
  }>({
    name: 'evidence-lock',
    text: 'select status, body_hash, deposit_id from evidence where provider = $1 and event_id = $2 for update',
    values: [evidence.provider, evidence.eventId],
  });
  if (known === undefined) throw new Error('A report vanished while it was being recorded');
  const state = known.body_hash.equals(hash) ? known.status : 'changed';
  return { state, depositId: known.deposit_id ?? undefined };
}

export async function settleEvidence(
  transaction: Transaction,
  evidence: ProviderEvidence,
  result: { readonly status: 'applied' | 'parked'; readonly outcome: string; readonly depositId?: string },
): Promise<void> {
  await transaction.query({
    name: 'evidence-settle',
    text: `update evidence set status = $3, outcome = $4, deposit_id = coalesce($5, deposit_id), tries = tries + 1,
        next_at = case when $3 = 'parked' then now() + make_interval(secs => coalesce(($6::float8[])[tries], $7)) end
      where provider = $1 and event_id = $2`,
    values: [
      evidence.provider,
      evidence.eventId,
      result.status,
      result.outcome,
      result.depositId ?? null,
      FIRST_RETRIES_S,
      LATER_RETRY_S,
    ],
  });
}

/** What is parked for a deposit is tried again at once, as something about it has just changed. */
export async function wakeEvidence(
  transaction: Transaction,
  deposit: { readonly id: string; readonly provider: string; readonly providerRef: string | null },
): Promise<void> {
  await transaction.query({
    name: 'evidence-wake',
    // Skipping what is locked avoids a deadlock with its own try, which waits for the deposit's lock anyhow.
    text: `update evidence set next_at = now() where (provider, event_id) in (
        select provider, event_id from evidence where status = 'parked'
          and (deposit_id = $1 or (provider = $2 and body ->> 'providerRef' = $3))
        for update skip locked)`,
    values: [deposit.id, deposit.provider, deposit.providerRef],
  });
}

/** Takes parked reports that are due. */
export async function claimParkedEvidence(database: Database, limit: number): Promise<ProviderEvidence[]> {
  const rows = await database.query<{ body: EvidenceJson }>({
    name: 'evidence-claim',
    text: `update evidence set next_at = now() + interval '1 minute' where (provider, event_id) in (
        select provider, event_id from evidence where status = 'parked' and next_at <= now()
        order by next_at limit $1 for update skip locked)
      returning body`,
    values: [limit],
  });
  return rows.map(({ body }) => evidenceFromJson(body));
}

type EvidenceJson = Omit<ProviderEvidence, 'paidMinor'> & { readonly paidMinor?: string };

function evidenceToJson(evidence: ProviderEvidence): EvidenceJson {
  const { provider, providerRef, depositId, outcome, paidMinor, currency, reason, eventId, at, remoteStatus } =
    evidence;
  const { chain, unassigned } = evidence;
  return {
    provider,
    providerRef,
    outcome,
    eventId,
    at,
    ...(depositId !== undefined && { depositId }),
    ...(paidMinor !== undefined && { paidMinor: paidMinor.toString() }),
    ...(currency !== undefined && { currency }),
    ...(reason !== undefined && isStorableText(reason) && { reason }),
    ...(remoteStatus !== undefined && isStorableText(remoteStatus) && { remoteStatus }),
    ...(chain !== undefined && isChainStorable(chain) && { chain: inOneOrder(chain) }),
    ...(unassigned !== undefined && { unassigned }),
  };
}

function isChainStorable({ txid, blockchain, cryptoCurrency }: ChainEvidence): boolean {
  return isStorableText(txid + blockchain + cryptoCurrency);
}

/** The database gives an object's names back in an order of its own; the hash of a report tried again must be the first one's. */
function inOneOrder(chain: ChainEvidence): ChainEvidence {
  const { txid, blockchain, cryptoCurrency, confirmations, requiredConfirmations } = chain;
  return { txid, blockchain, cryptoCurrency, confirmations, requiredConfirmations };
}

function evidenceFromJson({ paidMinor, ...rest }: EvidenceJson): ProviderEvidence {
  return paidMinor === undefined ? rest : { ...rest, paidMinor: BigInt(paidMinor) };
}

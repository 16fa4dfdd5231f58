/**
 * Differences of wallets that all operators share end by two people of the installation's staff (SRV-1). One proposes to accept the
 * difference of the last reading, and another confirms it. No ledger changes.
 */
import { isSameShared } from '@opencashier/core/reconciliation/shared-balance';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { refuseSame } from './second-person.ts';
import { lastOf, lockChain, type SharedBalanceRow } from './shared-balances.ts';

/** A proposal, and how it ended. `difference` is in minor units. */
export interface SharedAcceptance {
  readonly id: string;
  readonly chain: string;
  readonly currency: string;
  readonly difference: bigint;
  readonly reason: string;
  readonly state: 'proposed' | 'confirmed' | 'rejected';
  readonly proposedBy: string;
  readonly proposed: Date;
  readonly decidedBy: string | null;
  readonly decided: Date | null;
}

const COLUMNS = `id, chain, currency, difference, reason, state, proposed_by as "proposedBy", proposed_at as proposed,
  decided_by as "decidedBy", decided_at as decided`;

interface Wanted {
  readonly chain: string;
  readonly currency: string;
  /** What the member of staff saw, in minor units. */
  readonly difference: bigint;
  readonly by: string;
  readonly reason: string;
}

/**
 * Proposes to accept the difference of the last reading, once somebody knows where it is from.
 * @throws DomainError state-conflict where the last reading has none or another one, and where a proposal waits
 */
export function proposeShared(database: Database, wanted: Wanted): Promise<SharedAcceptance> {
  const { chain, currency, difference, by, reason } = wanted;
  return database.transaction(async (transaction) => {
    await lockChain(transaction, chain);
    const { difference: found } = await lastDiffering(transaction, wanted);
    if (found !== difference) refuseOther('proposed');
    const [made] = await transaction.query<SharedAcceptance>({
      name: 'shared-acceptance-propose',
      text: `insert into shared_acceptance (chain, currency, difference, reason, proposed_by) values ($1, $2, $3, $4, $5)
        on conflict (chain, currency) where state = 'proposed' do nothing returning ${COLUMNS}`,
      values: [chain, currency, difference, reason, by],
    });
    if (made === undefined) {
      throw new DomainError('state-conflict', 'A proposal for this coin waits. Another person confirms or rejects it.');
    }
    return made;
  });
}

/**
 * Confirms or rejects a proposal. A confirmed difference is expected from then on. Dust that came since is not: it stays within what is no
 * difference.
 * @throws DomainError not-found; state-conflict for the person who proposed it, for a decided one, and where the last reading has another
 * difference
 */
export function decideShared(
  database: Database,
  id: string,
  { decision, by }: { readonly decision: 'confirm' | 'reject'; readonly by: string },
): Promise<SharedAcceptance> {
  const state = decision === 'confirm' ? 'confirmed' : 'rejected';
  return database.transaction(async (transaction) => {
    const { chain } = await acceptanceOf(transaction, id);
    await lockChain(transaction, chain);
    const proposal = await acceptanceOf(transaction, id);
    if (proposal.state !== 'proposed') {
      if (proposal.state === state && proposal.decidedBy === by) return proposal;
      throw new DomainError('state-conflict', 'The proposal was decided before.', {
        params: { state: proposal.state },
      });
    }
    if (state === 'confirmed') {
      refuseSame({ ...proposal, what: 'the acceptance', proposedKey: null }, { by, keyId: null });
      const last = await lastDiffering(transaction, proposal);
      if (!isSameShared(proposal.difference, last.difference, last)) refuseOther('accepted');
    }
    await transaction.query({
      name: 'shared-acceptance-decide',
      text: 'update shared_acceptance set state = $2, decided_by = $3, decided_at = now() where id = $1',
      values: [id, state, by],
    });
    if (state === 'confirmed') await accept(transaction, proposal);
    return acceptanceOf(transaction, id);
  });
}

/** The newest proposals and decisions, the newest first. */
export function sharedAcceptances(database: Database, most: number): Promise<SharedAcceptance[]> {
  return database.query<SharedAcceptance>({
    text: `select ${COLUMNS} from shared_acceptance order by place desc limit $1`,
    values: [most],
  });
}

/** @throws DomainError state-conflict where the last reading has no difference */
async function lastDiffering(
  transaction: Transaction,
  { chain, currency }: Pick<Wanted, 'chain' | 'currency'>,
): Promise<SharedBalanceRow> {
  const last = await lastOf(transaction, chain, currency);
  if (last === undefined || last.difference === 0n) {
    throw new DomainError('state-conflict', `The last reading of ${currency} on ${chain} has no difference.`);
  }
  return last;
}

/** @throws DomainError */
function refuseOther(done: 'proposed' | 'accepted'): never {
  throw new DomainError('state-conflict', `Nothing was ${done}: the last reading has another difference.`);
}

async function accept(transaction: Transaction, { id, chain, currency, difference }: SharedAcceptance): Promise<void> {
  await transaction.query({
    name: 'shared-balance-accept',
    text: `insert into shared_balance (chain, currency, found, expected, accepted, difference, dust, rent, first_height, last_height,
        acceptance_id)
      select chain, currency, found, expected, accepted + $3, 0, dust, rent, first_height, last_height, $4 from shared_balance
      where chain = $1 and currency = $2 order by place desc limit 1`,
    values: [chain, currency, difference, id],
  });
}

async function acceptanceOf(queryable: Queryable, id: string): Promise<SharedAcceptance> {
  const [row] = await queryable.query<SharedAcceptance>({
    name: 'shared-acceptance',
    text: `select ${COLUMNS} from shared_acceptance where id = $1`,
    values: [id],
  });
  if (row === undefined) throw new DomainError('not-found', 'There is no such proposal.');
  return row;
}

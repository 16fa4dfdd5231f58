/**
 * A hot wallet that was used without the cashier pays out again by two people of the installation's staff (WD-2). One proposes to accept
 * the use, once the transactions were looked up, and another confirms it.
 */
import { cashierName } from '@opencashier/contract/operator';
import type { WalletDoubt } from '@opencashier/core/chain-payout/wallet-doubt';
import { judgeSecondPerson } from '@opencashier/core/payout/second-person';
import type { Database, Queryable, Transaction } from '../../../database/database.ts';
import { DomainError } from '../../../errors/domain-error.ts';

/** A proposal, and how it ended. */
export interface WalletAcceptance {
  readonly id: string;
  readonly chain: string;
  readonly wallet: string;
  /** The nonce or seqno from which the payouts go on. */
  readonly slot: string;
  /** Why no payout began, the number that the nodes named, and what was accepted last, when it was proposed. Null: nothing. */
  readonly doubt: WalletDoubt | null;
  readonly nodesNext: string | null;
  readonly slotBefore: string | null;
  readonly reason: string;
  readonly state: 'proposed' | 'confirmed' | 'rejected';
  readonly proposedBy: string;
  readonly proposed: Date;
  readonly decidedBy: string | null;
  readonly decided: Date | null;
}

interface Wanted {
  readonly chain: string;
  readonly slot: bigint;
  readonly by: string;
  readonly reason: string;
  /** Its address. Needed where several wallets of the chain are meant, such as one that was replaced. */
  readonly wallet?: string | undefined;
}

const COLUMNS = `id, chain, wallet, slot::text, doubt, doubt_next::text as "nodesNext", slot_before::text as "slotBefore", reason, state, proposed_by as "proposedBy",
  proposed_at as proposed, decided_by as "decidedBy", decided_at as decided`;

/** Whether the wallet is as the first person saw it. */
const IS_UNCHANGED = `(acceptance.doubt, acceptance.doubted_since, acceptance.doubt_next, acceptance.slot_before)
  is not distinct from (wallet.doubt, wallet.doubted_since, wallet.doubt_next, wallet.accepted_slot)`;

/**
 * Proposes that the payouts of a wallet continue with this nonce or seqno. A number that was typed too high can be replaced by a lower
 * one: what the cashier knows of its own payouts counts in any case.
 * @throws DomainError state-conflict where no wallet is meant or several are, for a number that the nodes have not reached, and
 * where a proposal waits
 */
export function proposeUse(database: Database, wanted: Wanted): Promise<WalletAcceptance> {
  return database.transaction(async (transaction) => {
    const { chain, slot, by, reason } = wanted;
    const wallet = await walletMeant(transaction, wanted);
    await rejectOutdated(transaction, chain, wallet);
    const [made] = await transaction.query<WalletAcceptance>({
      text: `insert into coin_wallet_acceptance (chain, wallet, slot, doubt, doubted_since, doubt_next, slot_before, reason, proposed_by)
        select chain, wallet, $3, doubt, doubted_since, doubt_next, accepted_slot, $4, $5 from coin_wallet where chain = $1 and wallet = $2
        on conflict (chain, wallet) where state = 'proposed' do nothing returning ${COLUMNS}`,
      values: [chain, wallet, String(slot), reason, by],
    });
    if (made === undefined) {
      throw new DomainError(
        'state-conflict',
        'A proposal for this wallet waits. Another person confirms or rejects it.',
      );
    }
    return made;
  });
}

/**
 * Confirms or rejects a proposal. The payouts of a confirmed wallet go on.
 * @throws DomainError not-found; state-conflict for the person who proposed it, for a decided one, and where the wallet has another doubt
 */
export function decideUse(
  database: Database,
  id: string,
  { decision, by }: { readonly decision: 'confirm' | 'reject'; readonly by: string },
): Promise<WalletAcceptance> {
  const state = decision === 'confirm' ? 'confirmed' : 'rejected';
  return database.transaction(async (transaction) => {
    const { chain, wallet } = await acceptanceOf(transaction, id);
    await lockWallet(transaction, chain, wallet);
    const proposal = await acceptanceOf(transaction, id);
    if (proposal.state !== 'proposed') {
      if (proposal.state === state && proposal.decidedBy === by) return proposal;
      throw new DomainError('state-conflict', 'The proposal was decided before.', {
        params: { state: proposal.state },
      });
    }
    if (state === 'confirmed') {
      refuseSame(proposal, by);
      await refuseChanged(transaction, id);
    }
    await transaction.query({
      text: 'update coin_wallet_acceptance set state = $2, decided_by = $3, decided_at = now() where id = $1',
      values: [id, state, by],
    });
    if (state === 'confirmed') {
      await transaction.query({
        text: `update coin_wallet set accepted_slot = $3, doubt = null, doubted_since = null, doubt_next = null where chain = $1 and wallet = $2`,
        values: [chain, wallet, proposal.slot],
      });
    }
    return acceptanceOf(transaction, id);
  });
}

/** The newest proposals and decisions about a chain's wallets, the newest first. */
export function walletAcceptances(database: Database, chain: string, most: number): Promise<WalletAcceptance[]> {
  return database.query<WalletAcceptance>({
    text: `select ${COLUMNS} from coin_wallet_acceptance where chain = $1 order by place desc limit $2`,
    values: [chain, most],
  });
}

/**
 * The only wallet that is meant: found to be used elsewhere, or accepted with a higher number. Locks it.
 * @throws DomainError
 */
async function walletMeant(transaction: Transaction, { chain, slot, wallet }: Wanted): Promise<string> {
  const meant = await transaction.query<{ readonly wallet: string; readonly nodesNext: string | null }>({
    text: `select wallet, doubt_next::text as "nodesNext" from coin_wallet where chain = $1 and ($2::text is null or wallet = $2)
      and (doubt = 'used-elsewhere' or accepted_slot > $3) order by wallet for update`,
    values: [chain, wallet ?? null, String(slot)],
  });
  const [only, ...others] = meant;
  if (only === undefined) {
    const message = `No hot wallet of ${chain} was found to be used elsewhere, or accepted with a higher number.`;
    throw new DomainError('state-conflict', message);
  }
  if (others.length > 0) {
    const addresses = meant.map((one) => one.wallet).join(' or ');
    throw new DomainError('state-conflict', `Nothing was proposed. Give --wallet: ${addresses}.`);
  }
  // Payouts would begin once the chain reaches the number, and foreign transactions before it would never be reported.
  if (only.nodesNext !== null && slot > BigInt(only.nodesNext)) {
    const message = `Nothing was proposed. All nodes have the transactions before ${only.nodesNext} in a block, and no more. Propose at most this number.`;
    throw new DomainError('state-conflict', message, { params: { nodesNext: only.nodesNext } });
  }
  return only.wallet;
}

async function lockWallet(transaction: Transaction, chain: string, wallet: string): Promise<void> {
  await transaction.query({
    text: 'select 1 from coin_wallet where chain = $1 and wallet = $2 for update',
    values: [chain, wallet],
  });
}

/** A proposal that can be confirmed no more must not stand in the way of another one. */
async function rejectOutdated(transaction: Transaction, chain: string, wallet: string): Promise<void> {
  await transaction.query({
    text: `update coin_wallet_acceptance acceptance set state = 'rejected', decided_by = $3, decided_at = now() from coin_wallet wallet
      where (wallet.chain, wallet.wallet) = (acceptance.chain, acceptance.wallet) and acceptance.chain = $1 and acceptance.wallet = $2
        and acceptance.state = 'proposed' and not (${IS_UNCHANGED})`,
    values: [chain, wallet, cashierName],
  });
}

/** @throws DomainError state-conflict for the person who proposed it */
function refuseSame({ proposedBy, state }: WalletAcceptance, by: string): void {
  const verdict = judgeSecondPerson([{ by: proposedBy, keyId: null }], { by, keyId: null }, false);
  if (verdict === 'good') return;
  const message = 'This person has proposed the acceptance. Another person must agree to it.';
  throw new DomainError('state-conflict', message, { params: { state } });
}

/** @throws DomainError state-conflict where the wallet's doubt or number is another one than when it was proposed */
async function refuseChanged(transaction: Transaction, id: string): Promise<void> {
  const [now] = await transaction.query<{ readonly isSame: boolean; readonly nodesNext: string | null }>({
    text: `select ${IS_UNCHANGED} as "isSame", wallet.doubt_next::text as "nodesNext" from coin_wallet_acceptance acceptance join coin_wallet wallet
        on (wallet.chain, wallet.wallet) = (acceptance.chain, acceptance.wallet)
      where acceptance.id = $1`,
    values: [id],
  });
  if (now?.isSame === true) return;
  const nodesNext = now?.nodesNext ?? null;
  const number = nodesNext === null ? '' : ` All nodes have the transactions before ${nodesNext} in a block now.`;
  throw new DomainError(
    'state-conflict',
    `Nothing was accepted: the doubt about the wallet has changed since.${number}`,
    nodesNext === null ? {} : { params: { nodesNext } },
  );
}

async function acceptanceOf(queryable: Queryable, id: string): Promise<WalletAcceptance> {
  const [row] = await queryable.query<WalletAcceptance>({
    text: `select ${COLUMNS} from coin_wallet_acceptance where id = $1`,
    values: [id],
  });
  if (row === undefined) throw new DomainError('not-found', 'There is no such proposal.');
  return row;
}

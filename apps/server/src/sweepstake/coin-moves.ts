/** Operators' reports about coins: grants and plays. Each has an idempotency key of the operator and is booked once. */
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Coin } from '@opencashier/core/sweepstake/coins';
import type { Database, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { bookedLines } from '../ledger/booked-lines.ts';
import { lockUserBalance, type PostingLine, postJournal } from '../ledger/ledger.ts';
import { issueLines } from './box-postings.ts';
import { type CoinState, coinState } from './coin-balances.ts';

interface UserCoins {
  readonly operatorId: string;
  readonly userId: string;
  readonly coin: Coin;
}

export interface CoinGrant extends UserCoins {
  /** The idempotency key of the grant, unique per operator. */
  readonly grantId: string;
  /** Minor units, above zero. */
  readonly amount: bigint;
  readonly note?: string | undefined;
}

/**
 * Grants coins. A repeat grants nothing more.
 * @throws DomainError idempotency-conflict
 */
export function grantCoins(database: Database, grant: CoinGrant): Promise<CoinState> {
  const { operatorId, userId, coin, grantId, amount, note } = grant;
  return database.transaction(async (transaction) => {
    const ref = `${operatorId}:${grantId}`;
    const result = await postJournal(transaction, {
      operatorId,
      kind: 'coin_grant',
      source: 'grant',
      ref,
      ...(note !== undefined && { note }),
      lines: issueLines(userId, coin, amount),
    });
    if (result === 'duplicate') await requireSameGrant(transaction, ref, grant);
    return coinState(transaction, operatorId, userId, coin);
  });
}

async function requireSameGrant(transaction: Transaction, ref: string, grant: CoinGrant): Promise<void> {
  const { operatorId, userId, coin, amount } = grant;
  const lines = await bookedLines(transaction, { operatorId, source: 'grant', ref, kind: 'coin_grant' });
  const isSame = lines.some(
    (line) => line.kind === 'user' && line.owner === userId && line.asset === coin && line.amount === amount,
  );
  if (!isSame) throw otherContent();
}

export interface CoinPlay extends UserCoins {
  /** The idempotency key of the play, unique per operator. */
  readonly playId: string;
  /** Minor units: the stake, above zero, and the winnings. */
  readonly staked: bigint;
  readonly won: bigint;
}

/**
 * Books a play. The balance changes by the winnings minus the stake, and the stake counts as played.
 * @throws DomainError idempotency-conflict; insufficient-funds when the balance is below the stake
 */
export function reportPlay(database: Database, play: CoinPlay): Promise<CoinState> {
  const { operatorId, userId, coin, playId, staked, won } = play;
  return database.transaction(async (transaction) => {
    const { balance } = await lockUserBalance(transaction, operatorId, userId, coin);
    const isNew = await writePlay(transaction, play);
    if (isNew) {
      if (balance < staked) {
        const params = { max: toDecimalString(balance, decimalsOf(coin)) };
        throw new DomainError('insufficient-funds', 'The balance does not cover the stake', { params });
      }
      const lines: PostingLine[] = [
        { owner: userId, asset: coin, kind: 'user', amount: won - staked },
        { owner: '', asset: coin, kind: 'coin_play', amount: staked - won },
      ];
      const ref = `${operatorId}:${playId}`;
      if (won !== staked) {
        await postJournal(transaction, { operatorId, kind: 'coin_play', source: 'play', ref, lines });
      }
    }
    return coinState(transaction, operatorId, userId, coin);
  });
}

/**
 * False when this play was already reported.
 * @throws DomainError idempotency-conflict when another play was reported under this id
 */
async function writePlay(transaction: Transaction, play: CoinPlay): Promise<boolean> {
  const values = [play.operatorId, play.playId, play.userId, play.coin, play.staked, play.won];
  const written = await transaction.query({
    name: 'coin-play-insert',
    text: `insert into coin_play (operator_id, play_id, user_id, asset, staked, won) values ($1, $2, $3, $4, $5, $6)
      on conflict (operator_id, play_id) do nothing returning 1`,
    values,
  });
  if (written.length > 0) return true;
  const same = await transaction.query({
    text: `select 1 from coin_play where operator_id = $1 and play_id = $2 and user_id = $3 and asset = $4 and staked = $5
      and won = $6`,
    values,
  });
  if (same.length === 0) throw otherContent();
  return false;
}

function otherContent(): DomainError {
  return new DomainError('idempotency-conflict', 'This id was already used with other values');
}

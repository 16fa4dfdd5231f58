/**
 * Balances that operators' wallets keep, for the screen only (WD-3). A balance that is not known within a second is not shown: no number
 * is better than a wrong one.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@opencashier/core/time/clock';
import { createPlaces } from '../signed-questions/operator-places.ts';
import { askOnce, type WalletPorts } from './ask-wallet.ts';

/** Whose balance is wanted, and in which currency. */
export interface WantedBalance {
  readonly operatorId: string;
  readonly userId: string;
  readonly currency: string;
}

/** Minor units that the user can withdraw; undefined: not known now. */
export type WalletBalanceOf = (wanted: WantedBalance) => Promise<bigint | undefined>;

export interface WalletBalances {
  readonly balanceOf: WalletBalanceOf;
  /** A call has moved the balance, so the next screen asks for it again. */
  forget(moved: WantedBalance): void;
}

/** How long an answer is shown again. A list of methods and its form are opened within this time. ms. */
const KEPT_MS = 3_000;
const MOST_KEPT = 10_000;
/** Questions to one wallet at a time, per node. Further ones are not asked. */
const PLACES_PER_OPERATOR = 32;

interface Kept {
  readonly balance: Promise<bigint | undefined>;
  readonly until: number;
}

export function createWalletBalances(ports: WalletPorts & { readonly clock: Clock }): WalletBalances {
  const kept = new Map<string, Kept>();
  const inPlace = createPlaces(PLACES_PER_OPERATOR);

  const ask = async ({ operatorId, userId, currency }: WantedBalance): Promise<bigint | undefined> => {
    try {
      const body = { type: 'balance', id: randomUUID(), userId, currency } as const;
      const question = { asked: { operatorId, ...body }, body };
      const { meaning } = await askOnce(ports, question, new AbortController().signal);
      return meaning.kind === 'done' ? meaning.balance : undefined;
    } catch (error) {
      ports.logger.warn({ operator: operatorId, err: error }, 'a balance could not be asked for');
      return undefined;
    }
  };

  const balanceOf: WalletBalanceOf = (wanted) => {
    const key = keyOf(wanted);
    const now = ports.clock.now();
    const known = kept.get(key);
    if (known !== undefined && known.until > now) return known.balance;
    if (kept.size >= MOST_KEPT) for (const [old, { until }] of kept) if (until <= now) kept.delete(old);
    const balance = inPlace(wanted.operatorId, () => ask(wanted));
    if (kept.size < MOST_KEPT) kept.set(key, { balance, until: now + KEPT_MS });
    // What is not known is asked again by the next screen.
    void balance.then((minor) => {
      if (minor === undefined) kept.delete(key);
    });
    return balance;
  };
  return { balanceOf, forget: (moved) => void kept.delete(keyOf(moved)) };
}

function keyOf({ operatorId, userId, currency }: WantedBalance): string {
  return JSON.stringify([operatorId, userId, currency]);
}

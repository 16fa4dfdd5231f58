/**
 * Looks through one chain, a round at a time: what came to our addresses, how deep it lies, and whether it still lies there. A
 * payment counts by the hash of its block in the chain as it is now, never by its height alone: heights repeat after a fork.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { ProviderEvidence } from '../provider.ts';
import type { AddressStore } from './addresses/address-store.ts';
import { type Block, type ChainSource, NodeError, type Ours, type Tip } from './chain/chain-source.ts';
import { type ChainKind, toMinor } from './chain-kinds.ts';
import { hashThere, scanNext } from './chain-scan.ts';
import type { CryptoStore, Progress, StoredOutput } from './crypto-store.ts';
import { judgeOutput, type Verdict } from './judge-output.ts';
import { lookAhead, recordOurs } from './record-payments.ts';
import type { Strays } from './stray.ts';
import { isStray } from './ton/stray-destination.ts';

export const PROVIDER_NAME = 'crypto';

export interface WatchedChain {
  readonly key: string;
  readonly kind: ChainKind;
  /** The first is asked for payments; every other must see the same before anything is credited or taken back. */
  readonly sources: readonly [ChainSource, ...ChainSource[]];
  readonly required: number;
  readonly intervalMs: number;
  /** Between two looks. */
  readonly roundMs: number;
  /** Decimals by contract; the chain's own coin has its kind's. */
  readonly tokenDecimals: ReadonlyMap<string, number>;
  /** As long as a payment in no block is looked for, after its address was given out. */
  readonly lifetimeS: number;
  /** Where one wallet serves everybody. */
  readonly strays?: Strays;
}

export interface WatcherLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface WatcherParts {
  readonly store: CryptoStore;
  readonly addresses: AddressStore;
  readonly clock: Clock;
  readonly log: WatcherLog;
  readonly report: (evidence: ProviderEvidence) => Promise<unknown>;
}

/** A tip that stands still for as many intervals, and for half a minute, is a node that sleeps. */
const STALL_INTERVALS = 10;
const STALL_MS = 30_000;
/** A round that catches up ends after this, so that a stop need not wait. */
const LONGEST_ROUND_MS = 60_000;
/** Longer than any round: no other node looks meanwhile, and one that dies gives the chain back. */
const LEASE_S = 240;
/** Nothing is waited for: the node is asked this rarely. */
const IDLE_S = 60;
/** One round; does nothing while the chain is not due. @throws NodeError when the first node does not answer */
export async function watchRound(chain: WatchedChain, parts: WatcherParts): Promise<void> {
  const { store, addresses, clock } = parts;
  const progress = await store.lease(chain.key, LEASE_S);
  if (progress === undefined) return;
  let nextS = chain.roundMs / 1000;
  try {
    const [source] = chain.sources;
    const tip = await source.tip();
    // Coins of a test network are given away: nothing that such a node tells is money.
    if (tip.isForeign) throw new NodeError('The node is of another network');
    sayStalled(chain, progress, tip, parts.log);
    if (!(await addresses.isAnyWatched(chain.key))) {
      await store.keepProgress(chain.key, tip, tip);
      nextS = IDLE_S;
      return;
    }
    const startedAt = clock.now();
    let scanned: Block | undefined = await lookOnce(chain, tip, progress.scanned, progress.openedForS, parts);
    while (scanned !== undefined && scanned.height < tip.height && clock.now() - startedAt < LONGEST_ROUND_MS) {
      scanned = await lookOnce(chain, tip, scanned, 0, parts);
    }
    if (scanned !== undefined && scanned.height < tip.height) nextS = 0;
  } finally {
    await store.release(chain.key, nextS);
  }
}

function sayStalled(chain: WatchedChain, progress: Progress, tip: Tip, log: WatcherLog): void {
  const isStalled =
    progress.tipHeight === tip.height &&
    progress.stalledForS * 1000 > Math.max(chain.intervalMs * STALL_INTERVALS, STALL_MS);
  if (!isStalled) return;
  log.warn({ chain: chain.key, height: tip.height, seconds: Math.round(progress.stalledForS) }, 'no new block');
}

/**
 * Looks through the next blocks and judges what is open. Answers how far the chain is known now; undefined where the node
 * is behind what is known already.
 */
async function lookOnce(
  chain: WatchedChain,
  tip: Tip,
  scanned: Block | undefined,
  openedForS: number,
  parts: WatcherParts,
): Promise<Block | undefined> {
  const { store, log } = parts;
  const [source, ...others] = chain.sources;
  const hashes = new Map<number, Promise<string | undefined>>([[tip.height, Promise.resolve(tip.hash)]]);
  const hashAt = (height: number): Promise<string | undefined> => {
    const asked = hashes.get(height) ?? source.hashAt(height);
    hashes.set(height, asked);
    return asked;
  };
  const { scan, hasForked } = await scanNext(chain, tip, scanned, openedForS, {
    hashAt,
    ours: oursOf(chain.key, parts),
  });
  const isWaiting = await lookAhead(chain, parts);
  await recordOurs(chain, scan?.parts ?? [], parts);

  for (const output of await store.open(chain.key)) {
    const { block, contract } = output;
    if (contract !== '' && !chain.tokenDecimals.has(contract)) {
      log.error({ chain: chain.key, deposit: output.depositId }, 'a token came that the settings no longer name');
      continue;
    }
    const verdict = judgeOutput(output, {
      tip,
      isWaiting: source.unconfirmed === undefined ? false : isWaiting(output),
      hashThere: block && (await hashThere(output, block, { tip, required: chain.required, hasForked, hashAt })),
      required: chain.required,
    });
    if (await isSure(chain, others, output, verdict, log)) await tell(chain, output, verdict, tip, parts);
  }
  if (scan === undefined) return scanned !== undefined && scanned.height <= tip.height ? scanned : undefined;
  await store.keepProgress(chain.key, scan.last, tip);
  return scan.last;
}

function oursOf(chain: string, { addresses }: WatcherParts): Ours {
  return {
    pick: async (asked) => new Set((await addresses.watchedOf(chain, asked)).keys()),
    wallets: () => addresses.wallets(chain),
  };
}

/**
 * Whether every other node sees what moves money in the same way: the same amount of the same transaction in the same block, or
 * that its block is gone. One that does not answer is one that does not agree.
 */
async function isSure(
  chain: WatchedChain,
  others: readonly ChainSource[],
  output: StoredOutput,
  verdict: Verdict,
  log: WatcherLog,
): Promise<boolean> {
  const isCredit = verdict.kind === 'paid' && output.told !== 'paid' && output.told !== 'taken-back';
  if (!isCredit && verdict.kind !== 'taken-back') return true;
  for (const other of others) {
    try {
      if ((await hasPayment(other, output)) === isCredit) continue;
      log.error({ chain: chain.key, deposit: output.depositId }, 'nodes disagree on a payment: nothing of it is moved');
    } catch (error) {
      log.warn({ chain: chain.key, err: error }, 'a second node did not answer: nothing is moved');
    }
    return false;
  }
  return true;
}

async function hasPayment(
  source: ChainSource,
  { txid, address, contract, raw, block }: StoredOutput,
): Promise<boolean> {
  if (block === undefined) return false;
  return source.holds({ txid, address, raw, block, ...(contract !== '' && { contract }) });
}

/** It was taken from its user and lies in the chain again: whether it is given once more is for people to say. */
function tellOfReturn(chain: WatchedChain, { told, goneAtHeight, depositId }: StoredOutput, log: WatcherLog): void {
  if (told !== 'taken-back' || goneAtHeight === undefined) return;
  log.error({ chain: chain.key, deposit: depositId }, 'a payment that was taken back is in the chain again');
}

async function tell(
  chain: WatchedChain,
  output: StoredOutput,
  verdict: Verdict,
  tip: Block,
  { store, log, report }: WatcherParts,
): Promise<void> {
  const keep = (told: StoredOutput['told'], change: { isSettled?: boolean; goneAtHeight?: number } = {}) =>
    store.note(chain.key, output, { told, goneAtHeight: change.goneAtHeight, isSettled: change.isSettled ?? false });
  // What has come back after it was gone is another fact than when it was first seen.
  const back = output.told === 'gone' ? `:back:${output.goneAtHeight ?? tip.height}` : '';
  switch (verdict.kind) {
    case 'missing':
      if (output.goneAtHeight === undefined) {
        log.warn({ chain: chain.key, deposit: output.depositId }, 'a payment has left the chain');
        await keep(output.told, { goneAtHeight: tip.height });
      }
      return;
    case 'unasked':
      return;
    case 'gone':
      log.warn(
        { chain: chain.key, deposit: output.depositId },
        'a payment that was seen is gone: it was never credited',
      );
      await report({
        ...evidenceOf(chain, output, 0),
        outcome: 'vanished',
        eventId: eventOf(chain, output, `gone:${output.goneAtHeight ?? tip.height}`),
      });
      await keep('gone', { goneAtHeight: output.goneAtHeight ?? tip.height });
      return;
    case 'taken-back':
      log.error({ chain: chain.key, deposit: output.depositId }, 'a credited payment was taken out of the chain');
      await report({ ...evidenceOf(chain, output, 0), outcome: 'reversed', eventId: eventOf(chain, output, 'back') });
      await keep('taken-back', { goneAtHeight: output.goneAtHeight ?? tip.height });
      return;
    case 'pending':
      // Credited before a fork that moved it: it stays credited while it is there.
      if (output.told === 'paid' || output.told === 'taken-back') {
        tellOfReturn(chain, output, log);
        await keep(output.told);
        return;
      }
      // Nobody waits for money that names no deposit.
      if (isStray(output.address)) return;
      await report({
        ...evidenceOf(chain, output, verdict.confirmations),
        outcome: 'pending',
        eventId: eventOf(chain, output, `${output.block?.hash ?? 'waiting'}:${verdict.confirmations}${back}`),
      });
      await keep('seen');
      return;
    case 'paid':
      tellOfReturn(chain, output, log);
      if (output.told !== 'paid' && output.told !== 'taken-back') {
        await report({
          ...evidenceOf(chain, output, verdict.confirmations),
          outcome: 'paid',
          eventId: eventOf(chain, output, 'paid'),
        });
      }
      await keep(output.told === 'taken-back' ? 'taken-back' : 'paid', { isSettled: verdict.isSettled });
  }
}

function evidenceOf(
  chain: WatchedChain,
  { depositId, address, txid, raw, coin, contract, firstSeenAt }: StoredOutput,
  confirmations: number,
): Omit<ProviderEvidence, 'outcome' | 'eventId'> {
  const decimals = contract === '' ? chain.kind.decimals : chain.tokenDecimals.get(contract);
  if (decimals === undefined) throw new RangeError('A token of unknown decimals has no amount');
  return {
    provider: PROVIDER_NAME,
    providerRef: refOf(chain.key, address),
    depositId,
    paidMinor: toMinor(raw, decimals),
    currency: coin,
    ...(isStray(address) && {
      unassigned: chain.strays?.operator === undefined ? {} : { operator: chain.strays.operator },
    }),
    chain: {
      txid,
      blockchain: chain.kind.name,
      cryptoCurrency: coin,
      confirmations,
      requiredConfirmations: chain.required,
    },
    at: firstSeenAt.toISOString(),
  };
}

/** The reference of whatever comes to an address; the payments of one address are told apart by their transactions. */
export function refOf(chain: string, address: string): string {
  return `${chain}:${address}`;
}

function eventOf(chain: WatchedChain, { txid, address }: StoredOutput, fact: string): string {
  return `${chain.key}:${txid}:${address}:${fact}`;
}

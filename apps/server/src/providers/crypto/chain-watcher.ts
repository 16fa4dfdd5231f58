/**
 * Watches one chain, a round at a time. It finds payments to our addresses, counts their confirmations, and notices when a fork removes
 * them. Heights repeat after a fork, so the hash of its block identifies a payment, and never the height alone.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { DepositReport } from '../provider.ts';
import type { AddressStore } from './addresses/address-store.ts';
import { type Block, type ChainSource, NodeError, type OurAddresses, type Tip } from './chain/chain-source.ts';
import { type ChainKind, toMinor } from './chain-kinds.ts';
import { hashThere, scanNext } from './chain-scan.ts';
import type { CryptoStore, Progress, StoredOutput } from './crypto-store.ts';
import { judgeOutput, type Verdict } from './judge-output.ts';
import { askUnconfirmed, recordPayments } from './record-payments.ts';
import { isUnassigned } from './ton/ton-wallet.ts';
import type { UnassignedRule } from './unassigned-payments.ts';

export const PROVIDER_NAME = 'crypto';

export interface WatchedChain {
  readonly key: string;
  readonly kind: ChainKind;
  /** The first node is asked for payments. All others must agree before a payment is credited or a credit is taken back. */
  readonly sources: readonly [ChainSource, ...ChainSource[]];
  /** The confirmations that a credit needs. */
  readonly required: number;
  /** The time between two blocks. */
  readonly intervalMs: number;
  /** The time between two rounds. */
  readonly roundMs: number;
  /** Decimals by contract. Those of the chain's own coin are in `kind`. */
  readonly tokenDecimals: ReadonlyMap<string, number>;
  /** How long unconfirmed payments to an address are looked for, after it was given out. */
  readonly lifetimeS: number;
  /** Only where all deposits share one wallet. */
  readonly unassigned?: UnassignedRule;
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
  readonly report: (one: DepositReport) => Promise<unknown>;
  /** Called once all blocks up to the tip are scanned, while no other process watches the chain. */
  readonly atTip?: (height: number) => Promise<void>;
}

/** A node has stopped when its tip stays the same for this many intervals and for half a minute. */
const STALL_INTERVALS = 10;
const STALL_MS = 30_000;
/** A round that catches up ends after this time, so that a stop of the server need not wait longer. */
const LONGEST_ROUND_MS = 60_000;
/** Longer than any round. No other process watches the chain meanwhile, and a process that dies gives it back. */
const LEASE_S = 240;
/** The time between two rounds while no address is watched. */
const IDLE_S = 60;

/** One round. Does nothing while the chain is not due. @throws NodeError when the first node does not answer */
export async function watchRound(chain: WatchedChain, parts: WatcherParts): Promise<void> {
  const { store, addresses, clock } = parts;
  const progress = await store.lease(chain.key, LEASE_S);
  if (progress === undefined) return;
  let nextS = chain.roundMs / 1000;
  try {
    const [source] = chain.sources;
    const tip = await source.tip();
    // Coins of a test network are free, so a payment on such a node is not money.
    if (tip.isForeign) throw new NodeError('The node belongs to another network');
    warnOfStall(chain, progress, tip, parts.log);
    if (!(await addresses.isAnyWatched(chain.key))) {
      await store.keepProgress(chain.key, tip, tip);
      nextS = IDLE_S;
      await parts.atTip?.(tip.height);
      return;
    }
    const startedAt = clock.now();
    let scanned: Block | undefined = await scanOnce(chain, tip, progress.scanned, progress.openedForS, parts);
    while (scanned !== undefined && scanned.height < tip.height && clock.now() - startedAt < LONGEST_ROUND_MS) {
      scanned = await scanOnce(chain, tip, scanned, 0, parts);
    }
    if (scanned !== undefined && scanned.height < tip.height) nextS = 0;
    if (scanned?.height === tip.height) await parts.atTip?.(tip.height);
  } finally {
    await store.release(chain.key, nextS);
  }
}

function warnOfStall(chain: WatchedChain, progress: Progress, tip: Tip, log: WatcherLog): void {
  const isStalled =
    progress.tipHeight === tip.height &&
    progress.stalledForS * 1000 > Math.max(chain.intervalMs * STALL_INTERVALS, STALL_MS);
  if (!isStalled) return;
  log.warn({ chain: chain.key, height: tip.height, seconds: Math.round(progress.stalledForS) }, 'no new block');
}

/**
 * Scans the next blocks and judges all open payments.
 * @returns the last scanned block. Undefined where the node is behind the blocks that were scanned before
 */
async function scanOnce(
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
    ours: ourAddressesOf(chain.key, parts),
  });
  const finalHeightFor = finalHeights(chain, tip, log);
  const isWaiting = await askUnconfirmed(chain, parts);
  await recordPayments(chain, scan?.payments ?? [], parts);

  for (const output of await store.open(chain.key)) {
    const { block, contract } = output;
    if (contract !== '' && !chain.tokenDecimals.has(contract)) {
      log.error(
        { chain: chain.key, deposit: output.depositId },
        'a token arrived that is not in the settings any more',
      );
      continue;
    }
    const { required } = chain;
    const finalHeight = await finalHeightFor(output);
    const verdict = judgeOutput(output, {
      tip,
      isWaiting: source.unconfirmed === undefined ? false : isWaiting(output),
      hashThere: block && (await hashThere(output, block, { tip, required, finalHeight, hasForked, hashAt })),
      required,
      finalHeight,
    });
    if (await othersAgree(chain, others, output, verdict, log)) await report(chain, output, verdict, tip, parts);
  }
  if (scan === undefined) return scanned !== undefined && scanned.height <= tip.height ? scanned : undefined;
  await store.keepProgress(chain.key, scan.last, tip);
  return scan.last;
}

/**
 * Asks for the chain's irreversible height at most once a round, and only where a payment has all its confirmations and no credit yet.
 * A node that does not say it credits nothing.
 */
function finalHeights({ key, sources: [source], required }: WatchedChain, tip: Tip, log: WatcherLog) {
  let asked: Promise<number> | undefined;
  return async ({ block, reported }: StoredOutput): Promise<number | undefined> => {
    const isCredited = reported === 'paid' || reported === 'taken-back';
    if (source.finalHeight === undefined || isCredited) return undefined;
    if (block === undefined || tip.height - block.height + 1 < required) return undefined;
    asked ??= source.finalHeight().catch((error: unknown) => {
      if (!(error instanceof NodeError)) throw error;
      log.warn({ chain: key, err: error }, 'the node does not say which blocks are final: nothing is credited');
      return -1;
    });
    return asked;
  };
}

function ourAddressesOf(chain: string, { addresses }: WatcherParts): OurAddresses {
  return {
    pick: async (asked) => new Set((await addresses.watchedOf(chain, asked)).keys()),
    wallets: () => addresses.wallets(chain),
    watched: (after, most) => addresses.watchedAfter(chain, after, most),
  };
}

/**
 * Whether every other node agrees with a verdict that moves money. For a credit, each must have the same amount of the same transaction
 * in the same block. For a credit that is taken back, none may have it. A node that does not answer does not agree.
 */
async function othersAgree(
  chain: WatchedChain,
  others: readonly ChainSource[],
  output: StoredOutput,
  verdict: Verdict,
  log: WatcherLog,
): Promise<boolean> {
  const isCredit = verdict.kind === 'paid' && output.reported !== 'paid' && output.reported !== 'taken-back';
  if (!isCredit && verdict.kind !== 'taken-back') return true;
  for (const other of others) {
    try {
      // A second node that is only behind does not disagree. The payment waits for it.
      if (isCredit && !(await isFinalAt(other, output.block))) return false;
      if ((await hasPayment(other, output)) === isCredit) continue;
      log.error({ chain: chain.key, deposit: output.depositId }, 'nodes disagree on a payment: it is not credited');
    } catch (error) {
      log.warn({ chain: chain.key, err: error }, 'a second node did not answer: nothing is credited');
    }
    return false;
  }
  return true;
}

async function isFinalAt(source: ChainSource, block: Block | undefined): Promise<boolean> {
  if (source.finalHeight === undefined) return true;
  return block !== undefined && block.height <= (await source.finalHeight());
}

async function hasPayment(
  source: ChainSource,
  { txid, address, contract, raw, block }: StoredOutput,
): Promise<boolean> {
  if (block === undefined) return false;
  return source.holds({ txid, address, raw, block, ...(contract !== '' && { contract }) });
}

/** A credit that was taken back is not given again by itself. Staff decide when its payment is in the chain again. */
function logReturn(chain: WatchedChain, { reported, goneAtHeight, depositId }: StoredOutput, log: WatcherLog): void {
  if (reported !== 'taken-back' || goneAtHeight === undefined) return;
  log.error({ chain: chain.key, deposit: depositId }, 'a reversed payment is in the chain again');
}

/** Reports what has changed since the last round, and stores that it was reported. */
async function report(
  chain: WatchedChain,
  output: StoredOutput,
  verdict: Verdict,
  tip: Block,
  { store, log, report: send }: WatcherParts,
): Promise<void> {
  const keep = (reported: StoredOutput['reported'], change: { isSettled?: boolean; goneAtHeight?: number } = {}) =>
    store.note(chain.key, output, {
      reported,
      goneAtHeight: change.goneAtHeight,
      isSettled: change.isSettled ?? false,
    });
  // A payment that came back after it was gone is a new fact, with a new event id.
  const back = output.reported === 'gone' ? `:back:${output.goneAtHeight ?? tip.height}` : '';
  switch (verdict.kind) {
    case 'missing':
      if (output.goneAtHeight === undefined) {
        log.warn({ chain: chain.key, deposit: output.depositId }, 'a payment has left the chain');
        await keep(output.reported, { goneAtHeight: tip.height });
      }
      return;
    case 'unasked':
      return;
    case 'gone':
      log.warn(
        { chain: chain.key, deposit: output.depositId },
        'a payment that was seen is no longer in the chain: it was not credited',
      );
      await send({
        ...reportOf(chain, output, 0),
        outcome: 'vanished',
        eventId: eventOf(chain, output, `gone:${output.goneAtHeight ?? tip.height}`),
      });
      await keep('gone', { goneAtHeight: output.goneAtHeight ?? tip.height });
      return;
    case 'taken-back':
      log.error({ chain: chain.key, deposit: output.depositId }, 'a credited payment is no longer in the chain');
      await send({ ...reportOf(chain, output, 0), outcome: 'reversed', eventId: eventOf(chain, output, 'back') });
      await keep('taken-back', { goneAtHeight: output.goneAtHeight ?? tip.height });
      return;
    case 'pending':
      // A fork moved a credited payment to a newer block. It stays credited while it is in the chain.
      if (output.reported === 'paid' || output.reported === 'taken-back') {
        logReturn(chain, output, log);
        await keep(output.reported);
        return;
      }
      // No payer waits for the confirmations of a payment that names no deposit.
      if (isUnassigned(output.address)) return;
      await send({
        ...reportOf(chain, output, verdict.confirmations),
        outcome: 'pending',
        eventId: eventOf(chain, output, `${output.block?.hash ?? 'waiting'}:${verdict.confirmations}${back}`),
      });
      await keep('seen');
      return;
    case 'paid':
      logReturn(chain, output, log);
      if (output.reported !== 'paid' && output.reported !== 'taken-back') {
        await send({
          ...reportOf(chain, output, verdict.confirmations),
          outcome: 'paid',
          eventId: eventOf(chain, output, 'paid'),
        });
      }
      await keep(output.reported === 'taken-back' ? 'taken-back' : 'paid', { isSettled: verdict.isSettled });
  }
}

function reportOf(
  chain: WatchedChain,
  { depositId, address, txid, raw, coin, contract, firstSeenAt }: StoredOutput,
  confirmations: number,
): Omit<DepositReport, 'outcome' | 'eventId'> {
  const decimals = contract === '' ? chain.kind.decimals : chain.tokenDecimals.get(contract);
  if (decimals === undefined) throw new RangeError(`The decimals of token ${contract} are unknown`);
  return {
    provider: PROVIDER_NAME,
    providerRef: refOf(chain.key, address),
    depositId,
    paidMinor: toMinor(raw, decimals),
    currency: coin,
    ...(isUnassigned(address) && {
      unassigned: chain.unassigned?.operator === undefined ? {} : { operator: chain.unassigned.operator },
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

/** `providerRef` of all payments to an address. Event ids and transaction ids tell the payments apart. */
export function refOf(chain: string, address: string): string {
  return `${chain}:${address}`;
}

function eventOf(chain: WatchedChain, { txid, address }: StoredOutput, fact: string): string {
  return `${chain.key}:${txid}:${address}:${fact}`;
}

/**
 * Looks through one chain, a round at a time: what came to our addresses, how deep it lies, and whether it still lies there. A
 * payment counts by the hash of its block in the chain as it is now, never by its height alone: heights repeat after a fork.
 */
import type { ProviderEvidence } from '../provider.ts';
import type { AddressStore } from './address-store.ts';
import { type ChainKind, toMinor } from './chain-kinds.ts';
import { type Block, type ChainSource, type Incoming, NodeError } from './chain-source.ts';
import type { CryptoStore, StoredOutput } from './crypto-store.ts';
import { judgeOutput, type Verdict } from './judge-output.ts';
import { isStray, keepStrays, type Strays, strayDestination } from './stray.ts';

export const PROVIDER_NAME = 'crypto';

export interface WatchedChain {
  readonly key: string;
  readonly kind: ChainKind;
  /** The first is asked for payments; every other must see the same before anything is credited or taken back. */
  readonly sources: readonly [ChainSource, ...ChainSource[]];
  readonly required: number;
  readonly intervalMs: number;
  /** Decimals by contract; the chain's own coin has its kind's. */
  readonly tokenDecimals: ReadonlyMap<string, number>;
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
  readonly log: WatcherLog;
  readonly report: (evidence: ProviderEvidence) => Promise<unknown>;
}

/** Looked at again each time: behind one address there are often several nodes, of which some lag. */
const LOOKED_AT_AGAIN = 3;
/** Nodes refuse longer ranges, and a round must end. */
const MOST_BLOCKS = 50;
/** A tip that stands still for as many intervals is a node that sleeps. */
const STALL_INTERVALS = 10;

/** One round; does nothing while the chain is not due. @throws NodeError when the first node does not answer */
export async function watchRound(
  chain: WatchedChain,
  { store, addresses: given, log, report }: WatcherParts,
): Promise<void> {
  const everyS = Math.min(Math.max(chain.intervalMs / 2000, 1), 30);
  const progress = await store.lease(chain.key, everyS);
  if (progress === undefined) return;
  const [source, ...others] = chain.sources;
  const tip = await source.tip();
  // Coins of a test network are given away: nothing that such a node tells is money.
  if (tip.isForeign) throw new NodeError('The node is of another network');
  if (progress.tipHeight === tip.height && progress.stalledForS * 1000 > chain.intervalMs * STALL_INTERVALS) {
    log.warn({ chain: chain.key, height: tip.height, seconds: Math.round(progress.stalledForS) }, 'no new block');
  }

  const hashes = new Map<number, Promise<string | undefined>>([[tip.height, Promise.resolve(tip.hash)]]);
  const hashAt = (height: number): Promise<string | undefined> => {
    const asked = hashes.get(height) ?? source.hashAt(height);
    hashes.set(height, asked);
    return asked;
  };

  const from = await startOf(progress.scanned, tip, chain.required, hashAt);
  const to = Math.min(tip.height, from + MOST_BLOCKS - 1);
  const addresses = await given.watched(chain.key);
  const wanted = new Map(addresses.map(({ address, contract }) => [address, contract]));
  const came = await source.incoming(
    addresses.map(({ address }) => address),
    { from, to },
  );
  const isWanted = ({ address, contract = '' }: Incoming): boolean => wanted.get(address) === contract;
  const unwanted = came.filter((part) => !isWanted(part));
  const shared =
    chain.strays && unwanted.length > 0 ? await ofSharedWallet(given, chain.key, chain.strays, unwanted) : [];
  const reported = [...came.filter(isWanted), ...shared];
  await store.record(chain.key, reported);
  const isReported = new Set(reported.map(({ txid, address }) => `${txid} ${address}`));

  for (const output of await store.open(chain.key)) {
    const { block, contract } = output;
    if (contract !== '' && !chain.tokenDecimals.has(contract)) {
      log.error({ chain: chain.key, deposit: output.depositId }, 'a token came that the settings no longer name');
      continue;
    }
    const verdict = judgeOutput(output, {
      tip,
      isReported: isReported.has(`${output.txid} ${output.address}`),
      hashThere: block === undefined || block.height > tip.height ? undefined : await hashAt(block.height),
      required: chain.required,
    });
    if (await isSure(chain, others, output, verdict, log))
      await tell(chain, output, verdict, tip, { store, log, report });
  }
  const scannedHash = await hashAt(to);
  // Gone between two questions: the next round starts where this one did.
  if (scannedHash !== undefined) await store.keepProgress(chain.key, { height: to, hash: scannedHash }, tip);
}

/**
 * What came to the one wallet beside what is watched. A memo stays its deposit's for ever: a payment that was booked for it while it was
 * watched is met again by the rounds after, and must not be taken for another one.
 */
async function ofSharedWallet(
  store: AddressStore,
  chain: string,
  strays: Strays,
  parts: readonly Incoming[],
): Promise<Incoming[]> {
  const given = await store.givenOf(
    chain,
    parts.map(({ address }) => address),
  );
  const isGiven = ({ address, contract = '' }: Incoming): boolean => given.get(address) === contract;
  const nobodys = parts.filter((part) => !isGiven(part));
  return [...parts.filter(isGiven), ...(await keepStrays(store, chain, strays, nobodys))];
}

/** The next block that was not looked at; after a fork as far back as forks go. */
async function startOf(
  scanned: Block | undefined,
  tip: Block,
  required: number,
  hashAt: (height: number) => Promise<string | undefined>,
): Promise<number> {
  // The first address may be paid before the first round.
  if (scanned === undefined) return Math.max(0, tip.height - MOST_BLOCKS + 1);
  const isSame = scanned.height <= tip.height && (await hashAt(scanned.height)) === scanned.hash;
  if (isSame) return Math.max(0, scanned.height + 1 - LOOKED_AT_AGAIN);
  return Math.max(0, Math.min(scanned.height, tip.height) - required * 2);
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
  if ((await source.hashAt(block.height)) !== block.hash) return false;
  const found = await source.incoming([address], { from: block.height, to: block.height });
  return found.some(
    (part) =>
      part.txid === txid &&
      (part.contract ?? '') === contract &&
      (isStray(address) ? strayDestination(part) : part.address) === address &&
      part.raw === raw &&
      part.block?.hash === block.hash,
  );
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
  { store, log, report }: Omit<WatcherParts, 'addresses'>,
): Promise<void> {
  const keep = (told: StoredOutput['told'], change: { isSettled?: boolean; goneAtHeight?: number } = {}) =>
    store.note(chain.key, output, { told, goneAtHeight: change.goneAtHeight, isSettled: change.isSettled ?? false });
  switch (verdict.kind) {
    case 'missing':
      if (output.goneAtHeight === undefined) {
        log.warn({ chain: chain.key, deposit: output.depositId }, 'a payment has left the chain');
        await keep(output.told, { goneAtHeight: tip.height });
      }
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
        eventId: eventOf(chain, output, `${output.block?.hash ?? 'waiting'}:${verdict.confirmations}`),
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

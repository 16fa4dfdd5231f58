/**
 * One round over the payouts of one hot wallet: report ends, find transactions on the chain, ask the signer, begin the next ones.
 *
 * The lease of the wallet only saves work. Two processes in one round still pay once. Every change names the state that it starts from,
 * and a slot is reserved by a unique index. Signed bytes are stored before they are sent, and never change.
 */
import {
  BEING_CHECKED,
  type ChainPayoutDecision,
  decideChainPayout,
  ON_THE_WAY,
} from '@opencashier/core/chain-payout/chain-payout';
import { isWorthSigning } from '@opencashier/core/chain-payout/expiring-payout';
import { type HotWalletLimits, waitOf } from '@opencashier/core/chain-payout/hot-wallet-limits';
import { toDecimalString } from '@opencashier/core/money/money';
import { NodeError, NodeSilenceError } from '../chain/chain-source.ts';
import { agreedSighting } from './agreed-sighting.ts';
import type { Signer } from './ask-signer.ts';
import { bookFees, type FeeBook, type FeeCoin } from './book-fees.ts';
import { walletDoubt } from './judge-wallet.ts';
import { noteLowBalance } from './low-balance.ts';
import type { PayoutRail } from './payout-rail.ts';
import { type EndParts, reportEnds } from './payout-report.ts';
import type { CoinPayout, CoinTransaction } from './payout-rows.ts';
import type { PayoutStore } from './payout-store.ts';
import type { WalletStore } from './wallet-store.ts';

/** A wallet that pays out, with what it needs. */
export interface PayingWallet {
  readonly chain: string;
  /** The first node is asked. All others must agree before a payout ends. */
  readonly rails: readonly [PayoutRail, ...PayoutRail[]];
  readonly signer: Signer;
  readonly required: number;
  readonly raiseFeeAfterS: number;
  readonly roundMs: number;
  /** In minor units, by coin. */
  readonly limits: ReadonlyMap<string, HotWalletLimits>;
  /** In the smallest unit, by contract. */
  readonly lowBalance: ReadonlyMap<string, { readonly coin: string; readonly raw: bigint }>;
  /** The decimals of each asset, by contract. */
  readonly decimals: ReadonlyMap<string, number>;
  readonly feeCoin: FeeCoin;
}

export interface RoundParts extends EndParts {
  readonly store: PayoutStore;
  readonly wallets: WalletStore;
  readonly fees: FeeBook;
  /** Lives as long as the process. */
  readonly queue: QueuePlace;
}

/** Where the next round looks into the queue of a wallet. */
interface QueuePlace {
  /** The payouts at the front that are passed over, because none of them could begin in the last round. */
  passedOver: number;
}

/** Longer than any round. A process that dies gives the wallet back after this time. */
const LEASE_S = 60;
/** Payouts of one wallet that are on their way at a time. Nodes keep about this many transactions of one sender. */
const MOST_ON_THE_WAY = 16;
/** Payouts that a round looks at. */
const MOST_A_ROUND = 50;
/** A node that is silent this often is not asked any more in a round. */
const MOST_SILENCES = 3;
/** The reason of a payout that waits because its node does not prepare it. */
const REFUSED_BY_NODE = 'node-refused';
/** Transactions of one slot that were signed, or wait for it. */
const MOST_VERSIONS = 5;

/** Does nothing while another process works on the wallet. Never throws for a fault of a node or the signer. */
export async function payoutRound(wallet: PayingWallet, parts: RoundParts): Promise<void> {
  const { wallets, log } = parts;
  const place = placeOf(wallet);
  if (!(await wallets.lease(place, LEASE_S))) return;
  try {
    await reportEnds(place, MOST_A_ROUND, parts);
    for (const step of [watchAll, bookEnded, signAll, beginNext, noteLowBalance]) {
      try {
        await step(wallet, parts);
      } catch (error) {
        if (!(error instanceof NodeError)) throw error;
        log.warn({ chain: place.chain, err: error }, 'a node did not help with payouts');
      }
    }
    await reportEnds(place, MOST_A_ROUND, parts);
  } finally {
    await wallets.release(place, wallet.roundMs / 1000);
  }
}

const bookEnded = (wallet: PayingWallet, { fees }: RoundParts): Promise<void> => bookFees(wallet, fees, MOST_A_ROUND);

const placeOf = ({ chain, rails: [{ wallet }] }: PayingWallet) => ({ chain, wallet });

async function watchAll(wallet: PayingWallet, parts: RoundParts): Promise<void> {
  const place = placeOf(wallet);
  const found = [
    // Of a payout that waits for its signature a block may have the transaction, where the signer's answer was lost.
    ...(await parts.store.inStates(place, ['prepared', ...ON_THE_WAY], MOST_A_ROUND)),
    ...(await parts.store.inStates(place, BEING_CHECKED, MOST_A_ROUND)),
  ];
  await eachAlone(found, parts, async (payout) => {
    await watchOne(wallet, payout, parts);
    return true;
  });
}

/**
 * Works on each payout alone, so that one that a node refuses holds up no other.
 * @param work false: no more payouts
 */
async function eachAlone(
  payouts: readonly CoinPayout[],
  { log, store }: RoundParts,
  work: (payout: CoinPayout) => Promise<boolean>,
): Promise<void> {
  let silences = 0;
  for (const payout of payouts) {
    try {
      if (!(await work(payout))) return;
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      const { chain, withdrawalId, reason } = payout;
      if (reason !== REFUSED_BY_NODE)
        log.warn({ chain, withdrawalId, err: error }, 'a node did not help with a payout');
      if (error instanceof NodeSilenceError && ++silences >= MOST_SILENCES) return;
      if (payout.state === 'queued') await store.noteReason(payout, REFUSED_BY_NODE);
    }
  }
}

async function watchOne(wallet: PayingWallet, payout: CoinPayout, parts: RoundParts): Promise<void> {
  const { store, failpoint } = parts;
  const all = await store.transactionsOf(payout);
  const live = all.filter(({ isOver }) => !isOver);
  const sought = live.filter(({ hash, expiresInS }) => hash !== null || expiresInS !== null);
  // Nothing of ours can be on the chain.
  if (sought.length === 0) return;
  const signed = live.filter(({ hash }) => hash !== null);
  const newest = signed.at(-1);
  const isSigning = newest !== live.at(-1);
  const seen = await agreedSighting(wallet, payout, await store.slotsOf(payout), sought);
  const rules = { required: wallet.required, bumpAfterS: wallet.raiseFeeAfterS, mostVersions: MOST_VERSIONS };
  const facts = {
    state: payout.state,
    sentForS: newest?.sentForS ?? 0,
    // Older transactions without a signature count for nothing: their time ended before anybody signed them.
    versions: signed.length + Number(isSigning),
    isSigning,
    mayExpire: newest !== undefined && newest.expiresInS !== null,
    isOutOfTime: newest !== undefined && wallet.rails[0].isOutOfTime?.(newest.unsigned) === true,
  };
  const decision = decideChainPayout(facts, seen.sighting, rules);
  if (seen.sighting.kind === 'expired') {
    await expire(payout, sought, decision, parts);
    return;
  }
  if (decision.to !== payout.state) {
    const { sighting, fee } = seen;
    const hash = sighting.kind === 'mined' ? sighting.hash : undefined;
    await store.move(payout, decision.to, { hash, fee, reason: reasonOf(decision) });
    warnOfEnd(payout, decision, parts);
    if (decision.to === 'confirmed' || decision.to === 'failed') failpoint?.('coin-ended');
  }
  if (newest === undefined) return;
  await take(wallet, { ...payout, state: decision.to }, { decision, newest, versions: all.length }, parts);
}

/** The payout's one transaction can never be mined. The payout begins again, or staff decide. */
async function expire(
  payout: CoinPayout,
  [transaction]: readonly CoinTransaction[],
  { to }: ChainPayoutDecision,
  { store, log, failpoint }: RoundParts,
): Promise<void> {
  if (transaction === undefined) return;
  const { version } = transaction;
  // Without a signature the chain could not take it, so only the signer was late.
  const reason = transaction.hash === null ? undefined : 'stuck';
  if (!(await store.expire(payout, version, { to: to === 'queued' ? to : undefined, reason }))) return;
  const ids = { withdrawalId: payout.withdrawalId, chain: payout.chain, version };
  log.warn(ids, 'a transaction of a payout has expired in no block');
  failpoint?.('coin-expired');
}

const reasonOf = ({ to }: ChainPayoutDecision): string | undefined =>
  to === 'failed' ? 'refused-by-chain' : to === 'displaced' ? 'slot-spent' : undefined;

function warnOfEnd(payout: CoinPayout, { to }: ChainPayoutDecision, { log }: RoundParts): void {
  const ids = { withdrawalId: payout.withdrawalId, chain: payout.chain };
  if (to === 'displaced') log.error(ids, 'a transaction that is not ours spent what a payout had reserved');
  if (to === 'failed') log.error(ids, 'the chain refused a payout');
}

interface Decided {
  readonly decision: ChainPayoutDecision;
  readonly newest: CoinTransaction;
  readonly versions: number;
}

async function take(
  wallet: PayingWallet,
  payout: CoinPayout,
  { decision: { step }, newest, versions }: Decided,
  parts: RoundParts,
): Promise<void> {
  const { store, log } = parts;
  const [rail] = wallet.rails;
  if (step === 'send') await send(wallet, payout, newest, parts);
  if (step !== 'bump' && step !== 'stuck') return;
  const replacement = step === 'bump' ? await rail.replace(payout, newest) : undefined;
  if (replacement !== undefined) {
    await store.addVersion(payout, versions + 1, replacement);
    return;
  }
  // Once is enough: the alert goes on.
  if (payout.reason === 'stuck') return;
  await store.noteReason(payout, 'stuck');
  const ids = { withdrawalId: payout.withdrawalId, chain: payout.chain };
  log.error(ids, 'a payout stays in no block, and its fee cannot be raised further');
}

/** A failure says nothing: the node may have the bytes. Sending them again changes nothing. */
async function send(
  { rails }: PayingWallet,
  payout: CoinPayout,
  { version, signed }: Pick<CoinTransaction, 'version' | 'signed'>,
  { store, log, failpoint }: RoundParts,
): Promise<void> {
  if (signed === null) return;
  await store.noteSent(payout, version);
  for (const rail of rails) {
    try {
      await rail.send(signed);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      log.warn({ withdrawalId: payout.withdrawalId, chain: payout.chain, err: error }, 'a node did not take a payout');
    }
  }
  failpoint?.('coin-sent');
  if (payout.state === 'signed') await store.move(payout, 'broadcast');
  failpoint?.('coin-broadcast');
}

/** A transaction that is about to expire is not signed any more. Another one is prepared when it has expired. */
async function signAll(wallet: PayingWallet, parts: RoundParts): Promise<void> {
  const { store } = parts;
  for (const payout of await store.inStates(placeOf(wallet), ['prepared', 'broadcast'], MOST_A_ROUND)) {
    const last = (await store.transactionsOf(payout)).at(-1);
    if (last === undefined || last.hash !== null || last.isOver || !isWorthSigning(last.expiresInS)) continue;
    const unsigned = await inTime(wallet, payout, last, parts);
    // A signer that is silent is silent for all.
    if (!(await signOne(wallet, payout, unsigned, parts))) return;
  }
}

/** An order whose time ended before it was signed would be signed in vain. The next one spends the same slot. So people may sign late. */
async function inTime(
  { rails: [rail] }: PayingWallet,
  payout: CoinPayout,
  last: CoinTransaction,
  { store }: RoundParts,
): Promise<CoinTransaction> {
  if (rail.isOutOfTime?.(last.unsigned) !== true) return last;
  const replacement = await rail.replace(payout, last);
  if (replacement === undefined) return last;
  await store.addVersion(payout, last.version + 1, replacement);
  return (await store.transactionsOf(payout)).at(-1) ?? last;
}

/** @returns false when the signer did not answer */
async function signOne(
  wallet: PayingWallet,
  payout: CoinPayout,
  { version, unsigned, mostFee }: CoinTransaction,
  parts: RoundParts,
): Promise<boolean> {
  const { store, wallets, log, failpoint } = parts;
  const { withdrawalId, chain, coin, contract, address, raw } = payout;
  const [rail] = wallet.rails;
  const answer = await wallet.signer({
    withdrawalId,
    operator: payout.operatorId,
    version,
    chain,
    wallet: rail.wallet,
    pays: {
      coin,
      ...(contract !== '' && { contract }),
      ...(rail.payee?.(address) ?? { address }),
      amount: toDecimalString(raw, wallet.decimals.get(contract) ?? 0),
      units: String(raw),
    },
    mostFeeUnits: String(mostFee),
    format: rail.format,
    unsigned,
  });
  failpoint?.('coin-answered');
  await wallets.noteSigner(placeOf(wallet), answer.kind !== 'silent');
  if (answer.kind === 'silent') {
    log.warn({ chain, withdrawalId, why: answer.why }, 'the signer did not answer');
    return false;
  }
  if (answer.kind === 'later') return true;
  if (answer.kind === 'refused') {
    await refuse(payout, version, { reason: `signer-${answer.code}`, isReleased: true }, parts);
    return true;
  }
  const verdict = rail.verify(unsigned, answer.transaction);
  if (verdict.kind === 'bad') {
    // The signer may have more such signatures, so the slot stays with this payout.
    await refuse(payout, version, { reason: `wrong-${verdict.why}`, isReleased: false }, parts);
    return true;
  }
  if (await store.storeSigned(payout, version, verdict)) {
    failpoint?.('coin-signed');
    const state = payout.state === 'prepared' ? 'signed' : payout.state;
    await send(wallet, { ...payout, state }, { version, signed: verdict.signed }, parts);
  }
  return true;
}

/** A refused replacement changes nothing: an earlier transaction of the same slot is on its way. */
async function refuse(
  payout: CoinPayout,
  version: number,
  { reason, isReleased }: { readonly reason: string; readonly isReleased: boolean },
  { store, log }: RoundParts,
): Promise<void> {
  const ids = { withdrawalId: payout.withdrawalId, chain: payout.chain, version, reason };
  if (payout.reason !== reason) log.error(ids, 'the signer did not sign what it was asked for');
  if (payout.state === 'prepared') await store.refuse(payout, reason, isReleased);
  else await store.noteReason(payout, reason);
}

/**
 * Begins payouts that wait. At most one of a wallet is without a signature at a time, so a payout that the signer refuses leaves no gap
 * in the nonces. A payout for which the signer returned something else stops the wallet until staff decide.
 *
 * When no payout of the front can begin, the next round looks further down. So many payouts that wait for a limit hold up no other.
 */
async function beginNext(wallet: PayingWallet, parts: RoundParts): Promise<void> {
  const { store } = parts;
  const place = placeOf(wallet);
  const { queue } = parts;
  const waiting = await store.queued(place, queue.passedOver, MOST_A_ROUND);
  if (waiting.length === 0 && queue.passedOver === 0) await parts.wallets.endDoubt(place);
  let looked = 0;
  let hasBegun = false;
  await eachAlone(waiting, parts, async (payout) => {
    if (await store.isUnsigned(place)) return false;
    const reserved = await store.reserved(place);
    if (reserved.count >= MOST_ON_THE_WAY) return false;
    looked += 1;
    const end = await begin(wallet, payout, reserved, parts);
    hasBegun ||= end === 'begun';
    if (end !== 'wallet-waits') return true;
    // The next round begins with the same payout.
    looked -= 1;
    return false;
  });
  const isAtEnd = looked === waiting.length && waiting.length < MOST_A_ROUND;
  queue.passedOver = hasBegun || isAtEnd ? 0 : queue.passedOver + looked;
}

/** @returns `wallet-waits`: no other payout can begin either */
async function begin(
  wallet: PayingWallet,
  payout: CoinPayout,
  reserved: Awaited<ReturnType<PayoutStore['reserved']>>,
  parts: RoundParts,
): Promise<'begun' | 'waits' | 'wallet-waits'> {
  const { store, log, failpoint } = parts;
  const [rail] = wallet.rails;
  const limits = wallet.limits.get(payout.coin) ?? {};
  const spent = await store.spent(placeOf(wallet), payout.operatorId, payout.coin);
  const wait = waitOf(payout.minor, spent, limits);
  const coin = reserved.of('') + reserved.fees;
  const asset = payout.contract === '' ? coin : reserved.of(payout.contract);
  const prepared =
    wait === undefined
      ? await rail.prepare(payout, await store.takenSlots(placeOf(wallet)), { coin, asset })
      : ({ kind: 'wait', why: wait } as const);
  const judged = { rails: wallet.rails, place: placeOf(wallet) };
  const why = prepared.kind === 'wait' ? prepared.why : await walletDoubt(judged, prepared, parts);
  if (prepared.kind === 'wait' || why !== undefined) {
    if (why !== undefined && payout.reason !== why)
      log.warn({ withdrawalId: payout.withdrawalId, chain: payout.chain, why }, 'a payout waits');
    await store.noteReason(payout, why ?? null);
    return prepared.kind === 'wait' ? 'waits' : 'wallet-waits';
  }
  if (!(await store.reserve(payout, prepared))) return 'waits';
  failpoint?.('coin-reserved');
  await signAll(wallet, parts);
  return 'begun';
}

/**
 * Coins straight from their chains (SRV-4). Each deposit gets a receiving address of its own, derived from the operator's account key.
 * Where all deposits share one wallet, each gets a memo of its own. There are no callbacks: a watcher per chain reads the payments
 * from nodes that the operator chose.
 */
import { createHash } from 'node:crypto';
import { findChain } from '@opencashier/core/crypto/chains';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../../database/database.ts';
import type { CompareReading } from '../chain-reading.ts';
import type { CoinFailpoint } from '../coin-failpoints.ts';
import type { CoinSignatures } from '../coin-signatures.ts';
import type { DepositReport, Provider, ProviderCreateResult, ProviderDeposit } from '../provider.ts';
import { AddressGiver } from './addresses/address-giver.ts';
import { AddressStore } from './addresses/address-store.ts';
import type { AddressedChain } from './addresses/lost-addresses.ts';
import { BalanceStore } from './balances/balance-store.ts';
import { compareBalances, type ReadChain, readBalances } from './balances/read-balances.ts';
import { createEsploraSource } from './bitcoin/esplora-source.ts';
import type { ChainSource } from './chain/chain-source.ts';
import { createPacer, type NodeAddress } from './chain/node-http.ts';
import { type AddressPlace, readAccountKey, receivingAddress } from './chain/receiving-address.ts';
import {
  type Asset,
  BOOK_DECIMALS,
  type ChainKind,
  chainKeyOf,
  chainKinds,
  type Finality,
  toMinor,
  toRaw,
} from './chain-kinds.ts';
import { PROVIDER_NAME, refOf, type WatchedChain, type WatcherLog, watchRound } from './chain-watcher.ts';
import { readContract } from './contract-address.ts';
import type { ChainSettings, CryptoSettings } from './crypto-settings.ts';
import { CryptoStore } from './crypto-store.ts';
import { createEvmSource } from './evm/evm-source.ts';
import type { FeeBooking } from './payouts/book-fees.ts';
import { createCoinPayouts, openWallet, type PayingChain } from './payouts/coin-payouts.ts';
import { readPreparedAddresses } from './solana/solana-address.ts';
import { SolanaSource } from './solana/solana-source.ts';
import { TonSource } from './ton/ton-source.ts';
import { destinationOf, readTonWallet, splitDestination, tonMemo } from './ton/ton-wallet.ts';
import { createTronSource } from './tron/tron-source.ts';

export interface CryptoOptions {
  readonly settings: CryptoSettings;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: WatcherLog;
  /** Books what networks take. Chains that pay out need it. */
  readonly bookFee?: FeeBooking;
  /** Compares what chains have with the ledger. Absent: balances are not read. */
  readonly compare?: CompareReading;
  /** For tests that end the process. */
  readonly failpoint?: ((name: CoinFailpoint) => void) | undefined;
}

export interface CryptoProvider extends Provider {
  /** Absent: no wallet is signed by file. */
  readonly coinSignatures?: CoinSignatures;
}

/** How long an address is watched for late payments. */
const WATCHED_FOR_S = 31 * 86_400;
const LIFETIME_S = 24 * 3600;
/** Requests of the watch to each node, unless the settings say otherwise. Far below the limits of public nodes. */
const QUESTIONS_PER_SECOND = 5;

/** The time between two tries to start a round. A round does nothing while its chain is not due. */
const WATCH_IDLE_MS = 1000;

/** Less than the time of a block, so that a credit is never two blocks late. */
function roundMsOf(intervalMs: number): number {
  return Math.min(Math.max((intervalMs * 2) / 3, 1000), 30_000);
}

export interface OpenChain extends WatchedChain, AddressedChain {
  readonly sources: WatchedChain['sources'];
  readonly assets: readonly Asset[];
  /** Which blocks a credit needs besides its confirmations. Absent: confirmations alone decide. */
  readonly finality?: Finality;
  /** The partner key of the operator who owns the hot wallet. */
  readonly owner?: string;
  /** The address of all deposits, where they share one. */
  readonly sharedWallet?: string;
}

/**
 * @throws AccountKeyError, WalletError for an account that cannot be used
 * @throws RangeError for a chain that cannot be watched, and for an account that two chains share
 */
export function createCryptoProvider(options: CryptoOptions): CryptoProvider {
  const { settings, database, clock, log } = options;
  const store = new CryptoStore(database);
  const addresses = new AddressStore(database);
  const chains = openChains(settings, log, clock);
  refuseSharedAccounts(chains);
  const paying = payingChains(chains, settings);
  const balances = balanceRounds(paying, options);
  const noteWatched = watchNotes(store, clock);
  const givers = new Map(
    [...chains].map(([key, chain]) => [key, new AddressGiver(chain, { store: addresses, clock, log })]),
  );
  const keepOnce = keptOnce(addresses);

  async function create(deposit: ProviderDeposit): Promise<ProviderCreateResult> {
    const key = chainKeyOf(deposit.fields['network'] ?? deposit.providerOptions['network'] ?? '');
    const chain = key === undefined ? undefined : chains.get(key);
    const giver = key === undefined ? undefined : givers.get(key);
    const asset = chain?.assets.find(({ coin }) => coin === deposit.currency);
    if (chain === undefined || giver === undefined || asset === undefined) {
      return { kind: 'failed', code: 'network-not-set-up' };
    }
    const given = await giver.give({
      depositId: deposit.depositId,
      coin: asset.coin,
      contract: asset.contract ?? '',
      watchedForS: WATCHED_FOR_S,
    });
    // While the chain is silent, nobody can see a payment or know that the address is new.
    if (given === undefined) return { kind: 'failed', code: 'no-address' };
    return {
      kind: 'created',
      providerRef: refOf(chain.key, given.address),
      lifetimeSeconds: LIFETIME_S,
      data: {
        ...(chain.kind.family === 'ton' ? shownDestination(given.address) : { depositAddress: given.address }),
        // The same amount as in the QR code, also for a coin with fewer decimals than the ledger.
        minDepositValue: toDecimalString(
          toMinor(toRaw(deposit.amountMinor, asset.decimals), asset.decimals),
          BOOK_DECIMALS,
        ),
        cryptoName: asset.coin,
        network: deposit.fields['network'] ?? deposit.providerOptions['network'] ?? chain.key,
        qrCodeText: chain.kind.code(asset, given.address, deposit.amountMinor),
      },
    };
  }

  return {
    name: PROVIDER_NAME,
    hasNetwork: (network) => chains.has(chainKeyOf(network) ?? ''),
    create,
    ...payoutHalf(paying, options),
    async beforeStart() {
      await Promise.all([...givers.values()].map((giver) => giver.beforeStart()));
    },
    /** Says only whether the deposit has an address. The watcher reports the payments by itself. */
    async inquire({ depositId }): Promise<DepositReport | undefined> {
      const given = await addresses.ofDeposit(depositId);
      if (given === undefined) return undefined;
      const providerRef = refOf(given.chain, given.address);
      return {
        provider: PROVIDER_NAME,
        providerRef,
        depositId,
        outcome: 'pending',
        eventId: `${providerRef}:waiting`,
        at: new Date(0).toISOString(),
      };
    },
    verify: () => ({ kind: 'rejected', reason: 'chains-do-not-call' }),
    read() {
      throw new Error('A chain sends no callbacks');
    },
    watch: watchOf([...chains.values()], watch, balances),
  };

  async function watch(chain: OpenChain, report: (one: DepositReport) => Promise<unknown>): Promise<void> {
    // Without await, because a slow check of addresses must not delay a credit.
    void givers.get(chain.key)?.goOn();
    try {
      await keepOnce(chain);
      await noteWatched(chain);
      await watchRound(chain, { store, addresses, clock, log, report, ...balances.atTip(chain) });
    } catch (error) {
      log.warn({ chain: chain.key, err: error }, 'a chain could not be watched');
    }
  }
}

/** A chain that gives out no address is watched, too. It may pay out, and its balances are compared. */
function keptOnce(addresses: AddressStore) {
  /** The chains whose rows this process has made or found. */
  const kept = new Set<string>();
  return async ({ key, account }: OpenChain): Promise<void> => {
    if (kept.has(key)) return;
    await addresses.keepChain(key, account);
    kept.add(key);
  };
}

/** The time between two notes that a coin is watched. Whoever asks for the notes counts in days. */
const WATCH_NOTED_MS = 60_000;

/** Notes that this process watches coins, before it asks a node: a node that fails must not look like a coin that left the settings. */
function watchNotes(store: CryptoStore, clock: Clock) {
  const notedAt = new Map<string, number>();
  return async ({ key, assets, sharedWallet }: OpenChain): Promise<void> => {
    const now = clock.now();
    if (sharedWallet === undefined || now - (notedAt.get(key) ?? Number.NEGATIVE_INFINITY) < WATCH_NOTED_MS) return;
    const coins = assets.map(({ coin }) => coin);
    await store.noteWatched(key, coins);
    notedAt.set(key, now);
  };
}

/**
 * The rounds of each chain: its watch, and beside it the comparison of balances, because no credit must wait for the sums of all payments.
 */
function watchOf(
  chains: readonly OpenChain[],
  watch: (chain: OpenChain, report: (one: DepositReport) => Promise<unknown>) => Promise<void>,
  balances: BalanceRounds,
): NonNullable<Provider['watch']> {
  return {
    idleMs: WATCH_IDLE_MS,
    parts: chains.flatMap((chain) => [
      {
        name: chain.key,
        idleMs: Math.min(chain.roundMs, WATCH_IDLE_MS),
        round: (report: (one: DepositReport) => Promise<unknown>) => watch(chain, report),
      },
      { name: `${chain.key} balances`, idleMs: WATCH_IDLE_MS, round: () => balances.compare(chain) },
    ]),
    async round(report) {
      await Promise.all(chains.map((chain) => watch(chain, report)));
      await Promise.all(chains.map((chain) => balances.compare(chain)));
    },
  };
}

/** Chains with the same form of addresses would give one address to two deposits. */
function refuseSharedAccounts(chains: ReadonlyMap<string, OpenChain>): void {
  const accounts = new Set([...chains.values()].map(({ account }) => account));
  if (accounts.size < chains.size)
    throw new RangeError('Two chains have the same account. Give each chain its own account.');
}

type BalanceRounds = ReturnType<typeof balanceRounds>;

/** Reads balances at the tip of a chain, and compares what was read, where somebody compares balances. */
function balanceRounds(paying: readonly PayingChain[], { database, clock, log, compare }: CryptoOptions) {
  const balances = new BalanceStore(database);
  const hotWallets = new Map(paying.map((one) => [one.chain.key, openWallet(one, clock).rails[0].wallet]));
  const readOf = (chain: OpenChain): ReadChain => ({ ...chain, hotWallet: hotWallets.get(chain.key) });
  return {
    atTip: (chain: OpenChain): { atTip?: (height: number) => Promise<void> } =>
      compare === undefined ? {} : { atTip: (height) => readBalances(readOf(chain), height, { balances, log }) },
    async compare(chain: OpenChain): Promise<void> {
      if (compare !== undefined) await compareBalances(readOf(chain), { balances, compare, log });
    },
  };
}

function openChains({ chains }: CryptoSettings, log: WatcherLog, clock: Clock): Map<string, OpenChain> {
  return new Map(Object.entries(chains).map(([key, chain]) => [key, openChain(key, chain, log, clock)]));
}

/** The chains whose settings have a hot wallet. */
function payingChains(chains: ReadonlyMap<string, OpenChain>, { chains: settings }: CryptoSettings): PayingChain[] {
  return [...chains.values()].flatMap((chain) => {
    const { nodes = [], payouts } = settings[chain.key] ?? {};
    return payouts === undefined ? [] : [{ chain, nodes, payouts }];
  });
}

/** The half that pays out, where the settings of a chain have one. */
function payoutHalf(
  paying: readonly PayingChain[],
  { bookFee, ...parts }: CryptoOptions,
): Pick<CryptoProvider, 'withdrawals' | 'coinSignatures'> {
  if (paying.length === 0) return {};
  if (bookFee === undefined) throw new Error('Payouts need the ledger, which books their fees');
  return createCoinPayouts(paying, { ...parts, bookFee });
}

/**
 * A chain of the settings, with its account opened and a source for each node.
 * @param clock spaces the requests of the watch. Absent: they are not spaced
 * @throws AccountKeyError, WalletError for an account that cannot be used
 * @throws RangeError for a chain that cannot be watched
 */
export function openChain(key: string, settings: ChainSettings, log: WatcherLog, clock?: Clock): OpenChain {
  const { nodes, isCoinWatched, confirmations, operator, questionsPerSecond = QUESTIONS_PER_SECOND } = settings;
  const kind = Object.hasOwn(chainKinds, key) ? chainKinds[key] : undefined;
  if (kind === undefined)
    throw new RangeError(`Chain ${key} is not known. Known chains: ${Object.keys(chainKinds).join(', ')}.`);
  const known = findChain(kind.name);
  const tokens = Object.entries(settings.tokens).map(([coin, { contract, decimals }]) => ({
    coin,
    contract: readContract(kind, contract),
    decimals,
  }));
  const contracts = tokens.map(({ contract }) => contract);
  const finality = finalityOf(kind, settings.finality);
  const { account, wallet, preparedAddresses, addressAt } = openAccount(kind, settings);
  const sourceOf = (node: NodeAddress): ChainSource => {
    if (kind.family === 'esplora') return createEsploraSource(node);
    const options = { tokens: contracts, isCoinWatched, ...(finality !== undefined && { finality }) };
    const warn: WatcherLog['warn'] = (fields, message) => log.warn({ chain: key, ...fields }, message);
    if (wallet !== undefined) return new TonSource(node, { ...options, wallet, warn });
    if (kind.family === 'solana') return new SolanaSource(node, { ...options, genesis: kind.genesis ?? '', warn });
    return kind.family === 'evm' ? createEvmSource(node, options) : createTronSource(node, options);
  };
  const pacedSourceOf = (node: NodeAddress): ChainSource =>
    sourceOf(clock === undefined ? node : { ...node, pace: createPacer(questionsPerSecond, clock) });
  const assets = [...(isCoinWatched ? [{ coin: kind.coin, decimals: kind.decimals }] : []), ...tokens];
  const intervalMs = kind.intervalMs ?? known?.intervalMs ?? 60_000;
  const [first, ...others] = nodes;
  if (first === undefined) throw new RangeError(`Chain ${key} has no node. Add at least one to "nodes"`);
  return {
    key,
    kind,
    sources: [pacedSourceOf(first), ...others.map(pacedSourceOf)],
    urgentSources: [sourceOf(first), ...others.map(sourceOf)],
    required: confirmations ?? kind.confirmations ?? known?.confirmations ?? 6,
    intervalMs,
    roundMs: kind.roundMs ?? roundMsOf(intervalMs),
    tokenDecimals: new Map(tokens.map(({ contract, decimals }) => [contract, decimals])),
    lifetimeS: LIFETIME_S,
    account,
    assets,
    addressAt,
    ...(finality !== undefined && { finality }),
    ...(preparedAddresses !== undefined && { preparedAddresses }),
    ...(operator !== undefined && { owner: operator }),
    ...(wallet !== undefined && { sharedWallet: wallet }),
    ...(wallet !== undefined && { unassigned: { account, assets, ...(operator !== undefined && { operator }) } }),
  };
}

/** @throws RangeError for a chain that has no such blocks */
function finalityOf({ name, finality }: ChainKind, asked: ChainSettings['finality']): Finality | undefined {
  if (asked === undefined) return finality;
  if (finality === undefined) throw new RangeError(`${name} has no setting "finality". Use "confirmations".`);
  return asked;
}

interface OpenAccount {
  /** A short hash of the key. It tells two keys apart, does not reveal the key, and is the same for every spelling of it. */
  readonly account: string;
  /** Only where all deposits share one wallet. */
  readonly wallet?: string;
  /** Only where addresses are prepared: their number. */
  readonly preparedAddresses?: number;
  addressAt(place: AddressPlace): string;
}

/**
 * The account that receives payments: an extended public key, the shared wallet of a chain with memos, or prepared addresses.
 * @throws AccountKeyError, WalletError, PreparedAddressError for an account that cannot be used
 */
function openAccount(
  { family, form }: Pick<ChainKind, 'family' | 'form'>,
  { account: text, addresses = [] }: Pick<ChainSettings, 'account' | 'addresses'>,
): OpenAccount {
  const shortName = (whole: string): string => createHash('sha256').update(whole).digest('hex').slice(0, 16);
  if (family === 'solana') {
    const prepared = readPreparedAddresses(addresses);
    return {
      // The list grows at its end, so its first address names it.
      account: shortName(prepared[0] ?? ''),
      preparedAddresses: prepared.length,
      addressAt({ index }) {
        const address = prepared[index];
        if (address === undefined) throw new RangeError(`There is no prepared address ${index}`);
        return address;
      },
    };
  }
  if (form === undefined) {
    const wallet = readTonWallet(text);
    return {
      account: shortName(wallet),
      wallet,
      addressAt: (place) => destinationOf(wallet, tonMemo(wallet, place)),
    };
  }
  const key = readAccountKey(text);
  return { account: shortName(key.publicExtendedKey), addressAt: (place) => receivingAddress(key, place, form) };
}

function shownDestination(destination: string): { readonly depositAddress: string; readonly depositMemo: string } {
  const { wallet, memo } = splitDestination(destination);
  return { depositAddress: wallet, depositMemo: memo };
}

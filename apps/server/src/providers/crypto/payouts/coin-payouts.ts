/**
 * The half of the crypto provider that pays out (WD-2). It stores a payout at once and answers `accepted`. A round per wallet brings it to
 * the chain. The signer has the keys, and the cashier has none.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../../../database/database.ts';
import type { CoinFailpoint } from '../../coin-failpoints.ts';
import type { CoinSignatures } from '../../coin-signatures.ts';
import type { ProviderWithdrawal, ProviderWithdrawResult, WithdrawalProvider } from '../../withdrawal-provider.ts';
import type { NodeAddress } from '../chain/node-http.ts';
import { type Asset, BOOK_DECIMALS, chainKeyOf, type Finality, toRaw } from '../chain-kinds.ts';
import type { WatchedChain, WatcherLog } from '../chain-watcher.ts';
import type { ChainSettings } from '../crypto-settings.ts';
import { createSigner } from './ask-signer.ts';
import { createBitcoinRail } from './bitcoin-rail.ts';
import { FeeBook, type FeeBooking } from './book-fees.ts';
import { createEvmRail } from './evm-rail.ts';
import type { PayoutRail } from './payout-rail.ts';
import { payoutRef, reportOf } from './payout-report.ts';
import { type PayingWallet, payoutRound } from './payout-round.ts';
import { type PayoutSettings, rawOf } from './payout-settings.ts';
import { PayoutStore } from './payout-store.ts';
import { createSignaturesByFile } from './signed-by-file.ts';
import { payeeText } from './ton-payee.ts';
import { createTonRail } from './ton-rail.ts';
import { createTronRail } from './tron-rail.ts';
import { WalletStore } from './wallet-store.ts';

/** A chain of the settings whose coins can be paid out. */
export interface PayingChain {
  readonly chain: Pick<WatchedChain, 'key' | 'kind' | 'required' | 'roundMs' | 'intervalMs'> & {
    readonly assets: readonly Asset[];
    /** The end of a payout needs such a block besides the confirmations. Absent: confirmations alone decide. */
    readonly finality?: Finality;
  };
  readonly nodes: ChainSettings['nodes'];
  readonly payouts: PayoutSettings;
}

interface CoinPayoutsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: WatcherLog;
  readonly bookFee: FeeBooking;
  readonly failpoint?: ((name: CoinFailpoint) => void) | undefined;
}

const CHAIN_IDS: Readonly<Record<string, number>> = { ethereum: 1, bsc: 56 };
/** Blocks without the transaction, after which the fee is raised. */
const RAISE_AFTER_BLOCKS = 5;
/** Some chains have several blocks a second, and nodes limit requests. */
const SHORTEST_ROUND_MS = 2000;

interface CoinPayouts {
  readonly withdrawals: WithdrawalProvider;
  /** Absent: every wallet has a signer on the network. */
  readonly coinSignatures?: CoinSignatures;
}

/** @throws RangeError for a wallet or a chain that cannot pay out */
export function createCoinPayouts(
  chains: readonly PayingChain[],
  { database, clock, log, bookFee, failpoint }: CoinPayoutsOptions,
): CoinPayouts {
  const store = new PayoutStore(database);
  const walletStore = new WalletStore(database);
  const fees = new FeeBook(database, bookFee);
  const wallets = new Map(chains.map((paying) => [paying.chain.key, { ...paying, wallet: openWallet(paying, clock) }]));

  async function withdraw(withdrawal: ProviderWithdrawal): Promise<ProviderWithdrawResult> {
    const { fields, providerOptions, withdrawalId, currency, receivesMinor } = withdrawal;
    const key = chainKeyOf(providerOptions['network'] ?? fields['network'] ?? '');
    const open = key === undefined ? undefined : wallets.get(key);
    const asset = open?.chain.assets.find(({ coin }) => coin === currency);
    if (open === undefined || asset === undefined) return unstored(withdrawalId, 'network-not-set-up');
    const given = fields['wallet'] ?? fields['address'] ?? '';
    const address = open.chain.kind.family === 'ton' ? payeeText(given, fields['memo']) : given;
    const contract = asset.contract ?? '';
    const raw = toRaw(receivesMinor, asset.decimals);
    const objection = open.wallet.rails[0].objection({ contract, address, raw });
    if (objection !== undefined) return unstored(withdrawalId, objection);
    const wanted = {
      operatorId: await store.operatorOf(withdrawalId),
      withdrawalId,
      chain: open.chain.key,
      wallet: open.wallet.rails[0].wallet,
      coin: asset.coin,
      contract,
      address,
      minor: receivesMinor,
      raw,
    };
    const stored = await store.create(wanted);
    failpoint?.('coin-stored');
    const isSame = stored.address === address && stored.minor === receivesMinor && stored.contract === wanted.contract;
    if (!isSame || stored.chain !== wanted.chain) return { kind: 'unknown', code: 'idempotency-conflict' };
    return { kind: 'accepted', providerRef: payoutRef(stored.chain, withdrawalId) };
  }

  /** Nothing is paid. But a payout that was stored before the settings changed may be on its way. */
  async function unstored(withdrawalId: string, code: string): Promise<ProviderWithdrawResult> {
    const stored = await store.find(withdrawalId);
    if (stored === undefined) return { kind: 'failed', code };
    return { kind: 'accepted', providerRef: payoutRef(stored.chain, withdrawalId) };
  }

  const withdrawals: WithdrawalProvider = {
    withdraw,
    async inquire({ withdrawalId }) {
      const payout = await store.find(withdrawalId);
      return payout && reportOf(payout);
    },
    read: () => undefined,
    watch: [...wallets.values()].map(({ wallet }) => {
      const queue = { passedOver: 0 };
      return {
        name: wallet.chain,
        idleMs: Math.min(wallet.roundMs, 1000),
        round: (report) => payoutRound(wallet, { store, wallets: walletStore, fees, log, report, failpoint, queue }),
      };
    }),
  };
  const byFile = [...wallets.values()].flatMap(({ payouts, wallet }) => ('byFile' in payouts.signer ? [wallet] : []));
  if (byFile.length === 0) return { withdrawals };
  const fileWallets = new Map(byFile.map((wallet) => [wallet.chain, wallet]));
  return { withdrawals, coinSignatures: createSignaturesByFile(database, fileWallets) };
}

/** @throws RangeError for a wallet or a chain that cannot pay out */
export function openWallet({ chain, nodes, payouts }: PayingChain, clock: Clock): PayingWallet {
  const [first, ...others] = nodes;
  if (first === undefined) throw new RangeError(`Chain ${chain.key} has no node`);
  // Without nonces a node that hides a payment could have it made again. One node alone, or named twice, is not believed.
  if (chain.kind.family === 'tron' && new Set(nodes.map(({ url }) => new URL(url).href)).size < 2)
    throw new RangeError(`The payouts of ${chain.key} need a second node, of another provider`);
  const railOf = (node: NodeAddress): PayoutRail => createRail(chain, payouts, { node, clock });
  const contractOf = (coin: string): string => {
    const asset = chain.assets.find((one) => one.coin === coin);
    if (asset === undefined)
      throw new RangeError(`The payouts of ${chain.key} name ${coin}, which the chain does not have`);
    return asset.contract ?? '';
  };
  const decimals = new Map(chain.assets.map((asset) => [asset.contract ?? '', asset.decimals]));
  const minor = (text: string | undefined): bigint | undefined =>
    text === undefined ? undefined : rawOf(text, BOOK_DECIMALS);
  return {
    chain: chain.key,
    rails: [railOf(first), ...others.map(railOf)],
    signer: createSigner(payouts.signer, clock),
    required: chain.required,
    raiseFeeAfterS: payouts.raiseFeeAfterSeconds ?? Math.ceil((chain.intervalMs * RAISE_AFTER_BLOCKS) / 1000),
    roundMs: Math.max(chain.roundMs, SHORTEST_ROUND_MS),
    limits: new Map(
      Object.entries(payouts.limits).map(([coin, { hour, day }]) => {
        contractOf(coin);
        return [coin, { hour: minor(hour), day: minor(day) }];
      }),
    ),
    lowBalance: new Map(
      Object.entries(payouts.lowBalance).map(([coin, text]) => {
        const contract = contractOf(coin);
        return [contract, { coin, raw: rawOf(text, decimals.get(contract) ?? 0) }];
      }),
    ),
    decimals,
    feeCoin: chain.kind,
  };
}

function createRail(
  { key, kind, finality, assets }: PayingChain['chain'],
  payouts: PayoutSettings,
  { node, clock }: { readonly node: NodeAddress; readonly clock: Clock },
): PayoutRail {
  const mostFee = rawOf(payouts.mostFee, kind.decimals);
  const { wallet, validForSeconds: validForS } = payouts;
  if (kind.family === 'evm') {
    const chainId = payouts.chainId ?? CHAIN_IDS[key];
    if (chainId === undefined) throw new RangeError(`The payouts of ${key} need a chainId`);
    return createEvmRail(node, { wallet, chainId, mostFee, finality });
  }
  if (kind.family === 'tron') {
    const genesis = payouts.genesis ?? kind.genesis ?? '';
    return createTronRail(node, { wallet, mostFee, validForS, genesis, clock });
  }
  if (kind.family === 'ton') {
    const hasTokens = assets.some(({ contract }) => contract !== undefined);
    return createTonRail(node, { publicKey: payouts.wallet, mostFee, hasTokens, clock });
  }
  const prefix = kind.form?.kind === 'segwit' ? kind.form.prefix : undefined;
  if (prefix !== 'bc' && prefix !== 'ltc') throw new RangeError(`Payouts on ${key} are not supported`);
  return createBitcoinRail(node, { wallet, prefix, mostFee, isForDevice: 'byFile' in payouts.signer });
}

/**
 * Solana: payments to wallets that the operator has prepared, in SOL and in tokens. A node makes hundreds of blocks in two minutes, each
 * with thousands of transactions, so blocks are not read. The balances of a hundred accounts are one request. The transactions of an
 * account are read when its balance has changed. All of it is final, so a payment has one confirmation and is never taken back.
 */
import {
  type BalancePlace,
  type BalancesAt,
  type Block,
  type ChainSource,
  type IncomingPayment,
  NodeError,
  type OurAddresses,
  type Scan,
  type ScanRange,
  type WatchedAssets,
} from '../chain/chain-source.ts';
import type { NodeAddress } from '../chain/node-http.ts';
import { type PaidAccount, receivedAmount } from './received-amount.ts';
import { tokenAccountOf } from './solana-address.ts';
import { type Holding, SolanaRpc } from './solana-rpc.ts';

export interface SolanaOptions extends WatchedAssets {
  /** The hash of the main network's first block. Coins of a test network are free. */
  readonly genesis: string;
  readonly warn: (fields: object, message: string) => void;
}

/** Accounts whose balances one scan reads. The next scan goes on after them. */
const ACCOUNTS_PER_SCAN = 1000;
/** Accounts whose transactions one scan reads. */
const CHANGED_PER_SCAN = 50;
/** Transactions of one account in one scan, so that a stranger who sends thousands of tiny amounts delays nobody else. */
const TRANSACTIONS_PER_SCAN = 50;
/** What is remembered of accounts. Beyond it everything is read again, which changes nothing. */
const MOST_REMEMBERED = 200_000;
/** Payments that wait to be stored. Beyond it everything is read again, too. */
const MOST_UNSTORED = 20_000;

/** What the source knows of an account. It is in memory alone: after a start, accounts with coins are read once more. */
interface Remembered {
  /** The balance up to which all transactions were read. */
  readonly state: string;
  /** The last transaction that was read. */
  readonly until?: string;
  /** When it was read last, as a counter. */
  readonly turn: number;
}

export class SolanaSource implements ChainSource {
  // A scan reads balances and not blocks, so it may cover any number of slots.
  readonly mostBlocks = Number.MAX_SAFE_INTEGER;
  readonly looksBack = 0;
  readonly #rpc: SolanaRpc;
  readonly #options: SolanaOptions;
  readonly #remembered = new Map<string, Remembered>();
  #genesis: string | undefined;
  #tip: Block | undefined;
  #after = '';
  /** What scans have found since the last one that was certainly stored, and the end of that one. */
  #unstored: IncomingPayment[] = [];
  #lastHeight: number | undefined;
  #turn = 0;

  constructor(node: NodeAddress, options: SolanaOptions) {
    this.#rpc = new SolanaRpc(node);
    this.#options = options;
  }

  async tip() {
    this.#genesis ??= await this.#rpc.genesis();
    const tip = await this.#rpc.latest();
    this.#tip = tip;
    return { ...tip, ...(this.#genesis !== this.#options.genesis && { isForeign: true }) };
  }

  hashAt(height: number): Promise<string> {
    return height === 0 ? this.#rpc.genesis() : this.#rpc.hashAt(height);
  }

  async scan(ours: Pick<OurAddresses, 'watched'>, { to, after }: ScanRange): Promise<Scan> {
    // Their accounts count as read. Payments that were found and not stored would never be found again.
    if (after !== undefined && after.height === this.#lastHeight) this.#unstored = [];
    this.#lastHeight = undefined;
    const last = this.#tip?.height === to ? this.#tip : { height: to, hash: await this.hashAt(to) };
    const page = await ours.watched(this.#after, ACCOUNTS_PER_SCAN);
    this.#after = page.length < ACCOUNTS_PER_SCAN ? '' : (page.at(-1)?.address ?? '');
    const accounts = page.map(({ address, contract }) => paidAccount(address, contract));
    const holdings = await this.#rpc.holdings(accounts.map(({ account }) => account));
    const changed = accounts.flatMap((paid, at) => {
      const state = stateOf(paid, holdings[at]);
      return state === (this.#remembered.get(paid.account)?.state ?? NONE) ? [] : [{ paid, state }];
    });
    this.#keepUnstored(await this.#read(changed, to));
    this.#lastHeight = to;
    return { payments: [...this.#unstored], last };
  }

  #keepUnstored(found: readonly IncomingPayment[]): void {
    if (this.#unstored.length > MOST_UNSTORED) {
      this.#unstored = [];
      this.#remembered.clear();
    }
    this.#unstored.push(...found);
  }

  /** Reads accounts in turn: one that cannot be read waits behind all others. */
  async #read(
    changed: readonly { readonly paid: PaidAccount; readonly state: string }[],
    to: number,
  ): Promise<IncomingPayment[]> {
    const turnOf = ({ paid }: { readonly paid: PaidAccount }): number => this.#remembered.get(paid.account)?.turn ?? 0;
    const next = [...changed].sort((one, other) => turnOf(one) - turnOf(other)).slice(0, CHANGED_PER_SCAN);
    const payments: IncomingPayment[] = [];
    for (const { paid, state } of next) {
      this.#turn += 1;
      const known = this.#remembered.get(paid.account) ?? { state: NONE, turn: 0 };
      this.#remember(paid.account, { ...known, turn: this.#turn });
      try {
        const { found, until, isComplete } = await this.#paymentsTo(paid, known.until, to);
        payments.push(...found);
        this.#remember(paid.account, {
          state: isComplete ? state : known.state,
          ...(until !== undefined && { until }),
          turn: this.#turn,
        });
      } catch (error) {
        if (!(error instanceof NodeError)) throw error;
        this.#options.warn({ err: error }, 'the payments to an address could not be read from the node');
        break;
      }
    }
    return payments;
  }

  #remember(account: string, what: Remembered): void {
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(account, what);
  }

  async #paymentsTo(
    paid: PaidAccount,
    since: string | undefined,
    to: number,
  ): Promise<{ found: IncomingPayment[]; until: string | undefined; isComplete: boolean }> {
    const all = await this.#rpc.signaturesOf(paid.account, since);
    // The balance changed, so the node that answers now lags, or has deleted its history.
    if (all.length === 0) throw new NodeError('The node names no transaction of an account whose balance has changed');
    // Blocks that became final during the scan are the next one's: the round judges payments up to its tip.
    const turn = all.filter(({ slot }) => slot <= to).slice(0, TRANSACTIONS_PER_SCAN);
    const signatures = turn.flatMap(({ signature, err }) => (err === null ? [signature] : []));
    const transactions = await this.#rpc.transactions(signatures);
    const found: IncomingPayment[] = [];
    for (const [at, transaction] of transactions.entries()) {
      const raw = receivedAmount(transaction, paid);
      const txid = signatures[at];
      if (raw === 0n || txid === undefined) continue;
      const block = { height: transaction.slot, hash: await this.#rpc.hashAt(transaction.slot) };
      found.push({ txid, address: paid.address, raw, block, ...(paid.contract !== '' && { contract: paid.contract }) });
    }
    return { found, until: turn.at(-1)?.signature ?? since, isComplete: turn.length === all.length };
  }

  async holds({ txid, address, contract = '', raw, block }: Parameters<ChainSource['holds']>[0]): Promise<boolean> {
    const [found] = await this.#rpc.transactions([txid]);
    if (found === undefined || found.slot !== block.height) return false;
    const isSameAmount = receivedAmount(found, paidAccount(address, contract)) === raw;
    return isSameAmount && (await this.#rpc.hashAt(block.height)) === block.hash;
  }

  async balances(places: readonly BalancePlace[], height: number): Promise<BalancesAt> {
    const holdings = await this.#rpc.holdings(
      places.map(({ address, contract }) => paidAccount(address, contract).account),
    );
    const raws = holdings.map((holding, at) =>
      places[at]?.contract === '' ? (holding?.lamports ?? 0n) : (holding?.tokens ?? 0n),
    );
    return { raws, first: height, last: Math.max(height, (await this.#rpc.latest()).height) };
  }

  async isUsed(address: string): Promise<boolean> {
    const accounts = [address, ...this.#options.tokens.map((mint) => tokenAccountOf(address, mint))];
    const holdings = await this.#rpc.holdings(accounts);
    return holdings.some((holding) => holding !== undefined) || this.#rpc.hasSignature(accounts);
  }
}

/** The state of an account that nobody has paid yet. */
const NONE = 'none';

function stateOf({ contract }: PaidAccount, holding: Holding | undefined): string {
  if (holding === undefined) return NONE;
  return String(contract === '' ? holding.lamports : (holding.tokens ?? NONE));
}

function paidAccount(address: string, contract: string): PaidAccount {
  return { address, contract, account: contract === '' ? address : tokenAccountOf(address, contract) };
}

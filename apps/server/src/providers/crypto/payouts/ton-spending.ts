/**
 * Which order of a wallet on TON spent a seqno. Anybody can send the wallet coins, so a list of its transactions may hide its orders.
 * The index is asked for an order by its hash. Only an order that the cashier does not know is looked for among all transactions.
 */
import { Cell } from '@ton/core';
import { NodeError } from '../chain/chain-source.ts';
import { hexOf, type TonIndex, type TonTransaction } from '../ton/ton-index.ts';
import { messageHash, readUnsigned, splitSigned, type TonContract, type TonOrder } from './ton-contract.ts';

/** A transaction of the wallet that an order from outside caused. */
export interface TonSpending {
  readonly transaction: TonTransaction;
  readonly order: TonOrder;
  /** In hex: the hash of the order's message, and its own. */
  readonly hashes: readonly string[];
}

/** Pages of transactions that one look reads. The next look goes on behind them. */
const PAGES_A_LOOK = 10;
/** Seqnos that are looked for. Payouts of one wallet on their way, and those that staff check, are fewer. */
const MOST_SOUGHT = 200;

/**
 * Searches in memory go on as long as the process. The seqno is spent when its search begins. So the search only goes back in time, and later
 * transactions never hold it up.
 */
export class TonSpendings {
  readonly #index: TonIndex;
  readonly #contract: TonContract;
  /** For a seqno: the newest transaction that may have spent it, by its logical time. */
  readonly #searches = new Map<number, bigint>();

  constructor(index: TonIndex, contract: TonContract) {
    this.#index = index;
    this.#contract = contract;
  }

  /**
   * The transaction that spent a seqno. Undefined while the account says that the seqno is free. An order that the chain took back as a
   * whole leaves it free.
   * @param hashes in hex, of the messages that may have caused it (TEP-467) or of transactions
   * @throws NodeError for an index that lacks the transaction, and before the search has ended
   */
  async of(seqno: number, hashes: readonly string[]): Promise<TonSpending | undefined> {
    const wallet = this.#contract.address.toRawString();
    if ((await this.#index.account(wallet)).seqno <= seqno) return undefined;
    return (await this.byHash(seqno, hashes)) ?? this.#search(wallet, seqno);
  }

  /** The transaction that spent a seqno, if it has one of these hashes. Reads no list of transactions. */
  async byHash(seqno: number, hashes: readonly string[]): Promise<TonSpending | undefined> {
    for (const transaction of await this.#index.byHash(this.#contract.address.toRawString(), hashes)) {
      const found = this.#spending(transaction);
      if (found?.order.seqno === seqno) return found;
    }
    return undefined;
  }

  async #search(wallet: string, seqno: number): Promise<TonSpending> {
    let from = this.#searches.get(seqno);
    for (let pages = 0; pages < PAGES_A_LOOK; pages += 1) {
      const { page, next } = await this.#index.newestOf(wallet, from);
      for (const transaction of page) {
        const found = this.#spending(transaction);
        if (found === undefined) continue;
        if (found.order.seqno < seqno) throw this.#missing(seqno);
        if (found.order.seqno > seqno) continue;
        // The next look begins here.
        if (transaction.lt !== undefined) this.#note(seqno, transaction.lt);
        return found;
      }
      if (next === undefined) throw this.#missing(seqno);
      from = next;
    }
    if (from !== undefined) this.#note(seqno, from);
    throw new NodeError('The wallet has more transactions after the payout than one look reads. The next look goes on');
  }

  #note(seqno: number, from: bigint): void {
    this.#searches.delete(seqno);
    this.#searches.set(seqno, from);
    const [oldest] = this.#searches.keys();
    if (this.#searches.size > MOST_SOUGHT && oldest !== undefined) this.#searches.delete(oldest);
  }

  /** The account says that the seqno is spent. The index may show the transaction later, so the next search begins at the newest one. */
  #missing(seqno: number): NodeError {
    this.#searches.delete(seqno);
    return new NodeError('The node lacks a transaction of the wallet');
  }

  #spending(transaction: TonTransaction): TonSpending | undefined {
    const signed = signedIn(transaction);
    if (signed === undefined) return undefined;
    const hashes = [messageHash(this.#contract, signed), hexOf(transaction.hash)];
    return { transaction, order: orderIn(signed), hashes };
  }
}

/**
 * Undefined for a transaction that spent no seqno: a payment to the wallet, or an order whose messages could not be sent. The contract counts
 * the seqno before it reads the messages, so an order that it could not read has spent its seqno.
 */
function signedIn({ in_msg: message, description }: TonTransaction): Cell | undefined {
  const body = message?.message_content?.body;
  const isTakenBack = description.aborted && description.compute_ph?.success !== false;
  if (message?.source || !body || isTakenBack) return undefined;
  try {
    return Cell.fromBase64(body);
  } catch {
    throw unreadable();
  }
}

function orderIn(signed: Cell): TonOrder {
  try {
    return readUnsigned(splitSigned(signed).body);
  } catch {
    throw unreadable();
  }
}

const unreadable = (): NodeError => new NodeError('The node returned an order of the wallet that cannot be read');

/** An index of TON (toncenter, version 3) over a {@link TonLedger}. Tests let it be late, forget, withhold and lie. */
import { createServer, type Server } from 'node:http';
import { Address, beginCell, external, storeMessage } from '@ton/core';
import { closeOnLoopback, openOnLoopback } from '../../loopback-server.fixture.ts';
import { blockHash, type LedgerTransaction, lower, TonLedger } from './ton-ledger.ts';

const START_S = 1_700_000_000;
const BLOCK_S = 2;
const LT_STEP = 1_000_000;

const upper = (address: string): string => Address.parse(address).toRawString().toUpperCase();

/** An address of nobody, so that its balance counts what it got. The form does not ask contracts to return anything. */
export function newTonAddress(nth: number, { bounceable = false } = {}): string {
  const hash = Buffer.alloc(32, 0x51);
  hash.writeUInt32BE(nth);
  return new Address(0, hash).toString({ bounceable });
}

/** The hash of an order that does not depend on how it was sent (TEP-467), in base64. */
function normalizedHash({ destination, body }: LedgerTransaction['in']): string {
  const message = external({ to: Address.parse(destination), body });
  const cell = beginCell()
    .store(storeMessage(message, { forceRef: true }))
    .endCell();
  return cell.hash().toString('base64');
}

function writtenMessage(message: LedgerTransaction['in']) {
  const isOrder = message.source === null;
  return {
    hash: message.hash,
    ...(isOrder && { hash_norm: normalizedHash(message) }),
    source: message.source === null ? null : upper(message.source),
    destination: upper(message.destination),
    value: isOrder ? null : String(message.value),
    fwd_fee: isOrder ? null : '266669',
    bounce: isOrder ? null : message.bounce,
    bounced: isOrder ? null : message.bounced,
    message_content: { body: message.body.toBoc().toString('base64') },
  };
}

/** A transaction as the index writes it. */
export type WrittenTransaction = ReturnType<typeof writtenTransaction>;

/** Writing is slow, and tests ask often. */
const cache = new WeakMap<LedgerTransaction, WrittenTransaction>();

function writtenOnce(one: LedgerTransaction, at: number): WrittenTransaction {
  const written = cache.get(one) ?? writtenTransaction(one, at);
  cache.set(one, written);
  return written;
}

function writtenTransaction(one: LedgerTransaction, at: number) {
  return {
    account: upper(one.account),
    hash: one.hash,
    lt: String(at * LT_STEP),
    now: START_S + one.height * BLOCK_S,
    mc_block_seqno: one.height as number | null,
    emulated: false,
    total_fees: String(one.fees),
    description: {
      type: 'ord',
      aborted: one.isAborted,
      ...(!one.isAborted && {
        action: { success: true, skipped_actions: one.isSkipped ? 1 : 0, msgs_created: one.out.length },
      }),
      ...(one.hasBounced && { bounce: { type: 'ok' } }),
    },
    in_msg: writtenMessage(one.in),
    out_msgs: one.out.map(writtenMessage),
  };
}

const hashesIn = (asked: readonly string[]): ReadonlySet<string> =>
  new Set(asked.map((one) => Buffer.from(one, 'hex').toString('base64')));

export class FakeTon {
  readonly ledger: TonLedger;
  globalId = -239;
  /** Takes orders and forgets them. */
  isForgetful = false;
  /** Its transactions are so many blocks behind. */
  lateBy = 0;
  /** Finds orders by the hashes that do not depend on how they were sent. */
  knowsNormalizedHashes = true;
  /** Lists of transactions that were asked for. */
  pages = 0;
  /** Added to the seqno of a wallet that has paid. */
  seqnoOff = 0;
  /** Changes or withholds a transaction. The default is the truth. */
  tells: (one: WrittenTransaction) => WrittenTransaction | undefined = (one) => one;
  readonly #server: Server;

  /** @param ledger several nodes may share one chain */
  constructor(ledger = new TonLedger()) {
    this.ledger = ledger;
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      try {
        const answer = this.#answer(new URL(request.url ?? '/', 'http://node'), Buffer.concat(chunks).toString());
        response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
      } catch (error) {
        response.writeHead(500).end(JSON.stringify({ error: String(error) }));
      }
    });
  }

  open(): Promise<string> {
    return openOnLoopback(this.#server);
  }

  close(): Promise<void> {
    return closeOnLoopback(this.#server);
  }

  #answer({ pathname, searchParams }: URL, body: string): unknown {
    const { ledger } = this;
    const asked = (name: string): string => searchParams.get(name) ?? '';
    switch (pathname) {
      case '/api/v3/masterchainInfo':
        return { last: { ...this.#block(ledger.height), global_id: this.globalId } };
      case '/api/v3/blocks':
        return { blocks: Number(asked('seqno')) <= ledger.height ? [this.#block(Number(asked('seqno')))] : [] };
      case '/api/v3/walletStates': {
        const { isActive, balance, seqno } = ledger.account(asked('address'));
        const status = isActive ? 'active' : 'uninit';
        return {
          wallets: [
            {
              address: upper(asked('address')),
              status,
              balance: String(balance),
              seqno: seqno === 0 ? 0 : seqno + this.seqnoOff,
            },
          ],
        };
      }
      case '/api/v3/jetton/wallets': {
        const [owner, master] = [asked('owner_address'), asked('jetton_address')];
        const found = ledger.jettonsOf(owner, master);
        const parts = { owner: upper(owner), jetton: upper(master) };
        return {
          jetton_wallets: found ? [{ address: upper(found.address), ...parts, balance: String(found.raw) }] : [],
        };
      }
      case '/api/v3/transactions':
        return { transactions: this.#page(searchParams) };
      case '/api/v3/transactionsByMessage': {
        const hashes = hashesIn(searchParams.getAll('msg_hash'));
        const isAsked = ({ in_msg: { hash, hash_norm: norm } }: WrittenTransaction): boolean =>
          hashes.has(hash) || (this.knowsNormalizedHashes && norm !== undefined && hashes.has(norm));
        return { transactions: this.#told().filter(isAsked) };
      }
      case '/api/v3/message':
        return this.#take(JSON.parse(body).boc);
      default:
        return undefined;
    }
  }

  #take(boc: string): unknown {
    this.ledger.receive(boc);
    if (this.isForgetful) this.ledger.forget();
    return { message_hash: 'taken' };
  }

  #block(height: number) {
    return { seqno: height, root_hash: blockHash(height), gen_utime: String(START_S + height * BLOCK_S) };
  }

  /** All transactions that this node shows, the oldest first. */
  #told(): WrittenTransaction[] {
    const { transactions, height } = this.ledger;
    return transactions.flatMap((one, at) =>
      one.height <= height - this.lateBy ? (this.tells(writtenOnce(one, at)) ?? []) : [],
    );
  }

  #page(asked: URLSearchParams): WrittenTransaction[] {
    const hashes = hashesIn(asked.getAll('hash'));
    if (hashes.size > 1) throw new Error('a transaction has one hash');
    if (hashes.size > 0) return this.#told().filter(({ hash }) => hashes.has(hash));
    this.pages += 1;
    const account = lower(Address.parse(asked.get('account') ?? '')).toUpperCase();
    const [from, to] = [
      Number(asked.get('start_utime') ?? 0),
      Number(asked.get('end_utime') ?? Number.MAX_SAFE_INTEGER),
    ];
    const last = Number(asked.get('end_lt') ?? Number.MAX_SAFE_INTEGER);
    const all = this.#told().filter(
      (one) => one.account === account && one.now >= from && one.now <= to + BLOCK_S && Number(one.lt) <= last,
    );
    if (asked.get('sort') === 'desc') all.reverse();
    const [limit, offset] = [Number(asked.get('limit')), Number(asked.get('offset'))];
    return all.slice(offset, offset + limit);
  }
}

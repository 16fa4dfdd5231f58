/** A node over a fake chain. It speaks the HTTP interface of its family. */
import { createServer, type Server } from 'node:http';
import { closeOnLoopback, openOnLoopback } from '../../loopback-server.fixture.ts';
import { tronHex } from '../chain/receiving-address.ts';
import { TRANSFER_TOPIC } from '../chain/transfer-event.ts';
import { placesOf } from '../evm/log-bloom.ts';
import type { FakeChain, FakeTransfer } from './fake-chain.ts';
import { answerAsSolana, type SolanaMood } from './fake-solana-node.ts';
import { answerAsTon } from './fake-ton-node.ts';

export type Family = 'esplora' | 'evm' | 'tron' | 'ton' | 'solana';
/** `behind`, `without-receipts`: it lacks the block or the receipts of its tip, like a lagging node behind a shared URL. */
type Mood = 'well' | 'down' | 'nonsense' | 'behind' | 'without-receipts';

const PAGE = 25;
const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

export class FakeNode {
  mood: Mood = 'well';
  /** How it treats batches (JSON-RPC). `counted`: each call in a batch counts for the limit. */
  batches: 'taken' | 'refused' | 'counted' = 'taken';
  /** The longest range of blocks for which it answers with events (JSON-RPC). */
  mostLogBlocks = 1000;
  /** Changes the bloom filter in its blocks (JSON-RPC). */
  logsBloom: (bloom: string) => string | null | undefined = (bloom) => bloom;
  /** It has no events above this block, and answers a longer range as if it were complete. */
  logsUpTo = Number.POSITIVE_INFINITY;
  /** The chain of another node behind the same URL, which answers for events. */
  logsOf: FakeChain | undefined;
  /** How many of the newest blocks are not irreversible yet (JSON-RPC). `unknown`: the node does not know the tags. */
  notFinal: number | 'unknown' = 0;
  /** How a Solana node differs from a good one. */
  readonly solana: SolanaMood = {};
  asked = 0;
  /** The requests, as address and body. */
  readonly questions: string[] = [];
  /** A limit like that of public nodes. Further requests in a second are refused. */
  limit: { readonly perSecond: number; now(): number } | undefined;
  /** The number of refused requests. */
  refused = 0;
  #askedAt: number[] = [];
  readonly #chain: FakeChain;
  readonly #server: Server;

  constructor(family: Family, chain: FakeChain) {
    this.#chain = chain;
    const answer = {
      esplora,
      evm: (_chain: FakeChain, _url: URL, asked: unknown) => this.#rpc(asked),
      tron,
      ton: answerAsTon,
      solana: (_chain: FakeChain, _url: URL, asked: unknown) => this.#solana(asked),
    }[family];
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      this.asked += 1;
      if (this.mood === 'down') {
        request.socket.destroy();
        return;
      }
      const body = Buffer.concat(chunks).toString('utf8');
      this.questions.push(`${request.url} ${body.replace(/"id":\d+,?/g, '')}`);
      const batched = body.startsWith('[') ? (JSON.parse(body) as unknown[]).length : 1;
      if (this.#isOverLimit(this.batches === 'counted' ? batched : 1) || (batched > 1 && this.batches === 'refused')) {
        this.refused += 1;
        response.writeHead(429).end();
        return;
      }
      const question = body === '' ? {} : JSON.parse(body);
      const found = answer(this.#chain, new URL(request.url ?? '/', 'http://node'), question);
      const text = typeof found === 'string' ? found : JSON.stringify(found);
      response.writeHead(found === undefined ? 404 : 200).end(this.mood === 'nonsense' ? '<html>' : text);
    });
  }

  #isOverLimit(questions: number): boolean {
    if (this.limit === undefined) return false;
    const now = this.limit.now();
    this.#askedAt = this.#askedAt.filter((at) => at > now - 1000);
    for (let count = 0; count < questions; count += 1) this.#askedAt.push(now);
    return this.#askedAt.length > this.limit.perSecond;
  }

  #rpc(asked: unknown): unknown {
    if (Array.isArray(asked)) return asked.map((one) => this.#rpc(one)).reverse();
    const { id, method, params } = asked as RpcRequest;
    const isWithheld =
      (this.mood === 'behind' && method === 'eth_getBlockByNumber' && params[1] === true) ||
      (this.mood === 'without-receipts' && method === 'eth_getTransactionReceipt');
    if (isWithheld) return { jsonrpc: '2.0', id, result: null };
    if (params[0] === 'safe' || params[0] === 'finalized') {
      if (this.notFinal === 'unknown') return { jsonrpc: '2.0', id, error: { code: -39001 } };
      const height = Math.max(0, this.#chain.height - this.notFinal);
      return { jsonrpc: '2.0', id, result: rpcResult(this.#chain, method, [hex(height), false]) };
    }
    if (method === 'eth_getLogs') return { jsonrpc: '2.0', id, ...this.#logs(params[0] as LogFilter) };
    return { jsonrpc: '2.0', id, result: this.#withBloom(rpcResult(this.#chain, method, params)) };
  }

  #solana(asked: unknown): unknown {
    if (Array.isArray(asked)) return asked.map((one) => this.#solana(one));
    const { id, method, params } = asked as RpcRequest;
    return { jsonrpc: '2.0', id, ...answerAsSolana(this.#chain, method, params, this.solana) };
  }

  #withBloom(result: unknown): unknown {
    if (typeof result !== 'object' || result === null || !('logsBloom' in result)) return result;
    return { ...result, logsBloom: this.logsBloom(String(result.logsBloom)) };
  }

  #logs(filter: LogFilter) {
    const chain = this.logsOf ?? this.#chain;
    if (filter.blockHash !== undefined) {
      const height = chain.heightOf(filter.blockHash.slice(2));
      const isMissing = height === undefined || height > this.logsUpTo;
      return isMissing ? { error: { code: -32000 } } : { result: logsAt(chain, height, filter.address) };
    }
    const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)];
    if (to - from + 1 > this.mostLogBlocks) return { error: { code: -32005 } };
    const heights = Array.from({ length: Math.min(to, this.logsUpTo) - from + 1 }, (_, at) => from + at);
    return { result: heights.flatMap((height) => logsAt(chain, height, filter.address)) };
  }

  open(): Promise<string> {
    return openOnLoopback(this.#server);
  }

  close(): Promise<void> {
    return closeOnLoopback(this.#server);
  }
}

function esplora(chain: FakeChain, { pathname }: URL): unknown {
  const [, first = '', second = '', third, fourth] = pathname.split('/');
  if (pathname === '/blocks/tip/hash') return chain.blockAt(chain.height)?.hash;
  if (first === 'block-height') return chain.blockAt(Number(second))?.hash;
  if (first === 'block') {
    const height = chain.heightOf(second);
    if (height === undefined) return undefined;
    const all = transactionsOf(chain, chain.blockAt(height)?.transfers ?? [], height);
    if (third === 'txs') {
      const start = Number(fourth);
      return start < all.length ? all.slice(start, start + PAGE) : undefined;
    }
    return { id: second, height, tx_count: all.length, previousblockhash: chain.blockAt(height - 1)?.hash ?? null };
  }
  if (first === 'tx') {
    const found = chain.find(second);
    if (found === undefined) return undefined;
    const block = found.height === undefined ? chain.waiting : (chain.blockAt(found.height)?.transfers ?? []);
    const same = block.filter(({ txid }) => txid === second);
    return transactionsOf(chain, same, found.height).find(({ txid }) => txid === second);
  }
  if (first !== 'address') return undefined;
  const all = chain.transfersTo(second);
  const waiting = all.filter(({ height }) => height === undefined).map(({ transfer }) => transfer);
  if (third === 'txs' && fourth === 'mempool') return transactionsOf(chain, waiting, undefined).slice(1);
  const mined = all.filter(({ height }) => height !== undefined).map(({ transfer: { raw } }) => Number(raw));
  const taken = Number(chain.takenFrom(second, undefined));
  const funded = mined.reduce((sum, raw) => sum + raw, Math.max(-taken, 0));
  return {
    chain_stats: {
      tx_count: all.length - waiting.length,
      funded_txo_sum: funded,
      spent_txo_sum: Math.max(taken, 0),
    },
    mempool_stats: { tx_count: waiting.length },
  };
}

/** Transactions with their outputs. Transfers with the same txid are outputs of one transaction. The first pays none of our addresses. */
function transactionsOf(chain: FakeChain, transfers: readonly FakeTransfer[], height: number | undefined) {
  const status =
    height === undefined
      ? { confirmed: false }
      : { confirmed: true, block_height: height, block_hash: chain.blockAt(height)?.hash };
  const ids = [...new Set(transfers.map(({ txid }) => txid))];
  const coinbase = { txid: String(height ?? 0).padStart(64, '0'), vout: [{ value: 0 }], status };
  const others = ids.map((txid) => ({
    txid,
    vout: [
      ...transfers
        .filter((transfer) => transfer.txid === txid)
        .map(({ to, raw }) => ({ scriptpubkey_address: to, value: Number(raw) })),
      { scriptpubkey_address: 'somebody-else', value: 12_345 },
      { value: 0 },
    ],
    status,
  }));
  return [coinbase, ...others];
}

interface RpcRequest {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface LogFilter {
  readonly address: readonly string[];
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

/** The transfer events of some tokens in a block. */
function logsAt(chain: FakeChain, height: number, address: readonly string[]) {
  const contracts = new Set(address.map((one) => one.toLowerCase()));
  const block = chain.blockAt(height);
  return (block?.transfers ?? []).flatMap(({ txid, to, raw, contract, hasFailed }) =>
    contract === undefined || !contracts.has(contract.toLowerCase()) || hasFailed
      ? []
      : [
          {
            address: contract.toLowerCase(),
            topics: [`0x${TRANSFER_TOPIC}`, `0x${'0'.repeat(64)}`, `0x${to.slice(2).toLowerCase().padStart(64, '0')}`],
            data: `0x${raw.toString(16).padStart(64, '0')}`,
            blockNumber: hex(height),
            blockHash: `0x${block?.hash}`,
            transactionHash: `0x${txid}`,
            removed: false,
          },
        ],
  );
}

function bloomOf(transfers: readonly FakeTransfer[]): string {
  const bytes = Buffer.alloc(256);
  for (const { contract, hasFailed } of transfers) {
    if (contract === undefined || hasFailed) continue;
    for (const item of [contract.slice(2), TRANSFER_TOPIC]) {
      for (const { at, mask } of placesOf(item)) bytes[at] = (bytes[at] ?? 0) | mask;
    }
  }
  return `0x${bytes.toString('hex')}`;
}

function rpcResult(chain: FakeChain, method: string, params: readonly unknown[]): unknown {
  switch (method) {
    case 'eth_getBlockByNumber': {
      const height = params[0] === 'latest' ? chain.height : Number(params[0]);
      const block = chain.blockAt(height);
      if (block === undefined) return null;
      const transactions = block.transfers.map(({ txid, to, raw, contract }) =>
        contract === undefined
          ? { hash: `0x${txid}`, to: to.toLowerCase(), value: hex(raw) }
          : { hash: `0x${txid}`, to: contract.toLowerCase(), value: '0x0' },
      );
      const creation = { hash: `0x${'c'.repeat(64)}`, to: null, value: '0x5' };
      const all = transactions.length === 0 ? [] : [...transactions, creation];
      return {
        number: hex(height),
        hash: `0x${block.hash}`,
        parentHash: `0x${chain.blockAt(height - 1)?.hash ?? '0'.repeat(64)}`,
        logsBloom: bloomOf(block.transfers),
        transactions: params[1] === true ? all : all.map((one) => one.hash),
      };
    }
    case 'eth_getTransactionCount':
      return '0x0';
    case 'eth_getBalance':
      return hex(balanceOf(chain, String(params[0]), undefined, heightOf(chain, params[1])));
    case 'eth_call': {
      const [{ to, data }, at] = params as [{ to: string; data: string }, unknown];
      const holder = `0x${data.slice(-40)}`;
      return `0x${balanceOf(chain, holder, to, heightOf(chain, at)).toString(16).padStart(64, '0')}`;
    }
    case 'eth_getTransactionReceipt': {
      const found = chain.find(String(params[0]).slice(2));
      return found === undefined ? null : { status: found.transfer.hasFailed ? '0x0' : '0x1' };
    }
    default:
      throw new Error(`The fake node does not know ${method}`);
  }
}

const heightOf = (chain: FakeChain, at: unknown): number => (at === 'latest' ? chain.height : Number(at));

function balanceOf(chain: FakeChain, holder: string, token: string | undefined, upTo = chain.height): bigint {
  const received = chain
    .transfers()
    .filter(({ transfer: { to, contract, hasFailed }, height }) => {
      const isSameAsset = contract?.toLowerCase() === token?.toLowerCase();
      return (
        height !== undefined && height <= upTo && !hasFailed && isSameAsset && to.toLowerCase() === holder.toLowerCase()
      );
    })
    .reduce((sum, { transfer }) => sum + transfer.raw, 0n);
  return received - chain.takenFrom(holder, token);
}

function tron(chain: FakeChain, { pathname, searchParams }: URL, body: unknown): unknown {
  const { num } = body as { num?: number };
  const height = pathname === '/wallet/getnowblock' ? chain.height : (num ?? 0);
  const block = chain.blockAt(height);
  if (pathname === '/wallet/getnowblock' || pathname === '/wallet/getblockbynum') {
    if (block === undefined) return {};
    const parentHash = chain.blockAt(height - 1)?.hash ?? '0'.repeat(64);
    return {
      blockID: block.hash,
      block_header: { raw_data: { number: height, parentHash } },
      ...(block.transfers.length > 0 && { transactions: block.transfers.map(tronTransaction) }),
    };
  }
  if (pathname === '/wallet/gettransactioninfobyblocknum') {
    return (block?.transfers ?? []).map(({ txid, to, raw, contract, hasFailed }) => ({
      id: txid,
      blockNumber: height,
      receipt: { result: hasFailed ? 'REVERT' : 'SUCCESS' },
      ...(contract !== undefined && {
        log: [
          {
            address: tronHex(contract),
            topics: [TRANSFER_TOPIC, '0'.repeat(64), tronHex(to).padStart(64, '0')],
            data: raw.toString(16).padStart(64, '0'),
          },
        ],
      }),
    }));
  }
  if (pathname === '/wallet/getaccount') {
    const balance = balanceOf(chain, String((body as { address: string }).address), undefined);
    return balance === 0n ? {} : { balance: Number(balance) };
  }
  if (pathname === '/wallet/triggerconstantcontract') {
    const { owner_address: holder, contract_address: token } = body as Record<string, string>;
    const balance = balanceOf(chain, String(holder), String(token));
    return { result: { result: true }, constant_result: [balance.toString(16).padStart(64, '0')] };
  }
  const [, , , address = '', , kind] = pathname.split('/');
  const all = chain
    .transfersTo(address)
    .filter(({ transfer }) => (transfer.contract === undefined) !== (kind === 'trc20'));
  return { data: all.map(({ transfer }) => transfer.txid).slice(0, Number(searchParams.get('limit'))) };
}

function tronTransaction({ txid, to, raw, contract, hasFailed }: FakeTransfer) {
  const isOfCoins = contract === undefined;
  const value = isOfCoins ? { amount: Number(raw), to_address: `41${tronHex(to)}` } : { contract_address: contract };
  return {
    txID: txid,
    ret: [{ contractRet: hasFailed ? 'OUT_OF_ENERGY' : 'SUCCESS' }],
    raw_data: {
      contract: [{ type: isOfCoins ? 'TransferContract' : 'TriggerSmartContract', parameter: { value } }],
    },
  };
}

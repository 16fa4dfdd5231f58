/** Tells of a fake chain over HTTP as the nodes of each family do. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tronHex } from '../receiving-address.ts';
import type { FakeChain, FakeTransfer } from './fake-chain.ts';
import { answerAsTon } from './fake-ton-node.ts';

export type Family = 'esplora' | 'evm' | 'tron' | 'ton';
/** `behind`, `without-receipts`: it knows the tip and lacks its block or its receipts, as one of several nodes behind one address may. */
type Mood = 'well' | 'down' | 'nonsense' | 'behind' | 'without-receipts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const PAGE = 25;
const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

export class FakeNode {
  mood: Mood = 'well';
  asked = 0;
  /** What was asked, as address and body. */
  readonly questions: string[] = [];
  /** As public nodes have one: more questions in any second are refused. */
  limit: { readonly perSecond: number; now(): number } | undefined;
  /** Questions over the limit. */
  refused = 0;
  #askedAt: number[] = [];
  readonly #chain: FakeChain;
  readonly #server: Server;

  constructor(family: Family, chain: FakeChain) {
    this.#chain = chain;
    const answer = { esplora, evm, tron, ton: answerAsTon }[family];
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
      if (this.#isOverLimit()) {
        this.refused += 1;
        response.writeHead(429).end();
        return;
      }
      const question = body === '' ? {} : JSON.parse(body);
      const isWithheld =
        (this.mood === 'behind' && question.method === 'eth_getBlockByNumber' && question.params[1] === true) ||
        (this.mood === 'without-receipts' && question.method === 'eth_getTransactionReceipt');
      const found = isWithheld
        ? { jsonrpc: '2.0', id: question.id, result: null }
        : answer(this.#chain, new URL(request.url ?? '/', 'http://node'), question);
      const text = typeof found === 'string' ? found : JSON.stringify(found);
      response.writeHead(found === undefined ? 404 : 200).end(this.mood === 'nonsense' ? '<html>' : text);
    });
  }

  #isOverLimit(): boolean {
    if (this.limit === undefined) return false;
    const now = this.limit.now();
    this.#askedAt = this.#askedAt.filter((at) => at > now - 1000);
    this.#askedAt.push(now);
    return this.#askedAt.length > this.limit.perSecond;
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
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
  return { chain_stats: { tx_count: all.length - waiting.length }, mempool_stats: { tx_count: waiting.length } };
}

/** Two payees of one transaction stand in one entry, as two of its outputs. The first of all pays to nobody of ours. */
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

function evm(chain: FakeChain, _url: URL, request: unknown): unknown {
  const { id, method, params } = request as RpcRequest;
  return { jsonrpc: '2.0', id, result: rpcResult(chain, method, params) };
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
      return {
        number: hex(height),
        hash: `0x${block.hash}`,
        parentHash: `0x${chain.blockAt(height - 1)?.hash ?? '0'.repeat(64)}`,
        transactions: params[1] === true ? [...transactions, creation] : [],
      };
    }
    case 'eth_getTransactionCount':
      return '0x0';
    case 'eth_getBalance':
      return hex(balanceOf(chain, String(params[0]), undefined));
    case 'eth_call': {
      const [{ to, data }] = params as [{ to: string; data: string }];
      const holder = `0x${data.slice(-40)}`;
      return `0x${balanceOf(chain, holder, to).toString(16).padStart(64, '0')}`;
    }
    case 'eth_getTransactionReceipt': {
      const found = chain.find(String(params[0]).slice(2));
      return found === undefined ? null : { status: found.transfer.hasFailed ? '0x0' : '0x1' };
    }
    case 'eth_getLogs': {
      const [filter] = params as [{ blockHash: string; address: string[] }];
      const contracts = new Set(filter.address.map((address) => address.toLowerCase()));
      const height = chain.heightOf(filter.blockHash.slice(2));
      if (height === undefined) throw new Error('The fake node does not have the block');
      const logs = [];
      for (const { txid, to, raw, contract, hasFailed } of chain.blockAt(height)?.transfers ?? []) {
        if (contract === undefined || !contracts.has(contract.toLowerCase()) || hasFailed) continue;
        logs.push({
          address: contract.toLowerCase(),
          topics: [TRANSFER, `0x${'0'.repeat(64)}`, `0x${to.slice(2).toLowerCase().padStart(64, '0')}`],
          data: `0x${raw.toString(16).padStart(64, '0')}`,
          transactionHash: `0x${txid}`,
          removed: false,
        });
      }
      return logs;
    }
    default:
      throw new Error(`The fake node does not know ${method}`);
  }
}

function balanceOf(chain: FakeChain, holder: string, token: string | undefined): bigint {
  return chain
    .transfers()
    .filter(({ transfer: { to, contract, hasFailed }, height }) => {
      const isSameAsset = contract?.toLowerCase() === token?.toLowerCase();
      return height !== undefined && !hasFailed && isSameAsset && to.toLowerCase() === holder.toLowerCase();
    })
    .reduce((sum, { transfer }) => sum + transfer.raw, 0n);
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
            topics: [TRANSFER.slice(2), '0'.repeat(64), tronHex(to).padStart(64, '0')],
            data: raw.toString(16).padStart(64, '0'),
          },
        ],
      }),
    }));
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

/** Tells of a fake chain over HTTP as the nodes of each family do. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tronHex } from '../receiving-address.ts';
import type { FakeChain } from './fake-chain.ts';
import { answerAsTon } from './fake-ton-node.ts';

export type Family = 'esplora' | 'evm' | 'tron' | 'ton';
/** `behind`: it knows the tip and has no block yet, as one of several nodes behind one address may. */
type Mood = 'well' | 'down' | 'nonsense' | 'behind';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const PAGE = 25;
const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

export class FakeNode {
  mood: Mood = 'well';
  asked = 0;
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
      const question = body === '' ? {} : JSON.parse(body);
      const isWithheld =
        this.mood === 'behind' && question.method === 'eth_getBlockByNumber' && question.params[1] === true;
      const found = isWithheld
        ? { jsonrpc: '2.0', id: question.id, result: null }
        : answer(this.#chain, new URL(request.url ?? '/', 'http://node'), question);
      const text = typeof found === 'string' ? found : JSON.stringify(found);
      response.writeHead(found === undefined ? 404 : 200).end(this.mood === 'nonsense' ? '<html>' : text);
    });
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
  const [, first = '', second = '', third, , last] = pathname.split('/');
  if (pathname === '/blocks/tip/hash') return chain.blockAt(chain.height)?.hash;
  if (first === 'block-height') return chain.blockAt(Number(second))?.hash;
  if (first === 'block') {
    for (let height = chain.height; height >= 0; height -= 1) {
      if (chain.blockAt(height)?.hash === second) return { id: second, height };
    }
    return undefined;
  }
  if (first === 'address' && third === undefined) {
    const all = chain.transfersTo(second);
    const mined = all.filter(({ height }) => height !== undefined).length;
    return { chain_stats: { tx_count: mined }, mempool_stats: { tx_count: all.length - mined } };
  }
  if (first !== 'address' || third !== 'txs') return undefined;
  // Two payees of one transaction stand in one entry, as two of its outputs.
  const all = chain.transfersTo(second);
  const mined = all.filter(({ height }) => height !== undefined);
  const start = last === undefined ? 0 : mined.findLastIndex(({ transfer }) => transfer.txid === last) + 1;
  const page = mined.slice(start, start + PAGE);
  const shown = last === undefined ? [...all.filter(({ height }) => height === undefined), ...page] : page;
  const ids = [...new Set(shown.map(({ transfer }) => transfer.txid))];
  return ids.map((txid) => {
    const parts = shown.filter(({ transfer }) => transfer.txid === txid);
    const height = parts[0]?.height;
    return {
      txid,
      vout: [
        ...parts.map(({ transfer }) => ({ scriptpubkey_address: transfer.to, value: Number(transfer.raw) })),
        { scriptpubkey_address: 'somebody-else', value: 12_345 },
        { value: 0 },
      ],
      status:
        height === undefined
          ? { confirmed: false }
          : { confirmed: true, block_height: height, block_hash: chain.blockAt(height)?.hash },
    };
  });
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
      const [filter] = params as [
        { fromBlock: string; toBlock: string; address: string[]; topics: [string, null, string[]] },
      ];
      const contracts = new Set(filter.address.map((address) => address.toLowerCase()));
      const logs = [];
      for (let height = Number(filter.fromBlock); height <= Number(filter.toBlock); height += 1) {
        const block = chain.blockAt(height);
        for (const { txid, to, raw, contract, hasFailed } of block?.transfers ?? []) {
          const topic = `0x${to.slice(2).toLowerCase().padStart(64, '0')}`;
          const isAsked =
            contract !== undefined && contracts.has(contract.toLowerCase()) && filter.topics[2].includes(topic);
          if (!isAsked || hasFailed) continue;
          logs.push({
            address: contract.toLowerCase(),
            topics: [TRANSFER, `0x${'0'.repeat(64)}`, topic],
            data: `0x${raw.toString(16).padStart(64, '0')}`,
            transactionHash: `0x${txid}`,
            blockNumber: hex(height),
            blockHash: `0x${block?.hash}`,
            removed: false,
          });
        }
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
  const { num, value } = body as { num?: number; value?: string };
  const blockOf = (height: number) => {
    const block = chain.blockAt(height);
    return block === undefined ? {} : { blockID: block.hash, block_header: { raw_data: { number: height } } };
  };
  if (pathname === '/wallet/getnowblock') return blockOf(chain.height);
  if (pathname === '/wallet/getblockbynum') return blockOf(num ?? 0);
  if (pathname === '/wallet/gettransactioninfobyid') {
    const found = chain.find(value ?? '');
    return found?.height === undefined
      ? {}
      : {
          id: value,
          blockNumber: found.height,
          receipt: { result: found.transfer.hasFailed ? 'REVERT' : 'SUCCESS' },
        };
  }
  const address = pathname.split('/')[3] ?? '';
  const all = chain.transfersTo(address);
  if (pathname.endsWith('/trc20')) {
    const wanted = searchParams.get('contract_address');
    return {
      data: all
        .filter(({ transfer: { contract } }) => contract !== undefined && (wanted === null || contract === wanted))
        .map(({ transfer }) => ({
          transaction_id: transfer.txid,
          to: transfer.to,
          value: String(transfer.raw),
          token_info: { address: transfer.contract },
        })),
    };
  }
  return {
    data: all
      .filter(({ transfer }) => transfer.contract === undefined)
      .map(({ transfer, height }) => ({
        txID: transfer.txid,
        ...(height !== undefined && { blockNumber: height }),
        ret: [{ contractRet: transfer.hasFailed ? 'OUT_OF_ENERGY' : 'SUCCESS' }],
        raw_data: {
          contract: [
            {
              type: 'TransferContract',
              parameter: { value: { amount: Number(transfer.raw), to_address: `41${tronHex(transfer.to)}` } },
            },
          ],
        },
      })),
  };
}

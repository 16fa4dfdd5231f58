/**
 * Ethereum and the chains with the same interface (JSON-RPC). Token payments are `Transfer` events (ERC-20), which are asked for by
 * range of blocks. Payments in the chain's own coin are the transactions of each block. A contract that sends coins on leaves
 * neither, so such payments are not seen.
 */
import * as v from 'valibot';
import { holdsByScan, type ReportedBlock, scanBlocks } from '../chain/block-scan.ts';
import {
  type BalancePlace,
  type BalancesAt,
  type Block,
  type ChainSource,
  type IncomingPayment,
  NodeError,
  type WatchedAssets,
} from '../chain/chain-source.ts';
import type { NodeAddress } from '../chain/node-http.ts';
import { withChecksum } from '../chain/receiving-address.ts';
import { readTransfer } from '../chain/transfer-event.ts';
import type { Finality } from '../chain-kinds.ts';
import {
  type EvmBlock,
  EvmBlockReader,
  type EvmLog,
  type EvmTransaction,
  headSchema,
  MOST_BLOCKS,
  quantity,
} from './evm-block-reader.ts';
import { createEvmRpc, type EvmRpc, hexOf, readAnswer } from './evm-rpc.ts';

/** The selector of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231';
const word = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i));
/** A receipt without a status does not say how the transaction ended. */
const receiptSchema = v.nullish(v.object({ status: quantity }));

export interface EvmAssets extends WatchedAssets {
  /** The tag of the chain's irreversible blocks. Absent: confirmations alone decide. */
  readonly finality?: Finality;
}

export function createEvmSource(node: NodeAddress, assets: EvmAssets): ChainSource {
  const { finality } = assets;
  const rpc = createEvmRpc(node);
  const reader = new EvmBlockReader(rpc, assets);

  const scan: ChainSource['scan'] = async (ours, range) => {
    const blocks = await reader.read(range.from, range.to);
    return scanBlocks(ours, range, async (height) => reportedBlock(rpc, height, blocks.get(height)));
  };

  async function hashAt(height: number): Promise<string | undefined> {
    const found = await rpc.ask('eth_getBlockByNumber', [hexOf(height), false], v.nullish(headSchema));
    return found?.hash;
  }

  return {
    async tip() {
      const found = await rpc.ask('eth_getBlockByNumber', ['latest', false], headSchema);
      const { timestamp } = found;
      return {
        height: Number(found.number),
        hash: found.hash,
        ...(timestamp !== undefined && { minedAt: Number(timestamp) * 1000 }),
      };
    },
    mostBlocks: MOST_BLOCKS,
    looksBack: 0,
    hashAt,
    scan,
    holds: (payment) => holdsByScan({ hashAt, scan }, payment),
    isUsed: (address) => isUsed(rpc, assets, address),
    balances: (places, height) => balancesAt(rpc, places, height),
    ...(finality !== undefined && {
      finalHeight: async () => Number((await rpc.ask('eth_getBlockByNumber', [finality, false], headSchema)).number),
    }),
  };
}

function reportedBlock(rpc: EvmRpc, height: number, found: EvmBlock | undefined): ReportedBlock {
  if (found === undefined || Number(found.head.number) !== height) {
    throw new NodeError('The node returned a different block');
  }
  const block: Block = { height, hash: found.head.hash };
  return {
    block,
    parentHash: found.head.parentHash,
    payments: () => [...tokenPayments(found.logs, block), ...coinPayments(found.transactions, block)],
    withoutFailed: (payments) => withoutFailed(rpc, payments),
  };
}

function tokenPayments(logs: readonly EvmLog[], block: Block): IncomingPayment[] {
  return logs.flatMap(({ address: contract, transactionHash: txid, removed, ...event }): IncomingPayment[] => {
    const transfer = removed === true ? undefined : readTransfer(event);
    if (transfer === undefined) return [];
    const { receiver, raw } = transfer;
    return [
      { txid, address: withChecksum(receiver), contract: withChecksum(contract.slice(2).toLowerCase()), raw, block },
    ];
  });
}

function coinPayments(transactions: readonly EvmTransaction[], block: Block): IncomingPayment[] {
  return transactions.flatMap(({ hash: txid, to, value }): IncomingPayment[] =>
    !to || BigInt(value) === 0n
      ? []
      : [{ txid, address: withChecksum(to.slice(2).toLowerCase()), raw: BigInt(value), block }],
  );
}

/** A block also holds failed transactions, and only the receipt names them. A failed transaction emits no event. */
async function withoutFailed(rpc: EvmRpc, payments: readonly IncomingPayment[]): Promise<IncomingPayment[]> {
  const inCoins = payments.filter(({ contract }) => contract === undefined);
  const receipts = await rpc.askEach(
    'eth_getTransactionReceipt',
    inCoins.map(({ txid }) => [txid]),
    receiptSchema,
  );
  const failed = inCoins.filter(({ txid }, at) => {
    const receipt = receipts[at];
    // The node may lag behind the node that sent the block. A missing receipt does not mean that the payment failed.
    if (!receipt) throw new NodeError(`The node does not have the receipt of ${txid} yet`);
    return BigInt(receipt.status) !== 1n;
  });
  return payments.filter((payment) => !failed.includes(payment));
}

async function balancesAt(rpc: EvmRpc, places: readonly BalancePlace[], height: number): Promise<BalancesAt> {
  const at = hexOf(height);
  const answers = await rpc.askAll(
    places.map(({ address, contract }) =>
      contract === ''
        ? { method: 'eth_getBalance', params: [address, at] }
        : { method: 'eth_call', params: [{ to: contract, data: balanceOfCall(address) }, at] },
    ),
  );
  const raws = answers.map((answer, which) =>
    BigInt(readAnswer(answer, 'the balance of an address', places[which]?.contract === '' ? quantity : word)),
  );
  return { raws, first: height, last: height };
}

function balanceOfCall(address: string): string {
  return `${BALANCE_OF}${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** An address that was emptied has sent transactions. An address that was only paid has a balance. */
async function isUsed(rpc: EvmRpc, { tokens, isCoinWatched }: WatchedAssets, address: string): Promise<boolean> {
  const at = [address, 'latest'];
  const data = balanceOfCall(address);
  const answers = await rpc.askAll([
    { method: 'eth_getTransactionCount', params: at },
    ...(isCoinWatched ? [{ method: 'eth_getBalance', params: at }] : []),
    ...tokens.map((to) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })),
  ]);
  const numbers = answers.map((answer, which) => {
    const isOfToken = which > (isCoinWatched ? 1 : 0);
    return BigInt(readAnswer(answer, 'what an address holds', isOfToken ? word : quantity));
  });
  return numbers.some((number) => number > 0n);
}

/**
 * TRON through the HTTP interface of a node: coins and TRC-20 tokens. A block costs two requests, however many addresses are
 * watched. TronGrid's index is asked only whether an address was used.
 */
import * as v from 'valibot';
import { holdsByScan, type ReportedBlock, scanBlocks } from '../chain/block-scan.ts';
import {
  type BalancePlace,
  type Block,
  type ChainSource,
  type IncomingPayment,
  missingBlock,
  NodeError,
  type Tip,
  type WatchedAssets,
} from '../chain/chain-source.ts';
import { ask, inTurns, type NodeAddress } from '../chain/node-http.ts';
import { tronAddress, tronHex } from '../chain/receiving-address.ts';
import { readTransfer } from '../chain/transfer-event.ts';

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const number = v.pipe(v.number(), v.safeInteger());
const headerSchema = v.object({
  raw_data: v.object({
    number: v.optional(number, 0),
    parentHash: v.optional(hash),
    timestamp: v.optional(v.number()),
  }),
});
const headSchema = v.object({ blockID: v.optional(hash), block_header: v.optional(headerSchema) });
const transactionSchema = v.object({
  txID: hash,
  ret: v.optional(v.array(v.object({ contractRet: v.optional(v.string()) }))),
  raw_data: v.object({
    contract: v.array(
      v.object({
        type: v.string(),
        parameter: v.object({
          value: v.object({ amount: v.optional(v.number()), to_address: v.optional(v.string()) }),
        }),
      }),
    ),
  }),
});
const blockSchema = v.object({
  blockID: v.optional(hash),
  block_header: v.optional(headerSchema),
  transactions: v.optional(v.array(transactionSchema), []),
});
const infosSchema = v.array(
  v.object({
    id: hash,
    receipt: v.optional(v.object({ result: v.optional(v.string()) })),
    log: v.optional(
      v.array(
        v.object({
          address: v.string(),
          topics: v.optional(v.array(v.string()), []),
          data: v.optional(v.string(), ''),
        }),
      ),
      [],
    ),
  }),
);
/** A node answers with an empty object about an account that nobody has paid in the chain's coin. */
const accountSchema = v.object({ balance: v.optional(v.pipe(number, v.minValue(0)), 0) });
const constantSchema = v.object({
  result: v.object({ result: v.literal(true) }),
  constant_result: v.tuple([v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/i))]),
});
const anySchema = v.object({ data: v.array(v.unknown()) });
type Transaction = v.InferOutput<typeof transactionSchema>;
type Info = v.InferOutput<typeof infosSchema>[number];

export function createTronSource(node: NodeAddress, { tokens, isCoinWatched }: WatchedAssets): ChainSource {
  const contracts = new Map(tokens.map((contract) => [tronHex(contract), contract]));

  async function hashAt(height: number): Promise<string | undefined> {
    return (await ask(node, '/wallet/getblockbynum', headSchema, { num: height }))?.blockID;
  }

  async function readBlock(height: number): Promise<ReportedBlock> {
    const found = await ask(node, '/wallet/getblockbynum', blockSchema, { num: height });
    const { blockID, block_header: header, transactions = [] } = found ?? {};
    if (blockID === undefined || header?.raw_data.number !== height) throw missingBlock(height);
    const block = { height, hash: blockID };
    return {
      block,
      parentHash: header.raw_data.parentHash,
      payments: async () => [
        ...(isCoinWatched ? transactions.flatMap((one) => coinPayments(one, block)) : []),
        ...(await tokensIn(transactions, block)),
      ],
    };
  }

  async function tokensIn(transactions: readonly Transaction[], block: Block): Promise<IncomingPayment[]> {
    if (tokens.length === 0 || transactions.length === 0) return [];
    const infos = await ask(node, '/wallet/gettransactioninfobyblocknum', infosSchema, { num: block.height });
    return tokenPayments(contracts, transactions, infos ?? [], block);
  }

  const scan: ChainSource['scan'] = (ours, range) => scanBlocks(ours, range, readBlock);

  async function tip(): Promise<Tip> {
    const head = await ask(node, '/wallet/getnowblock', headSchema, {});
    const height = head?.block_header?.raw_data.number;
    if (head?.blockID === undefined || height === undefined)
      throw new NodeError('The node did not return its newest block');
    const minedAt = head.block_header?.raw_data.timestamp;
    return { height, hash: head.blockID, ...(minedAt !== undefined && { minedAt }) };
  }

  return {
    mostBlocks: 20,
    looksBack: 0,
    hashAt,
    scan,
    holds: (payment) => holdsByScan({ hashAt, scan }, payment),
    tip,
    async balances(places, height) {
      const raws = await inTurns(places, (place) => balanceOf(node, place), 4);
      return { raws, first: height, last: Math.max(height, (await tip()).height) };
    },
    /** Asks for both lists, because an account that only received tokens is not activated and has no transactions. */
    async isUsed(address) {
      for (const list of ['transactions/trc20', 'transactions']) {
        const found = await ask(node, `/v1/accounts/${address}/${list}?limit=1`, anySchema);
        if (found === undefined) throw new NodeError('The node cannot return accounts. Use a node with this API');
        if (found.data.length > 0) return true;
      }
      return false;
    },
  };
}

async function balanceOf(node: NodeAddress, { address, contract }: BalancePlace): Promise<bigint> {
  if (contract === '') {
    const account = await ask(node, '/wallet/getaccount', accountSchema, { address, visible: true });
    if (account === undefined) throw new NodeError('The node cannot return accounts. Use a node with this API');
    return BigInt(account.balance);
  }
  const found = await ask(node, '/wallet/triggerconstantcontract', constantSchema, {
    owner_address: address,
    contract_address: contract,
    function_selector: 'balanceOf(address)',
    parameter: tronHex(address).padStart(64, '0'),
    visible: true,
  });
  if (found === undefined) throw new NodeError('The node cannot call contracts. Use a node with this API');
  return BigInt(`0x${found.constant_result[0]}`);
}

/**
 * Token payments, from the events of the transactions that the block holds.
 * @throws NodeError when events of a transaction are missing, because the node lags behind
 */
function tokenPayments(
  contracts: ReadonlyMap<string, string>,
  transactions: readonly Transaction[],
  infos: readonly Info[],
  block: Block,
): IncomingPayment[] {
  const byId = new Map(infos.map((info) => [info.id, info]));
  return transactions.flatMap(({ txID: txid }): IncomingPayment[] => {
    const info = byId.get(txid);
    if (info === undefined) throw new NodeError(`The node returned only a part of block ${block.height}`);
    if (info.receipt?.result !== undefined && info.receipt.result !== 'SUCCESS') return [];
    return info.log.flatMap(({ address, ...event }): IncomingPayment[] => {
      const contract = contracts.get(address.toLowerCase());
      const transfer = contract === undefined ? undefined : readTransfer(event);
      if (contract === undefined || transfer === undefined) return [];
      return [{ txid, address: tronAddress(transfer.receiver), contract, raw: transfer.raw, block }];
    });
  });
}

/** A transfer of the chain's own coin. */
function coinPayments({ txID: txid, ret, raw_data }: Transaction, block: Block): IncomingPayment[] {
  const [transfer] = raw_data.contract;
  const { amount = 0, to_address: to = '' } = transfer?.parameter.value ?? {};
  const isTransfer =
    transfer?.type === 'TransferContract' &&
    ret?.[0]?.contractRet === 'SUCCESS' &&
    Number.isSafeInteger(amount) &&
    amount > 0 &&
    /^41[0-9a-f]{40}$/i.test(to);
  return isTransfer ? [{ txid, address: tronAddress(to.slice(2).toLowerCase()), raw: BigInt(amount), block }] : [];
}

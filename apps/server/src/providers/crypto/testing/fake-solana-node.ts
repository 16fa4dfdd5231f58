/** The answers of a Solana node over a fake chain. Its blocks are final: a height is a slot. */
import { base58, base64 } from '@scure/base';
import { tokenAccountOf } from '../solana/solana-address.ts';
import type { FakeChain, FakeTransfer } from './fake-chain.ts';

export interface SolanaMood {
  genesis?: string;
  /** It has deleted the transactions before this slot. */
  prunedTo?: number;
  /** It knows the balances and the signatures, but lacks the transactions above this slot. */
  transactionsUpTo?: number;
  /** It lists at most so many signatures, whatever was asked for. */
  mostSignatures?: number;
  /** It does not say who owns a token account. */
  hidesOwner?: boolean;
}

const MAIN_NETWORK = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SYSTEM_PROGRAM = '1'.repeat(32);
/** An account of the payer, before ours in each transaction. */
const PAYER = 'vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg';

const accountOf = ({ to, contract }: FakeTransfer): string =>
  contract === undefined ? to : tokenAccountOf(to, contract);

interface Mined {
  readonly transfer: FakeTransfer;
  readonly height: number;
}

function minedOf(chain: FakeChain): Mined[] {
  return chain.transfers().flatMap(({ transfer, height }) => (height === undefined ? [] : [{ transfer, height }]));
}

export function answerAsSolana(
  chain: FakeChain,
  method: string,
  params: readonly unknown[],
  mood: SolanaMood,
): { result: unknown } | { error: { code: number } } {
  const mined = minedOf(chain);
  switch (method) {
    case 'getGenesisHash':
      return { result: mood.genesis ?? MAIN_NETWORK };
    case 'getLatestBlockhash':
      return { result: { context: { slot: chain.height }, value: { blockhash: chain.blockAt(chain.height)?.hash } } };
    case 'getBlock': {
      const slot = Number(params[0]);
      const block = slot < (mood.prunedTo ?? 0) ? undefined : chain.blockAt(slot);
      return block === undefined ? { error: { code: -32009 } } : { result: { blockhash: block.hash } };
    }
    case 'getMultipleAccounts': {
      const value = (params[0] as string[]).map((account) => holdingOf(chain, mined, account));
      return { result: { context: { slot: chain.height }, value } };
    }
    case 'getSignaturesForAddress': {
      const [account, { limit, before, until }] = params as [
        string,
        { limit: number; before?: string; until?: string },
      ];
      return { result: signaturesOf(mined, account, { limit, before, until }, mood) };
    }
    case 'getTransaction':
      return { result: transactionOf(mined, String(params[0]), mood) };
    default:
      return { error: { code: -32601 } };
  }
}

function holdingOf(chain: FakeChain, mined: readonly Mined[], account: string) {
  const ours = mined.filter(({ transfer }) => accountOf(transfer) === account && !transfer.hasFailed);
  const [first] = ours;
  if (first === undefined) return null;
  const { to, contract } = first.transfer;
  const received = ours.reduce((sum, { transfer }) => sum + transfer.raw, 0n);
  const balance = received - chain.takenFrom(to, contract);
  if (contract === undefined) return { lamports: Number(balance), owner: SYSTEM_PROGRAM, data: ['', 'base64'] };
  const bytes = new Uint8Array(165);
  bytes.set(base58.decode(contract), 0);
  bytes.set(base58.decode(to), 32);
  new DataView(bytes.buffer).setBigUint64(64, balance, true);
  return { lamports: 2_039_280, owner: TOKEN_PROGRAM, data: [base64.encode(bytes), 'base64'] };
}

function signaturesOf(
  mined: readonly Mined[],
  account: string,
  { limit, before, until }: { limit: number; before: string | undefined; until: string | undefined },
  { prunedTo = 0, mostSignatures = Number.POSITIVE_INFINITY }: SolanaMood,
) {
  const all = mined
    .filter(({ transfer, height }) => accountOf(transfer) === account && height >= prunedTo)
    .reverse()
    .map(({ transfer, height }) => ({
      signature: transfer.txid,
      slot: height,
      err: transfer.hasFailed ? { InstructionError: [0, 'Custom'] } : null,
    }));
  const start = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
  const found = until === undefined ? -1 : all.findIndex(({ signature }) => signature === until);
  return all.slice(start, found < 0 ? undefined : found).slice(0, Math.min(limit, mostSignatures));
}

function transactionOf(mined: readonly Mined[], txid: string, mood: SolanaMood) {
  const { prunedTo = 0, transactionsUpTo = Number.POSITIVE_INFINITY } = mood;
  const at = mined.findIndex(({ transfer }) => transfer.txid === txid);
  const found = mined[at];
  if (found === undefined || found.height < prunedTo || found.height > transactionsUpTo) return null;
  const { transfer, height: slot } = found;
  const { to: owner, contract: mint, raw, hasFailed } = transfer;
  const earlier = mined.slice(0, at).filter((one) => accountOf(one.transfer) === accountOf(transfer));
  const before = earlier.filter((one) => !one.transfer.hasFailed).reduce((sum, one) => sum + one.transfer.raw, 0n);
  const after = hasFailed ? before : before + raw;
  const tokens = (amount: bigint) =>
    mint === undefined
      ? []
      : [{ accountIndex: 2, mint, ...(!mood.hidesOwner && { owner }), uiTokenAmount: { amount: String(amount) } }];
  const coins = (amount: bigint) => [5_000_000, 1, mint === undefined ? Number(amount) : 2_039_280];
  return {
    slot,
    version: 0,
    meta: {
      err: hasFailed ? { InstructionError: [0, 'Custom'] } : null,
      preBalances: coins(before),
      postBalances: coins(after),
      preTokenBalances: earlier.length === 0 ? [] : tokens(before),
      postTokenBalances: tokens(after),
    },
    // The last key comes from an address table.
    transaction: {
      message: { accountKeys: [PAYER, TOKEN_PROGRAM, accountOf(transfer)].map((pubkey) => ({ pubkey })) },
    },
  };
}

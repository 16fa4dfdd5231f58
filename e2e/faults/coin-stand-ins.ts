/** A chain and a signer that outlive the servers. They are built with the server that dies (`buildDying`). */
import { pathToFileURL } from 'node:url';
import { server } from './deaths.ts';

/** A real EVM chain on this machine. */
export interface CoinChain {
  readonly url: string;
  /** Asks the node by JSON-RPC. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

/** A signer with a key of its own. */
export interface CoinSigner {
  /** @returns its address */
  open(): Promise<string>;
  close(): Promise<void>;
}

/** A TRON chain in memory. */
export interface TronChain {
  /** Milliseconds that each block moves its clock. 0: real time. */
  blockMs: number;
  fund(address: string, raw: bigint): void;
  mine(count?: number): void;
  /** What an address has, in the coin's smallest unit. */
  balance(address: string): bigint;
}

/** A node of it. */
export interface TronNode {
  /** @returns its address */
  open(): Promise<string>;
  close(): Promise<void>;
}

interface StandIns {
  readonly FakeTron: { new (): TronChain };
  /** An address of nobody, so that its balance counts what it got. */
  readonly newTronAddress: (nth: number) => string;
  readonly FakeTronNode: { new (chain: TronChain): TronNode };
  readonly LocalChain: { open(): Promise<CoinChain> };
  readonly TestSigner: { new (): CoinSigner; readonly evmWallet: string; readonly tronWallet: string };
  readonly SIGNER_SECRET: string;
}

/** Call `buildDying` first. */
export async function loadCoinStandIns(): Promise<StandIns> {
  const part = async <Part>(name: string): Promise<Part> =>
    (await import(pathToFileURL(`${server}.cache/faults/${name}.js`).href)) as Part;
  const chain = await part<Pick<StandIns, 'LocalChain'>>('local-chain');
  const tron = await part<Pick<StandIns, 'FakeTron' | 'FakeTronNode' | 'newTronAddress'>>('fake-tron-node');
  const signer = await part<Pick<StandIns, 'TestSigner' | 'SIGNER_SECRET'>>('test-signer');
  return { ...chain, ...tron, ...signer };
}

/** Chains and a signer that outlive the servers. They are built with the server that dies (`buildDying`). */
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

/** TON in memory. */
export interface TonChain {
  mine(): void;
  /** Forgets the next order that is taken. */
  forgetNext(): void;
  fund(address: string, nanotons: bigint): void;
  giveJettons(owner: string, master: string, raw: bigint): string;
  account(address: string): { readonly seqno: number };
  jettonsOf(owner: string, master: string): { readonly raw: bigint } | undefined;
}

/** An index of it. */
export interface TonNode {
  readonly ledger: TonChain;
  /** @returns its address */
  open(): Promise<string>;
  close(): Promise<void>;
}

interface StandIns {
  readonly FakeTron: { new (): TronChain };
  /** An address of nobody, so that its balance counts what it got. */
  readonly newTronAddress: (nth: number) => string;
  readonly FakeTronNode: { new (chain: TronChain): TronNode };
  readonly FakeTon: { new (): TonNode };
  readonly newTonAddress: (nth: number) => string;
  readonly LocalChain: { open(): Promise<CoinChain> };
  readonly TestSigner: {
    new (): CoinSigner;
    readonly evmWallet: string;
    readonly tronWallet: string;
    /** A public key, and the address of its wallet. */
    readonly tonWallet: string;
    readonly tonAddress: string;
  };
  readonly SIGNER_SECRET: string;
}

/** Call `buildDying` first. */
export async function loadCoinStandIns(): Promise<StandIns> {
  const part = async <Part>(name: string): Promise<Part> =>
    (await import(pathToFileURL(`${server}.cache/faults/${name}.js`).href)) as Part;
  const chain = await part<Pick<StandIns, 'LocalChain'>>('local-chain');
  const tron = await part<Pick<StandIns, 'FakeTron' | 'FakeTronNode' | 'newTronAddress'>>('fake-tron-node');
  const ton = await part<Pick<StandIns, 'FakeTon' | 'newTonAddress'>>('fake-ton');
  const signer = await part<Pick<StandIns, 'TestSigner' | 'SIGNER_SECRET'>>('test-signer');
  return { ...chain, ...tron, ...ton, ...signer };
}

/** Chains and a signer that outlive the servers. They are built with the server that dies (`build-dying.ts`). */
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

/** A Bitcoin node with its chain, in memory. */
export interface BitcoinNode {
  /** @returns its address */
  open(): Promise<string>;
  close(): Promise<void>;
  mine(): void;
  /** Forgets the next transaction that it takes. */
  forgetNext(): void;
  /** Gives a script a coin in a block. */
  fund(script: Uint8Array, value: bigint): void;
  /** What a script got in blocks, whether it was spent or not. */
  receivedBy(script: Uint8Array): bigint;
  /** What a script has in blocks. */
  balance(script: Uint8Array): bigint;
  /** The transactions that spent coins, in blocks. */
  readonly payments: readonly { readonly spends: readonly string[]; readonly fee: bigint }[];
}

/** Where a key gets coins. */
export interface BitcoinPayee {
  readonly publicKey: string;
  readonly address: string;
  readonly script: Uint8Array;
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
  readonly FakeBitcoin: { new (): BitcoinNode };
  readonly payToKey: (key: Uint8Array) => BitcoinPayee;
  /** An address of nobody. */
  readonly newBitcoinPayee: (nth: number) => BitcoinPayee;
  /** The signer's key for Bitcoin. */
  readonly BITCOIN_KEY: Uint8Array;
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

/** Those that `build-dying.ts` has built. */
export async function loadCoinStandIns(): Promise<StandIns> {
  const part = async <Part>(name: string): Promise<Part> =>
    (await import(pathToFileURL(`${server}.cache/faults/${name}.js`).href)) as Part;
  const chain = await part<Pick<StandIns, 'LocalChain'>>('local-chain');
  const tron = await part<Pick<StandIns, 'FakeTron' | 'FakeTronNode' | 'newTronAddress'>>('fake-tron-node');
  const ton = await part<Pick<StandIns, 'FakeTon' | 'newTonAddress'>>('fake-ton');
  const bitcoin = await part<Pick<StandIns, 'FakeBitcoin' | 'payToKey' | 'newBitcoinPayee'>>('fake-bitcoin');
  const signer = await part<Pick<StandIns, 'TestSigner' | 'SIGNER_SECRET' | 'BITCOIN_KEY'>>('test-signer');
  return { ...chain, ...tron, ...bitcoin, ...ton, ...signer };
}

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

/** An index of TON over a chain in memory. */
export interface TonNode {
  readonly ledger: {
    mine(): void;
    /** Forgets the next order that is taken. */
    forgetNext(): void;
    fund(address: string, nanotons: bigint): void;
    giveJettons(owner: string, master: string, raw: bigint): string;
    account(address: string): { readonly seqno: number };
    jettonsOf(owner: string, master: string): { readonly raw: bigint } | undefined;
  };
  open(): Promise<string>;
  close(): Promise<void>;
}

interface StandIns {
  readonly LocalChain: { open(): Promise<CoinChain> };
  readonly FakeTon: { new (): TonNode };
  readonly TestSigner: {
    new (): CoinSigner;
    readonly evmWallet: string;
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
  const ton = await part<Pick<StandIns, 'FakeTon'>>('fake-ton');
  const signer = await part<Omit<StandIns, 'LocalChain' | 'FakeTon'>>('test-signer');
  return { ...chain, ...ton, ...signer };
}

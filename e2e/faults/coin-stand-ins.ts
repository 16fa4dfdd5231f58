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

interface StandIns {
  readonly LocalChain: { open(): Promise<CoinChain> };
  readonly TestSigner: { new (): CoinSigner; readonly evmWallet: string };
  readonly SIGNER_SECRET: string;
}

/** Call `buildDying` first. */
export async function loadCoinStandIns(): Promise<StandIns> {
  const part = async <Part>(name: string): Promise<Part> =>
    (await import(pathToFileURL(`${server}.cache/faults/${name}.js`).href)) as Part;
  const chain = await part<Pick<StandIns, 'LocalChain'>>('local-chain');
  const signer = await part<Omit<StandIns, 'LocalChain'>>('test-signer');
  return { ...chain, ...signer };
}

/** Nodes that die at a failpoint, and others that go on. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import type { Cluster } from './cluster.ts';
import { expectSoundBooks } from './invariants.ts';
import type { OwnWallet } from './own-wallet.ts';
import { Payer } from './payer.ts';
import { expectSameBooks, type WalletMoment } from './wallet-moments.ts';

/** The folder of the server. */
export const server = fileURLToPath(new URL('../../apps/server/', import.meta.url));
/** Longer than any lease of the server. */
const leasesAreOverS = 70;

/** The failpoints of the server that dies, which `build-dying.ts` has built. */
export async function readFailpoints(): Promise<
  Readonly<
    Record<
      'failpoints' | 'walletFailpoints' | 'payoutFailpoints' | 'payoutFileFailpoints' | 'coinFailpoints',
      readonly string[]
    >
  >
> {
  return await import(pathToFileURL(`${server}.cache/faults/failpoints.js`).href);
}

/** Lets the node die at a failpoint while something happens, and another one finish it. */
export async function dieDuring(cluster: Cluster, point: string, happens: () => Promise<void>): Promise<void> {
  await cluster.dieAt(0, point);
  await surviveDeath(cluster, happens);
}

/** Lets something happen during which the node dies, and another one finish it. */
export async function surviveDeath(cluster: Cluster, happens: () => Promise<void>): Promise<void> {
  const everything = happens();
  await Promise.race([cluster.dead(0, 120_000), everything.then(() => cluster.dead(0, 60_000))]);
  await cluster.startAgain(0, leasesAreOverS);
  await everything;
}

/** A death in a call to a wallet: each amount moves there once, and both books agree. */
export async function surviveWalletDeath(
  cluster: Cluster,
  wallet: OwnWallet,
  point: string,
  moment: WalletMoment,
): Promise<void> {
  const payer = await Payer.of(wallet);
  const happens = await moment.begin(payer, wallet, cluster);
  // A user's request asks the wallet itself. A worker claims the call only after an answer was lost.
  if (point === 'wallet-claimed') wallet.loseNextAnswer(moment.call);
  await dieDuring(cluster, point, happens);
  await expectSameBooks(cluster, wallet, payer, moment.changes);
  await expectSoundBooks(cluster);
}

/** The audit of the cashier, over the whole ledger and the calls to wallets. */
export async function expectSoundAudit(cluster: Cluster): Promise<void> {
  expect(await cluster.run(['audit', '--full'])).toMatchObject({ exitCode: 0, out: 'The ledger is sound.\n' });
}

/** The server dies at every moment of a call to an operator's wallet, with its embedded database: the same data folder goes on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cluster } from './cluster.ts';
import { expectSoundAudit, readFailpoints, surviveWalletDeath } from './deaths.ts';
import { OwnWallet } from './own-wallet.ts';
import { walletMoments } from './wallet-moments.ts';

/** At most three: each death costs a new start of the embedded database, some seconds. */
const rounds = Math.min(3, Number(process.env['FAULT_ROUNDS'] ?? 1));

const { walletFailpoints } = await readFailpoints();

let cluster: Cluster;
let wallet: OwnWallet;
beforeAll(async () => {
  cluster = await Cluster.start({ nodes: 1, program: 'dying', database: 'embedded' });
  wallet = await OwnWallet.open(cluster, 'own-wallet');
});
afterAll(async () => {
  await cluster?.stop();
  await wallet?.close();
});

for (const point of walletFailpoints) {
  for (const [what, moment] of Object.entries(walletMoments)) {
    test(`[SRV-2] [SRV-7] killed at ${point} of ${what}: the embedded database goes on, and the wallet moves each amount once`, {
      timeout: rounds * 240_000,
    }, async () => {
      for (let round = 0; round < rounds; round += 1) await surviveWalletDeath(cluster, wallet, point, moment);
    });
  }
}

test('[SRV-2] [SRV-7] after all deaths the audit of the whole ledger finds no fault, also in the calls to the wallet', async () => {
  await expectSoundAudit(cluster);
  const [calls] = await cluster.query<{ done: number }>(
    `select count(*)::int as done from operator_wallet_call where state = 'done'`,
  );
  expect(calls?.done).toBeGreaterThanOrEqual(walletFailpoints.length * Object.keys(walletMoments).length * rounds);
});

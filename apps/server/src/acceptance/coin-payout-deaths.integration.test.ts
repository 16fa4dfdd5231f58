/**
 * A process ends at every failpoint of a coin payout, many times, on a real EVM chain. After its end it reaches the database no more, and
 * another process goes on. `e2e/faults/coin-payouts.fault.test.ts` kills whole servers, which is slower. COIN_DEATHS: deaths per failpoint.
 */
import { expect, test } from 'vitest';
import type { TestDatabase } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { coinFailpoints } from '../payment-ports/failpoints.ts';
import type { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { dyingProcess, payThroughDeath } from './dying-process.fixture.ts';
import { type HotWallet, withHotWallet } from './hot-wallet.fixture.ts';

const deaths = Number(process.env['COIN_DEATHS'] ?? 3);
const HALF = 5n * 10n ** 17n;

let chain: LocalChain;
let opened: TestDatabase;
let open: HotWallet['open'];
let payees = 0;

withHotWallet(10n ** 24n, (made) => {
  ({ chain, opened, open } = made);
});

const processOf = (dieAt?: string) => dyingProcess(opened.database, open, dieAt);
const nonce = async (): Promise<number> =>
  Number(await chain.ask('eth_getTransactionCount', [TestSigner.evmWallet, 'latest']));

for (const point of coinFailpoints) {
  test(`[WD-2] the process ends at ${point}: another one goes on, and the payee is paid once`, {
    timeout: 60_000 + deaths * 20_000,
  }, async () => {
    for (let death = 0; death < deaths; death += 1) {
      payees += 1;
      const address = `0x${(0xdead_0000 + payees).toString(16).padStart(40, '3')}`;
      const before = await nonce();
      const state = await payThroughDeath({
        database: opened.database,
        processOf,
        point,
        amount: ['ETH', '0.5', address],
        most: 8,
        mine: () => chain.mine(),
      });
      expect([state, await chain.balance(address)]).toEqual(['paid', HALF]);
      expect(await nonce()).toBe(before + 1);
    }
  });
}

test('[WD-2] after all deaths the nonce counts one transaction for each payee, and the ledger is sound', async () => {
  expect(await nonce()).toBe(payees);
  expect(await auditLedger(opened.database)).toMatchObject({ isSound: true });
});

/**
 * A process ends at every failpoint of a coin payout, many times, on a real EVM chain. After its end it reaches the database no more, and
 * another process goes on. `e2e/faults/coin-payouts.fault.test.ts` kills whole servers, which is slower. COIN_DEATHS: deaths per failpoint.
 */
import { systemClock } from '@opencashier/core/time/clock';
import { expect, test } from 'vitest';
import { silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { coinFailpoints } from '../payment-ports/failpoints.ts';
import type { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import type { PayoutBench } from './coin-payouts.fixture.ts';
import { dyingProcess } from './dying-process.fixture.ts';
import { withHotWallet } from './hot-wallet.fixture.ts';

const deaths = Number(process.env['COIN_DEATHS'] ?? 3);
const REQUIRED = 2;
const HALF = 5n * 10n ** 17n;

let chain: LocalChain;
let opened: TestDatabase;
let signerUrl: string;
let payees = 0;

withHotWallet(10n ** 24n, (made) => {
  ({ chain, opened, signerUrl } = made);
});

const processOf = (dieAt?: string) =>
  dyingProcess(
    opened.database,
    {
      clock: systemClock,
      log: silentLogger,
      chain: 'ethereum',
      nodes: [chain.url],
      signer: signerUrl,
      wallet: TestSigner.evmWallet,
      settings: { confirmations: REQUIRED },
      payouts: { chainId: 31_337, raiseFeeAfterSeconds: 3600 },
    },
    dieAt,
  );

const paidTo = async (address: string): Promise<bigint> =>
  BigInt(String(await chain.ask('eth_getBalance', [address, 'latest'])));
const nonce = async (): Promise<number> =>
  Number(await chain.ask('eth_getTransactionCount', [TestSigner.evmWallet, 'latest']));

/** Rounds with blocks between them, until the process ends or the payout has. */
async function goOn(bench: PayoutBench, isOver: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 8 && !(await isOver()); turn += 1) {
    await bench.round().catch(() => undefined);
    await chain.mine();
  }
}

for (const point of coinFailpoints) {
  test(`[WD-2] the process ends at ${point}: another one goes on, and the payee is paid once`, {
    timeout: 60_000 + deaths * 20_000,
  }, async () => {
    for (let death = 0; death < deaths; death += 1) {
      payees += 1;
      const address = `0x${(0xdead_0000 + payees).toString(16).padStart(40, '3')}`;
      const before = await nonce();
      const first = processOf(point);
      const asked = await first.bench.cashOut('ETH', '0.5', address);
      await goOn(first.bench, first.isDead);
      expect(first.isDead()).toBe(true);
      const second = processOf();
      // The user's request died with the first process: the second one asks again under the same id.
      await asked.resume(second.bench, opened.database);
      await goOn(second.bench, async () => (await asked.state(opened.database)) === 'paid');
      expect([await asked.state(opened.database), await paidTo(address)]).toEqual(['paid', HALF]);
      expect(await nonce()).toBe(before + 1);
    }
  });
}

test('[WD-2] after all deaths the nonce counts one transaction for each payee, and the ledger is sound', async () => {
  expect(await nonce()).toBe(payees);
  expect(await auditLedger(opened.database)).toMatchObject({ isSound: true });
});

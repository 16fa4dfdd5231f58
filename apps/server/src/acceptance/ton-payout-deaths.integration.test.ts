/**
 * A process ends at every failpoint of a payout on TON, many times, and another one goes on. Half of the deaths meet nodes that have
 * forgotten the order. `e2e/faults/ton-payouts.fault.test.ts` kills whole servers. COIN_DEATHS: deaths per failpoint and asset.
 */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { coinFailpoints } from '../payment-ports/failpoints.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { FakeTon, newTonAddress } from '../providers/crypto/testing/fake-ton.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { createPayoutBench } from './coin-payouts.fixture.ts';
import { type DyingProcess, dyingProcess, roundsUntil } from './dying-process.fixture.ts';
import { MASTER, ofTonWallet, wallet } from './ton-wallet.fixture.ts';

const deaths = Number(process.env['COIN_DEATHS'] ?? 2);
const REQUIRED = 2;
const assets = [
  { coin: 'TON', raw: 500_000_000n, paidTo: (address: string) => ledger.account(address).balance },
  { coin: 'USDT', raw: 500_000n, paidTo: (address: string) => ledger.jettonsOf(address, MASTER)?.raw ?? 0n },
];

const node = new FakeTon();
const { ledger } = node;
const signer = new TestSigner();
let opened: TestDatabase;
let nodeUrl: string;
let signerUrl: string;
let payees = 0;

beforeAll(async () => {
  opened = await openTestDatabase();
  await seedOperator(opened.database);
  [nodeUrl, signerUrl] = await Promise.all([node.open(), signer.open()]);
  ledger.fund(wallet, 10n ** 15n);
  ledger.giveJettons(wallet, MASTER, 10n ** 12n);
});
afterAll(async () => {
  await Promise.all([node.close(), signer.close()]);
  await opened?.drop();
});

const processOf = (dieAt?: string) =>
  dyingProcess(
    opened.database,
    (own) =>
      createPayoutBench({
        ...own,
        clock: systemClock,
        log: silentLogger,
        nodes: [nodeUrl],
        signer: signerUrl,
        ...ofTonWallet(REQUIRED),
        payouts: { mostFee: '0.2' },
      }),
    dieAt,
  );
const goOn = (dying: DyingProcess, isOver: () => boolean | Promise<boolean>) =>
  roundsUntil(dying, { isOver, most: 12, mine: () => ledger.mine() });

for (const point of coinFailpoints) {
  test(`[WD-2] the process ends at ${point}: another one goes on, and the payee is paid once`, {
    timeout: 60_000 + deaths * 40_000,
  }, async () => {
    for (let death = 0; death < deaths * assets.length; death += 1) {
      const { coin = '', raw, paidTo } = assets[death % assets.length] ?? {};
      payees += 1;
      const address = newTonAddress(payees, { bounceable: death % 3 === 0 });
      const first = processOf(point);
      const asked = await first.bench.cashOut(coin, '0.5', address);
      await goOn(first, first.isDead);
      expect(first.isDead()).toBe(true);
      if (death % 4 > 1) ledger.forget();
      const second = processOf();
      // The user's request died with the first process: the second one asks again under the same id.
      await asked.resume(second.bench, opened.database);
      await goOn(second, async () => (await asked.state(opened.database)) === 'paid');
      expect([await asked.state(opened.database), paidTo?.(address)]).toEqual(['paid', raw]);
      expect(ledger.account(wallet).seqno).toBe(payees);
    }
  });
}

test('[WD-2] after all deaths the seqno counts one order for each payee, and the ledger is sound', async () => {
  expect(ledger.account(wallet).seqno).toBe(payees);
  expect(await auditLedger(opened.database)).toMatchObject({ isSound: true });
});

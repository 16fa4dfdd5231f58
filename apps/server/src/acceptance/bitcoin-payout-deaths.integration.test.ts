/**
 * A process ends at every failpoint of a payout on Bitcoin, many times, and another one goes on. In half of the deaths the node has
 * forgotten the transaction. `e2e/faults/bitcoin-payouts.fault.test.ts` kills whole servers. COIN_DEATHS: deaths per failpoint.
 */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { coinFailpoints } from '../payment-ports/failpoints.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { FakeBitcoin, newBitcoinPayee, payToKey } from '../providers/crypto/testing/fake-bitcoin.ts';
import { BITCOIN_KEY, TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { createPayoutBench } from './coin-payouts.fixture.ts';
import { type DyingProcess, dyingProcess, roundsUntil } from './dying-process.fixture.ts';

const deaths = Number(process.env['COIN_DEATHS'] ?? 3);
const PAID = 10_000_000n;
/** A payout needs two of these coins, so that each payout spends several inputs. */
const COIN = 6_000_000n;
const wallet = payToKey(BITCOIN_KEY);

const node = new FakeBitcoin();
const signer = new TestSigner();
let opened: TestDatabase;
let nodeUrl: string;
let signerUrl: string;
let payees = 0;

beforeAll(async () => {
  opened = await openTestDatabase();
  await seedOperator(opened.database);
  [nodeUrl, signerUrl] = await Promise.all([node.open(), signer.open()]);
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
        chain: 'bitcoin',
        nodes: [nodeUrl],
        signer: signerUrl,
        wallet: wallet.publicKey,
        settings: { confirmations: 2 },
        payouts: { mostFee: '0.001', raiseFeeAfterSeconds: 3600 },
      }),
    dieAt,
  );
const goOn = (dying: DyingProcess, isOver: () => boolean | Promise<boolean>) =>
  roundsUntil(dying, { isOver, most: 10, mine: () => node.mine() });

for (const point of coinFailpoints) {
  test(`[WD-2] the process ends at ${point}: another one goes on, and the payee is paid once`, {
    timeout: 60_000 + deaths * 20_000,
  }, async () => {
    for (let death = 0; death < deaths; death += 1) {
      payees += 1;
      const { address, script } = newBitcoinPayee(payees);
      for (let coin = 0; coin < 2; coin += 1) node.fund(wallet.script, COIN);
      const first = processOf(point);
      const asked = await first.bench.cashOut('BTC', '0.1', address);
      if (death % 2 === 1) node.forgetNext();
      await goOn(first, first.isDead);
      expect(first.isDead()).toBe(true);
      const second = processOf();
      // The user's request died with the first process: the second one asks again under the same id.
      await asked.resume(second.bench, opened.database);
      await goOn(second, async () => (await asked.state(opened.database)) === 'paid');
      expect([await asked.state(opened.database), node.receivedBy(script)]).toEqual(['paid', PAID]);
      expect(node.payments).toHaveLength(payees);
    }
  });
}

test('[WD-2] after all deaths every payee has been paid once, each input was spent once, and the ledger is sound', async () => {
  const paid = Array.from({ length: payees }, (_, at) => node.receivedBy(newBitcoinPayee(at + 1).script));
  expect(new Set(paid)).toEqual(new Set([PAID]));
  const inputs = node.payments.flatMap(({ spends }) => spends);
  expect([node.payments.length, new Set(inputs).size]).toEqual([payees, inputs.length]);
  expect(await auditLedger(opened.database)).toMatchObject({ isSound: true });
});

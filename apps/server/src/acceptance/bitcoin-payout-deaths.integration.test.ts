/**
 * A process ends at every failpoint of a payout on Bitcoin, many times, and another one goes on. In half of the deaths the node has
 * forgotten the transaction. `e2e/faults/bitcoin-payouts.fault.test.ts` kills whole servers. COIN_DEATHS: deaths per failpoint.
 */
import { expect, test } from 'vitest';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { coinFailpoints } from '../payment-ports/failpoints.ts';
import { FakeBitcoin, newBitcoinPayee, payToKey } from '../providers/crypto/testing/fake-bitcoin.ts';
import { BITCOIN_KEY } from '../providers/crypto/testing/test-signer.ts';
import { dyingProcess, payThroughDeath } from './dying-process.fixture.ts';
import { type PayoutStandIns, withPayoutStandIns } from './payout-stand-ins.fixture.ts';

const deaths = Number(process.env['COIN_DEATHS'] ?? 3);
const PAID = 10_000_000n;
/** A payout needs two of these coins, so that each payout spends several inputs. */
const COIN = 6_000_000n;
const wallet = payToKey(BITCOIN_KEY);

const node = new FakeBitcoin();
let made: PayoutStandIns;
let payees = 0;

const ofWallet = {
  chain: 'bitcoin',
  wallet: wallet.publicKey,
  settings: { confirmations: 2 },
  payouts: { mostFee: '0.001', raiseFeeAfterSeconds: 3600 },
};
withPayoutStandIns(node, ofWallet, (one) => {
  made = one;
});

const processOf = (dieAt?: string) => dyingProcess(made.opened.database, made.open, dieAt);

for (const point of coinFailpoints) {
  test(`[WD-2] the process ends at ${point}: another one goes on, and the payee is paid once`, {
    timeout: 60_000 + deaths * 20_000,
  }, async () => {
    for (let death = 0; death < deaths; death += 1) {
      payees += 1;
      const { address, script } = newBitcoinPayee(payees);
      for (let coin = 0; coin < 2; coin += 1) node.fund(wallet.script, COIN);
      if (death % 2 === 1) node.forgetNext();
      const state = await payThroughDeath({
        database: made.opened.database,
        processOf,
        point,
        amount: ['BTC', '0.1', address],
        most: 10,
        mine: () => node.mine(),
      });
      expect([state, node.receivedBy(script)]).toEqual(['paid', PAID]);
      expect(node.payments).toHaveLength(payees);
    }
  });
}

test('[WD-2] after all deaths every payee has been paid once, each input was spent once, and the ledger is sound', async () => {
  const paid = Array.from({ length: payees }, (_, at) => node.receivedBy(newBitcoinPayee(at + 1).script));
  expect(new Set(paid)).toEqual(new Set([PAID]));
  const inputs = node.payments.flatMap(({ spends }) => spends);
  expect([node.payments.length, new Set(inputs).size]).toEqual([payees, inputs.length]);
  expect(await auditLedger(made.opened.database)).toMatchObject({ isSound: true });
});

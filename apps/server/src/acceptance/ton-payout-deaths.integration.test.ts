/**
 * A process ends at every failpoint of a payout on TON, many times, and another one goes on. Half of the deaths meet nodes that have
 * forgotten the order. `e2e/faults/ton-payouts.fault.test.ts` kills whole servers. COIN_DEATHS: deaths per failpoint and asset.
 */
import { beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { coinFailpoints } from '../payment-ports/failpoints.ts';
import { FakeTon, newTonAddress } from '../providers/crypto/testing/fake-ton.ts';
import { dyingProcess, payThroughDeath } from './dying-process.fixture.ts';
import { type PayoutStandIns, withPayoutStandIns } from './payout-stand-ins.fixture.ts';
import { MASTER, ofTonWallet, wallet } from './ton-wallet.fixture.ts';

const deaths = Number(process.env['COIN_DEATHS'] ?? 2);
const REQUIRED = 2;
const assets = [
  { coin: 'TON', raw: 500_000_000n, paidTo: (address: string) => ledger.account(address).balance },
  { coin: 'USDT', raw: 500_000n, paidTo: (address: string) => ledger.jettonsOf(address, MASTER)?.raw ?? 0n },
];

const node = new FakeTon();
const { ledger } = node;
let made: PayoutStandIns;
let payees = 0;

withPayoutStandIns(node, { ...ofTonWallet(REQUIRED), payouts: { mostFee: '0.2' } }, (one) => {
  made = one;
});
beforeAll(() => {
  ledger.fund(wallet, 10n ** 15n);
  ledger.giveJettons(wallet, MASTER, 10n ** 12n);
});

const processOf = (dieAt?: string) => dyingProcess(made.opened.database, made.open, dieAt);

for (const point of coinFailpoints) {
  test(`[WD-2] the process ends at ${point}: another one goes on, and the payee is paid once`, {
    timeout: 60_000 + deaths * 40_000,
  }, async () => {
    for (let death = 0; death < deaths * assets.length; death += 1) {
      const { coin = '', raw, paidTo } = assets[death % assets.length] ?? {};
      payees += 1;
      const address = newTonAddress(payees, { bounceable: death % 3 === 0 });
      const state = await payThroughDeath({
        database: made.opened.database,
        processOf,
        point,
        amount: [coin, '0.5', address],
        most: 12,
        mine: () => ledger.mine(),
        onceDead() {
          if (death % 4 > 1) ledger.forget();
        },
      });
      expect([state, paidTo?.(address)]).toEqual(['paid', raw]);
      expect(ledger.account(wallet).seqno).toBe(payees);
    }
  });
}

test('[WD-2] after all deaths the seqno counts one order for each payee, and the ledger is sound', async () => {
  expect(ledger.account(wallet).seqno).toBe(payees);
  expect(await auditLedger(made.opened.database)).toMatchObject({ isSound: true });
});

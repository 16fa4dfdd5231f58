/**
 * A process ends at every failpoint of a payout on TRON, many times, also at the ones of an expiry. After its end it reaches the database
 * no more, and another process goes on. COIN_DEATHS: deaths per failpoint.
 */
import { expect, test } from 'vitest';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { coinFailpoints, expiryFailpoints } from '../payment-ports/failpoints.ts';
import { newTronAddress } from '../providers/crypto/testing/fake-tron-node.ts';
import { dyingProcess, payThroughDeath } from './dying-process.fixture.ts';
import { type TronWallet, VALID_FOR_S, withTronWallet } from './tron-wallet.fixture.ts';

const deaths = Number(process.env['COIN_DEATHS'] ?? 3);
const HALF = 500_000n;
/** So many blocks prove an expiry. */
const UNTIL_PROVEN = 50;

let made: TronWallet;
let payees = 0;

withTronWallet((one) => {
  made = one;
});

const processOf = (dieAt?: string) => dyingProcess(made.opened.database, made.open, dieAt);

for (const point of [...coinFailpoints, ...expiryFailpoints]) {
  test(`[WD-2] the process ends at ${point}: another one goes on, and the payee is paid once`, {
    timeout: 60_000 + deaths * 20_000,
  }, async () => {
    const { chain, opened } = made;
    for (let death = 0; death < deaths; death += 1) {
      const address = newTronAddress(0x5000 + ++payees);
      // Every second time the nodes forget the first transaction, and the payout is paid by another one.
      const expires = point === 'coin-expired' || death % 2 === 1;
      chain.isForgetful = expires;
      const state = await payThroughDeath({
        database: opened.database,
        processOf,
        point,
        amount: ['TRX', '0.5', address],
        most: 12,
        mine: () => chain.mine(),
        async onceAsked(first) {
          if (!expires) return;
          await first.round();
          chain.pass(VALID_FOR_S);
          chain.mine(UNTIL_PROVEN);
          chain.isForgetful = false;
        },
      });
      expect([state, chain.balance(address)]).toEqual(['paid', HALF]);
    }
  });
}

test('[WD-2] after all deaths every payee has been paid once, and the ledger is sound', async () => {
  made.chain.mine(UNTIL_PROVEN);
  const paid = Array.from({ length: payees }, (_, at) => made.chain.balance(newTronAddress(0x5001 + at)));
  expect(new Set(paid)).toEqual(new Set([HALF]));
  expect(await auditLedger(made.opened.database)).toMatchObject({ isSound: true });
});

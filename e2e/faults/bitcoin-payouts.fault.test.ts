/**
 * The server dies at every failpoint of a payout on Bitcoin. The node and the signer of PSBTs live on, and the books of the chain say
 * whether anybody was paid twice or never. In every second payout the node has forgotten the transaction. COIN_ROUNDS: deaths per failpoint.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoinCashier, depositAccount } from './coin-cashier.ts';
import { testDeaths } from './coin-deaths.ts';
import { type BitcoinNode, type CoinSigner, loadCoinStandIns } from './coin-stand-ins.ts';
import { expectSoundAudit, readFailpoints } from './deaths.ts';

const BLOCK_MS = 300;
/** 0.1 of a coin. The method's fee comes on top. */
const PAID = 10_000_000n;
const WITH_FEE = '0.10005';
/** A payout needs two of these coins, so that each payout spends several inputs. */
const COIN = 6_000_000n;
const { coinFailpoints } = await readFailpoints();
const { BITCOIN_KEY, FakeBitcoin, newBitcoinPayee, payToKey, TestSigner, SIGNER_SECRET } = await loadCoinStandIns();
const wallet = payToKey(BITCOIN_KEY);

let cashier: CoinCashier;
let node: BitcoinNode;
let signer: CoinSigner;
let blocks: NodeJS.Timeout;
let payees = 0;

beforeAll(async () => {
  node = new FakeBitcoin();
  signer = new TestSigner();
  blocks = setInterval(() => node.mine(), BLOCK_MS);
  const payouts = {
    wallet: wallet.publicKey,
    signer: { url: await signer.open(), secrets: [SIGNER_SECRET] },
    mostFee: '0.001',
    raiseFeeAfterSeconds: 3600,
  };
  const nodes = [{ url: await node.open() }];
  cashier = await CoinCashier.open({
    chains: { bitcoin: { nodes, account: depositAccount, confirmations: 2, payouts } },
    method: 'btc_withdrawal',
    network: 'bitcoin',
    currency: 'BTC',
    isSlow: true,
  });
}, 240_000);
afterAll(async () => {
  clearInterval(blocks);
  await cashier?.close();
  await signer?.close();
  await node?.close();
});

testDeaths({
  points: coinFailpoints,
  cashier: () => cashier,
  async pay(point, isForgotten) {
    const payee = newBitcoinPayee(++payees);
    node.fund(wallet.script, COIN);
    node.fund(wallet.script, COIN);
    if (isForgotten) node.forgetNext();
    await cashier.payThroughDeath(point, WITH_FEE, { wallet: payee.address });
    expect(node.receivedBy(payee.script)).toBe(PAID);
    expect(node.payments).toHaveLength(payees);
  },
});

test('[WD-2] after all deaths every payee has been paid once, and each input was spent once', async () => {
  const paid = Array.from({ length: payees }, (_, at) => node.receivedBy(newBitcoinPayee(at + 1).script));
  expect(new Set(paid)).toEqual(new Set([PAID]));
  expect(node.payments).toHaveLength(payees);
  expect(node.payments.filter(({ spends }) => spends.length < 2)).toEqual([]);
  const inputs = node.payments.flatMap(({ spends }) => spends);
  expect(new Set(inputs).size).toBe(inputs.length);
  // Nothing of the wallet went anywhere else.
  const fees = node.payments.reduce((sum, { fee }) => sum + fee, 0n);
  expect(node.balance(wallet.script)).toBe(BigInt(payees) * (2n * COIN - PAID) - fees);
  await expectSoundAudit(cashier.cluster);
}, 240_000);

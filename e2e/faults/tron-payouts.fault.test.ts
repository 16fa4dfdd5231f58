/**
 * The server dies at every failpoint of a payout on TRON, with a chain of two nodes and a signer that live on. There is no nonce that would
 * refuse a second payment, so the balances of the chain say whether anybody was paid twice or never. COIN_ROUNDS says how often the server
 * dies at each failpoint.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoinCashier, depositAccount } from './coin-cashier.ts';
import { testDeaths } from './coin-deaths.ts';
import { type CoinSigner, loadCoinStandIns, type TronChain, type TronNode } from './coin-stand-ins.ts';
import { expectSoundAudit, readFailpoints } from './deaths.ts';

/** A block each second in real time. */
const BLOCK_EVERY_MS = 1000;
const HUNDRED = 100_000_000n;
const { coinFailpoints } = await readFailpoints();
const { FakeTron, FakeTronNode, TestSigner, SIGNER_SECRET, newTronAddress } = await loadCoinStandIns();

let cashier: CoinCashier;
let chain: TronChain;
let nodes: readonly TronNode[] = [];
let signer: CoinSigner;
let payees = 0;
let mining: NodeJS.Timeout;

beforeAll(async () => {
  chain = new FakeTron();
  chain.blockMs = 0;
  chain.fund(TestSigner.tronWallet, HUNDRED * 10_000n);
  chain.mine(5);
  nodes = [new FakeTronNode(chain), new FakeTronNode(chain)];
  signer = new TestSigner();
  const payouts = {
    wallet: TestSigner.tronWallet,
    signer: { url: await signer.open(), secrets: [SIGNER_SECRET] },
    mostFee: '30',
  };
  const urls = await Promise.all(nodes.map((node) => node.open()));
  mining = setInterval(() => chain.mine(), BLOCK_EVERY_MS);
  cashier = await CoinCashier.open({
    chains: { tron: { nodes: urls.map((url) => ({ url })), account: depositAccount, confirmations: 2, payouts } },
    method: 'trx_withdrawal',
    network: 'tron',
    currency: 'TRX',
  });
}, 240_000);
afterAll(async () => {
  clearInterval(mining);
  await cashier?.close();
  await Promise.all([signer?.close(), ...nodes.map((node) => node.close())]);
});

testDeaths({
  points: coinFailpoints,
  cashier: () => cashier,
  async pay(point) {
    const address = newTronAddress(++payees);
    await cashier.payThroughDeath(point, '102', { wallet: address });
    expect(chain.balance(address)).toBe(HUNDRED);
  },
});

test('[WD-2] after all deaths every payee has been paid once, by the books of the chain', async () => {
  const balances = Array.from({ length: payees }, (_, at) => chain.balance(newTronAddress(at + 1)));
  expect(new Set(balances)).toEqual(new Set([HUNDRED]));
  await expectSoundAudit(cashier.cluster);
}, 240_000);

/**
 * The server dies at every failpoint of a payout of jettons on TON. The chain and the signer live on, and the books of the chain say
 * whether anybody was paid twice or never. In every second payout the nodes have forgotten the order. COIN_ROUNDS: deaths per failpoint.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoinCashier } from './coin-cashier.ts';
import { testDeaths } from './coin-deaths.ts';
import { type CoinSigner, loadCoinStandIns, type TonNode } from './coin-stand-ins.ts';
import { expectSoundAudit, readFailpoints } from './deaths.ts';

const BLOCK_MS = 300;
const MASTER = `0:${'cc'.repeat(32)}`;
/** 12.5 tokens. The method's fee of 0.5 comes on top. */
const PAID = 12_500_000n;
const { coinFailpoints } = await readFailpoints();
const { FakeTon, newTonAddress, TestSigner, SIGNER_SECRET } = await loadCoinStandIns();

let cashier: CoinCashier;
let node: TonNode;
let signer: CoinSigner;
let wallet: string;
let blocks: NodeJS.Timeout;
let payees = 0;

const paidTo = (address: string): bigint => node.ledger.jettonsOf(address, MASTER)?.raw ?? 0n;

beforeAll(async () => {
  node = new FakeTon();
  signer = new TestSigner();
  wallet = TestSigner.tonAddress;
  node.ledger.fund(wallet, 10n ** 15n);
  node.ledger.giveJettons(wallet, MASTER, 10n ** 12n);
  blocks = setInterval(() => node.ledger.mine(), BLOCK_MS);
  const payouts = {
    wallet: TestSigner.tonWallet,
    signer: { url: await signer.open(), secrets: [SIGNER_SECRET] },
    mostFee: '0.2',
  };
  // Deposits are not a part of this test, but a chain needs a wallet for them.
  const account = newTonAddress(0);
  const tokens = { USDT: { contract: MASTER, decimals: 6 } };
  cashier = await CoinCashier.open({
    chains: { ton: { nodes: [{ url: await node.open() }], account, tokens, confirmations: 2, payouts } },
    method: 'usdt_ton_withdrawal',
    network: 'ton',
    currency: 'USDT',
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
    const address = newTonAddress(++payees);
    const before = node.ledger.account(wallet).seqno;
    if (isForgotten) node.ledger.forgetNext();
    await cashier.payThroughDeath(point, '13', { wallet: address, memo: `memo ${payees}` });
    expect(paidTo(address)).toBe(PAID);
    expect(node.ledger.account(wallet).seqno).toBe(before + 1);
  },
});

test('[WD-2] after all deaths every payee has been paid once, by the books of the chain', async () => {
  const paid = Array.from({ length: payees }, (_, at) => paidTo(newTonAddress(at + 1)));
  expect(new Set(paid)).toEqual(new Set([PAID]));
  expect(node.ledger.account(wallet).seqno).toBe(payees);
  await expectSoundAudit(cashier.cluster);
}, 240_000);

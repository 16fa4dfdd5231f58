/**
 * The server dies at every failpoint of a coin payout, on a real EVM chain and with a signer that lives on. The balances of the chain say
 * whether anybody was paid twice or never. COIN_ROUNDS says how often the server dies at each failpoint.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoinCashier, depositAccount } from './coin-cashier.ts';
import { testDeaths } from './coin-deaths.ts';
import { type CoinChain, type CoinSigner, loadCoinStandIns } from './coin-stand-ins.ts';
import { expectSoundAudit, readFailpoints } from './deaths.ts';

const ETHER = 10n ** 18n;
const { coinFailpoints } = await readFailpoints();
const { LocalChain, TestSigner, SIGNER_SECRET } = await loadCoinStandIns();

let cashier: CoinCashier;
let chain: CoinChain;
let signer: CoinSigner;
let payees = 0;

const paidTo = async (address: string): Promise<bigint> =>
  BigInt(String(await chain.ask('eth_getBalance', [address, 'latest'])));
const nonce = async (): Promise<number> =>
  Number(await chain.ask('eth_getTransactionCount', [TestSigner.evmWallet, 'latest']));

beforeAll(async () => {
  chain = await LocalChain.open();
  signer = new TestSigner();
  const payouts = {
    wallet: TestSigner.evmWallet,
    signer: { url: await signer.open(), secrets: [SIGNER_SECRET] },
    mostFee: '0.05',
    chainId: 31_337,
    raiseFeeAfterSeconds: 3600,
  };
  await chain.ask('anvil_setBalance', [TestSigner.evmWallet, `0x${(ETHER * 100_000n).toString(16)}`]);
  await chain.ask('anvil_setIntervalMining', [1]);
  cashier = await CoinCashier.open({
    chains: { ethereum: { nodes: [{ url: chain.url }], account: depositAccount, confirmations: 2, payouts } },
    method: 'eth_withdrawal',
    network: 'erc20',
    currency: 'ETH',
  });
}, 240_000);
afterAll(async () => {
  await cashier?.close();
  await signer?.close();
  await chain?.close();
});

testDeaths({
  points: coinFailpoints,
  cashier: () => cashier,
  async pay(point) {
    const address = `0x${(0xfa00_0000 + ++payees).toString(16).padStart(40, '2')}`;
    const before = await nonce();
    await cashier.payThroughDeath(point, '0.502', { wallet: address });
    expect(await paidTo(address)).toBe(ETHER / 2n);
    expect(await nonce()).toBe(before + 1);
  },
});

test('[WD-2] after all deaths every payee has been paid once, by the books of the chain', async () => {
  const addresses = Array.from({ length: payees }, (_, at) => `0x${(0xfa00_0001 + at).toString(16).padStart(40, '2')}`);
  const paid = await Promise.all(addresses.map(paidTo));
  expect(new Set(paid)).toEqual(new Set([ETHER / 2n]));
  expect(await nonce()).toBe(payees);
  await expectSoundAudit(cashier.cluster);
}, 240_000);

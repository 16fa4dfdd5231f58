/**
 * The server dies at every failpoint of a coin payout, on a real EVM chain and with a signer that lives on. The balances of the chain say
 * whether anybody was paid twice or never. COIN_ROUNDS says how often the server dies at each failpoint.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cluster, tokenFrom } from './cluster.ts';
import { type CoinChain, type CoinSigner, loadCoinStandIns } from './coin-stand-ins.ts';
import { buildDying, expectSoundAudit } from './deaths.ts';
import { expectSoundBooks } from './invariants.ts';
import { Payer } from './payer.ts';

const rounds = Number(process.env['COIN_ROUNDS'] ?? process.env['FAULT_ROUNDS'] ?? 1);
const pollFor = { timeout: 90_000, interval: 50 };
const ETHER = 10n ** 18n;
const leasesAreOverS = 70;
/** Deposits of coins are not a part of this test, but a chain needs an account for them. */
const account =
  'xpub6ChVwX4gM8rF4BZc1LHjRW7DVVGw9x6rJgtpKR1GsfamM6w49T8dkmkS6PmKvQ2XXTj8MfMYp7bPPqjGhXMLcbmuXvwBK4iTVLRVBefJ9vC';
const { coinFailpoints } = await buildDying();
const { LocalChain, TestSigner, SIGNER_SECRET } = await loadCoinStandIns();

let cluster: Cluster;
let chain: CoinChain;
let signer: CoinSigner;
let folder: string;
let payees = 0;
let payer: Payer;

const paidTo = async (address: string): Promise<bigint> =>
  BigInt(String(await chain.ask('eth_getBalance', [address, 'latest'])));
const nonce = async (): Promise<number> =>
  Number(await chain.ask('eth_getTransactionCount', [TestSigner.evmWallet, 'latest']));

beforeAll(async () => {
  chain = await LocalChain.open();
  signer = new TestSigner();
  folder = mkdtempSync(join(tmpdir(), 'coin-payouts-'));
  const file = join(folder, 'chains.json');
  const payouts = {
    wallet: TestSigner.evmWallet,
    signer: { url: await signer.open(), secrets: [SIGNER_SECRET] },
    mostFee: '0.05',
    chainId: 31_337,
    raiseFeeAfterSeconds: 3600,
  };
  writeFileSync(
    file,
    JSON.stringify({ chains: { ethereum: { nodes: [{ url: chain.url }], account, confirmations: 2, payouts } } }),
  );
  await chain.ask('anvil_setBalance', [TestSigner.evmWallet, `0x${(ETHER * 100_000n).toString(16)}`]);
  await chain.ask('anvil_setIntervalMining', [1]);
  cluster = await Cluster.start({ nodes: 1, program: 'dying', database: 'embedded', env: { CRYPTO_FILE: file } });
  const own = join(folder, 'catalogue.yaml');
  writeFileSync(own, 'methods:\n  eth_withdrawal: { provider: crypto, options: { network: erc20 } }\n');
  const [{ key } = { key: '' }] = await cluster.query<{ key: string }>(
    'select partner_key as key from operator limit 1',
  );
  const applied = await cluster.run(['catalogue', 'apply', key, own], { CRYPTO_FILE: file });
  if (applied.exitCode !== 0) throw new Error(applied.errors);
  payer = await Payer.of({
    url: cluster.url,
    askAsOperator: (path, body) => cluster.askAsOperator(path, body),
    async mintToken(userId) {
      const asked = { userId, currency: 'ETH', country: 'IN' };
      return tokenFrom(await cluster.askAsOperator('user-tokens', asked));
    },
  });
  const transfer = { transferId: randomUUID(), amount: '5000', currency: 'ETH', from: 'operator', to: 'main' };
  expect((await payer.insistAsOperator(`users/${payer.userId}/transfers`, transfer)).status).toBe(200);
}, 240_000);
afterAll(async () => {
  await cluster?.stop();
  await signer?.close();
  await chain?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

async function cashOut(address: string): Promise<string> {
  const withdrawalId = randomUUID();
  const fields = { wallet: address };
  const intent = { withdrawalId, amount: '0.502', currency: 'ETH', paymentMethod: 'eth_withdrawal', fields };
  expect(await payer.insist('withdrawal-create', intent)).toMatchObject({ status: 200 });
  await payer.insist('withdrawal-confirm', { withdrawalId });
  return withdrawalId;
}

const stateOf = async (id: string): Promise<string | undefined> =>
  (await cluster.query<{ state: string }>('select state from withdrawal where id = $1', [id]))[0]?.state;

for (const point of coinFailpoints) {
  test(`[WD-2] [SRV-2] killed at ${point}: the payee is paid once, and the withdrawal is paid`, {
    timeout: rounds * 120_000 + 60_000,
  }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const address = `0x${(0xfa00_0000 + ++payees).toString(16).padStart(40, '2')}`;
      const before = await nonce();
      await cluster.dieAt(0, point);
      const asked = cashOut(address);
      await cluster.dead(0, 60_000);
      await cluster.startAgain(0, leasesAreOverS);
      const id = await asked;
      await expect.poll(() => stateOf(id), pollFor).toBe('paid');
      expect(await paidTo(address)).toBe(ETHER / 2n);
      expect(await nonce()).toBe(before + 1);
    }
    await expectSoundBooks(cluster);
  });
}

test('[WD-2] after all deaths every payee has been paid once, by the books of the chain', async () => {
  const addresses = Array.from({ length: payees }, (_, at) => `0x${(0xfa00_0001 + at).toString(16).padStart(40, '2')}`);
  const paid = await Promise.all(addresses.map(paidTo));
  expect(new Set(paid)).toEqual(new Set([ETHER / 2n]));
  expect(await nonce()).toBe(payees);
  await expectSoundAudit(cluster);
}, 240_000);

/**
 * The server dies at every failpoint of a payout on TRON, with a chain of two nodes and a signer that live on. There is no nonce that would
 * refuse a second payment, so the balances of the chain say whether anybody was paid twice or never. COIN_ROUNDS says how often the server
 * dies at each failpoint.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cluster, tokenFrom } from './cluster.ts';
import { type CoinSigner, loadCoinStandIns, type TronChain, type TronNode } from './coin-stand-ins.ts';
import { buildDying, expectSoundAudit } from './deaths.ts';
import { expectSoundBooks } from './invariants.ts';
import { Payer } from './payer.ts';

const rounds = Number(process.env['COIN_ROUNDS'] ?? process.env['FAULT_ROUNDS'] ?? 1);
const pollFor = { timeout: 90_000, interval: 50 };
const leasesAreOverS = 70;
/** A block each second in real time. */
const BLOCK_EVERY_MS = 1000;
const HUNDRED = 100_000_000n;
/** Deposits of coins are not a part of this test, but a chain needs an account for them. */
const account =
  'xpub6ChVwX4gM8rF4BZc1LHjRW7DVVGw9x6rJgtpKR1GsfamM6w49T8dkmkS6PmKvQ2XXTj8MfMYp7bPPqjGhXMLcbmuXvwBK4iTVLRVBefJ9vC';
const { coinFailpoints } = await buildDying();
const { FakeTron, FakeTronNode, TestSigner, SIGNER_SECRET, newTronAddress } = await loadCoinStandIns();

let cluster: Cluster;
let chain: TronChain;
let nodes: readonly TronNode[] = [];
let signer: CoinSigner;
let folder: string;
let paid = 0;
let payer: Payer;
let mining: NodeJS.Timeout;

beforeAll(async () => {
  chain = new FakeTron();
  chain.blockMs = 0;
  chain.fund(TestSigner.tronWallet, HUNDRED * 10_000n);
  chain.mine(5);
  nodes = [new FakeTronNode(chain), new FakeTronNode(chain)];
  signer = new TestSigner();
  folder = mkdtempSync(join(tmpdir(), 'tron-payouts-'));
  const file = join(folder, 'chains.json');
  const payouts = {
    wallet: TestSigner.tronWallet,
    signer: { url: await signer.open(), secrets: [SIGNER_SECRET] },
    mostFee: '30',
  };
  const urls = await Promise.all(nodes.map((node) => node.open()));
  const tron = { nodes: urls.map((url) => ({ url })), account, confirmations: 2, payouts };
  writeFileSync(file, JSON.stringify({ chains: { tron } }));
  mining = setInterval(() => chain.mine(), BLOCK_EVERY_MS);
  cluster = await Cluster.start({ nodes: 1, program: 'dying', database: 'embedded', env: { CRYPTO_FILE: file } });
  const own = join(folder, 'catalogue.yaml');
  writeFileSync(own, 'methods:\n  trx_withdrawal: { provider: crypto, options: { network: tron } }\n');
  const [{ key } = { key: '' }] = await cluster.query<{ key: string }>(
    'select partner_key as key from operator limit 1',
  );
  const applied = await cluster.run(['catalogue', 'apply', key, own], { CRYPTO_FILE: file });
  if (applied.exitCode !== 0) throw new Error(applied.errors);
  payer = await Payer.of({
    url: cluster.url,
    askAsOperator: (path, body) => cluster.askAsOperator(path, body),
    async mintToken(userId) {
      const asked = { userId, currency: 'TRX', country: 'IN' };
      return tokenFrom(await cluster.askAsOperator('user-tokens', asked));
    },
  });
  const transfer = { transferId: randomUUID(), amount: '500000', currency: 'TRX', from: 'operator', to: 'main' };
  expect((await payer.insistAsOperator(`users/${payer.userId}/transfers`, transfer)).status).toBe(200);
}, 240_000);
afterAll(async () => {
  clearInterval(mining);
  await cluster?.stop();
  await Promise.all([signer?.close(), ...nodes.map((node) => node.close())]);
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

async function cashOut(address: string): Promise<string> {
  const withdrawalId = randomUUID();
  const fields = { wallet: address };
  const intent = { withdrawalId, amount: '102', currency: 'TRX', paymentMethod: 'trx_withdrawal', fields };
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
      const address = newTronAddress(++paid);
      await cluster.dieAt(0, point);
      const asked = cashOut(address);
      await cluster.dead(0, 60_000);
      await cluster.startAgain(0, leasesAreOverS);
      const id = await asked;
      await expect.poll(() => stateOf(id), pollFor).toBe('paid');
      expect(chain.balance(address)).toBe(HUNDRED);
    }
    await expectSoundBooks(cluster);
  });
}

test('[WD-2] after all deaths every payee has been paid once, by the books of the chain', async () => {
  const balances = Array.from({ length: paid }, (_, at) => chain.balance(newTronAddress(at + 1)));
  expect(new Set(balances)).toEqual(new Set([HUNDRED]));
  await expectSoundAudit(cluster);
}, 240_000);

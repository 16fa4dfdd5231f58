/** A cashier that pays coins out and dies at its failpoints, with a user who has coins. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { slowness } from '../../scripts/machine/slowness.mjs';
import { Cluster, tokenFrom } from './cluster.ts';
import { Payer } from './payer.ts';

/** Several rounds of the server. They take longer on a busy machine. */
const pollFor = () => ({ timeout: 90_000 * slowness(), interval: 50 });
/** Longer than any lease of the server. */
const leasesAreOverS = 70;

/** The key of deposits' addresses. No test of payouts uses it, but a chain needs one. */
export const depositAccount =
  'xpub6ChVwX4gM8rF4BZc1LHjRW7DVVGw9x6rJgtpKR1GsfamM6w49T8dkmkS6PmKvQ2XXTj8MfMYp7bPPqjGhXMLcbmuXvwBK4iTVLRVBefJ9vC';

export interface CoinCashierOptions {
  /** The `chains` of CRYPTO_FILE. */
  readonly chains: object;
  readonly method: string;
  /** As the catalogue names it. */
  readonly network: string;
  readonly currency: string;
  /** Blocks of the chain are slow, so the cashier looks at it rarely. Here it looks every second. */
  readonly isSlow?: boolean;
}

export class CoinCashier {
  readonly cluster: Cluster;
  readonly #payer: Payer;
  readonly #folder: string;
  readonly #options: CoinCashierOptions;
  #isHurrying = false;

  private constructor(cluster: Cluster, payer: Payer, folder: string, options: CoinCashierOptions) {
    this.cluster = cluster;
    this.#payer = payer;
    this.#folder = folder;
    this.#options = options;
  }

  static async open(options: CoinCashierOptions): Promise<CoinCashier> {
    const { chains, method, network, currency } = options;
    const folder = mkdtempSync(join(tmpdir(), 'coin-payouts-'));
    const file = join(folder, 'chains.json');
    writeFileSync(file, JSON.stringify({ chains }));
    const env = { CRYPTO_FILE: file };
    const cluster = await Cluster.start({ nodes: 1, program: 'dying', database: 'embedded', env });
    const own = join(folder, 'catalogue.yaml');
    writeFileSync(own, `methods:\n  ${method}: { provider: crypto, options: { network: ${network} } }\n`);
    const [{ key } = { key: '' }] = await cluster.query<{ key: string }>(
      'select partner_key as key from operator limit 1',
    );
    const applied = await cluster.run(['catalogue', 'apply', key, own], env);
    if (applied.exitCode !== 0) throw new Error(applied.errors);
    const payer = await Payer.of({
      url: cluster.url,
      askAsOperator: (path, body) => cluster.askAsOperator(path, body),
      async mintToken(userId) {
        return tokenFrom(await cluster.askAsOperator('user-tokens', { userId, currency, country: 'IN' }));
      },
    });
    const transfer = { transferId: randomUUID(), amount: '500000', currency, from: 'operator', to: 'main' };
    expect((await payer.insistAsOperator(`users/${payer.userId}/transfers`, transfer)).status).toBe(200);
    return new CoinCashier(cluster, payer, folder, options);
  }

  /** Withdraws while the server dies at a failpoint, and waits until the withdrawal is paid by the next server. */
  async payThroughDeath(point: string, amount: string, fields: Readonly<Record<string, string>>): Promise<void> {
    await this.#payer.signIn();
    const rounds = this.#options.isSlow ? setInterval(() => void this.#hurry(), 1000) : undefined;
    try {
      await this.#payThroughDeath(point, amount, fields);
    } finally {
      clearInterval(rounds);
    }
  }

  /** Lets the next round of the wallet begin now. A node that is dead answers when it has started again. */
  async #hurry(): Promise<void> {
    if (this.#isHurrying) return;
    this.#isHurrying = true;
    await this.cluster.query('update coin_wallet set next_at = now() where next_at > now()').catch(() => undefined);
    this.#isHurrying = false;
  }

  async #payThroughDeath(point: string, amount: string, fields: Readonly<Record<string, string>>): Promise<void> {
    await this.cluster.dieAt(0, point);
    const asked = this.#cashOut(amount, fields);
    await this.cluster.dead(0, Math.round(60_000 * slowness()));
    await this.cluster.startAgain(0, leasesAreOverS);
    const id = await asked;
    await expect.poll(() => this.#stateOf(id), pollFor()).toBe('paid');
  }

  async #cashOut(amount: string, fields: Readonly<Record<string, string>>): Promise<string> {
    const withdrawalId = randomUUID();
    const { currency, method } = this.#options;
    const intent = { withdrawalId, amount, currency, paymentMethod: method, fields };
    expect(await this.#payer.insist('withdrawal-create', intent)).toMatchObject({ status: 200 });
    await this.#payer.insist('withdrawal-confirm', { withdrawalId });
    return withdrawalId;
  }

  async #stateOf(id: string): Promise<string | undefined> {
    const rows = await this.cluster.query<{ state: string }>('select state from withdrawal where id = $1', [id]);
    return rows[0]?.state;
  }

  async close(): Promise<void> {
    await this.cluster.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

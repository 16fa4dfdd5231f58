/** The set-up of tests of payouts on TRON: a chain in memory with two nodes, a database with the operator `op`, and a signer with coins. */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { tronAddress } from '../providers/crypto/chain/receiving-address.ts';
import { FakeTron, FakeTronNode } from '../providers/crypto/testing/fake-tron-node.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { createPayoutBench, type PayoutBench, type PayoutBenchOptions } from './coin-payouts.fixture.ts';

/** The contract of USDT in these tests. */
export const TRON_TOKEN = tronAddress('a614f803b6fd780986a42c78ec9c7f77e6ded13c');
/** How long a transaction of these tests is taken. */
export const VALID_FOR_S = 3600;
/** Confirmations that these tests want. */
export const TRON_REQUIRED = 3;

export interface TronWallet {
  readonly chain: FakeTron;
  readonly nodes: readonly [FakeTronNode, FakeTronNode];
  readonly opened: TestDatabase;
  readonly signer: TestSigner;
  /** Payments of a process over this database. */
  open(more?: Partial<PayoutBenchOptions>): PayoutBench;
}

/**
 * Opens a hot wallet on TRON for the file's tests, and closes it after them.
 * @param take receives it before the file's own `beforeAll`
 */
export function withTronWallet(take: (made: TronWallet) => void): void {
  let close: (() => Promise<unknown>) | undefined;
  beforeAll(async () => {
    const opened = await openTestDatabase();
    const chain = new FakeTron();
    const nodes = [new FakeTronNode(chain), new FakeTronNode(chain)] as const;
    const signer = new TestSigner();
    signer.now = () => chain.now();
    close = () => Promise.all([...nodes.map((node) => node.close()), signer.close(), opened.drop()]);
    await seedOperator(opened.database);
    const [urls, signerUrl] = await Promise.all([Promise.all(nodes.map((node) => node.open())), signer.open()]);
    chain.fund(TestSigner.tronWallet, 10n ** 12n);
    chain.fund(TestSigner.tronWallet, 10n ** 12n, TRON_TOKEN);
    chain.mine(5);
    const open = (more: Partial<PayoutBenchOptions> = {}): PayoutBench =>
      createPayoutBench({
        database: opened.database,
        // Both the blocks and the cashier live in the chain's time, which tests can move.
        clock: { ...systemClock, now: () => chain.now() },
        log: silentLogger,
        chain: 'tron',
        nodes: urls,
        signer: signerUrl,
        wallet: TestSigner.tronWallet,
        settings: { confirmations: TRON_REQUIRED, tokens: { USDT: { contract: TRON_TOKEN, decimals: 6 } } },
        ...more,
        payouts: { mostFee: '30', validForSeconds: VALID_FOR_S, ...more.payouts },
      });
    take({ chain, nodes, opened, signer, open });
  });
  afterAll(() => close?.());
}

/** The transactions of all payouts, the oldest first. */
export function tronTransactions(database: Database) {
  return database.query<{ version: number; hash: string | null; signed: string | null; isOver: boolean }>({
    text: `select version, hash, signed, expired_at is not null as "isOver" from coin_transaction order by created_at, version`,
  });
}

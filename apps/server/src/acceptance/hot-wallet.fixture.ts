/** The set-up of tests of a hot wallet: an EVM chain of its own, a database with the operator `op`, and a signer with coins. */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll } from 'vitest';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { createPayoutBench, type PayoutBench, type PayoutBenchOptions } from './coin-payouts.fixture.ts';

/** Confirmations that these tests want, where they name no other number. */
const EVM_REQUIRED = 2;

export interface HotWallet {
  readonly chain: LocalChain;
  readonly opened: TestDatabase;
  readonly signer: TestSigner;
  /** Payments of a process over this database. */
  open(more?: Partial<PayoutBenchOptions>): PayoutBench;
}

/**
 * Opens a hot wallet for the file's tests, and closes it after them.
 * @param units what the wallet has of the chain's coin
 * @param take receives it before the file's own `beforeAll`
 */
export function withHotWallet(units: bigint, take: (made: HotWallet) => void): void {
  let made: HotWallet | undefined;
  beforeAll(async () => {
    const [chain, opened] = await Promise.all([LocalChain.open(), openTestDatabase()]);
    const signer = new TestSigner();
    const signerUrl = await signer.open();
    const open = (more: Partial<PayoutBenchOptions> = {}): PayoutBench =>
      createPayoutBench({
        database: opened.database,
        clock: systemClock,
        log: silentLogger,
        chain: 'ethereum',
        nodes: [chain.url],
        signer: signerUrl,
        wallet: TestSigner.evmWallet,
        settings: { confirmations: EVM_REQUIRED },
        ...more,
        payouts: { chainId: 31_337, raiseFeeAfterSeconds: 3600, ...more.payouts },
      });
    made = { chain, opened, signer, open };
    await seedOperator(opened.database);
    await chain.ask('anvil_setBalance', [TestSigner.evmWallet, `0x${units.toString(16)}`]);
    take(made);
  });
  afterAll(async () => {
    await made?.signer.close();
    await made?.chain.close();
    await made?.opened.drop();
  });
}

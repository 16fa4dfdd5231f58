/** The set-up of tests of payouts whose node and signer are in memory, with a database and the operator `op`. */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll } from 'vitest';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { createPayoutBench, type PayoutBench, type PayoutBenchOptions } from './coin-payouts.fixture.ts';

export interface PayoutStandIns {
  readonly opened: TestDatabase;
  /** Payments of a process over this database. */
  open(more?: Partial<PayoutBenchOptions>): PayoutBench;
}

/**
 * Opens them for the file's tests, and closes them after these.
 * @param of the chain and the hot wallet
 * @param take receives them before the file's own `beforeAll`
 */
export function withPayoutStandIns(
  node: { open(): Promise<string>; close(): Promise<void> },
  of: Pick<PayoutBenchOptions, 'chain' | 'wallet' | 'settings' | 'payouts'>,
  take: (made: PayoutStandIns) => void,
): void {
  const signer = new TestSigner();
  let opened: TestDatabase | undefined;
  beforeAll(async () => {
    const made = await openTestDatabase();
    opened = made;
    await seedOperator(made.database);
    const [nodeUrl, signerUrl] = await Promise.all([node.open(), signer.open()]);
    const open = (more: Partial<PayoutBenchOptions> = {}): PayoutBench =>
      createPayoutBench({
        database: made.database,
        clock: systemClock,
        log: silentLogger,
        nodes: [nodeUrl],
        signer: signerUrl,
        ...of,
        ...more,
      });
    take({ opened: made, open });
  });
  afterAll(async () => {
    await Promise.all([node.close(), signer.close()]);
    await opened?.drop();
  });
}

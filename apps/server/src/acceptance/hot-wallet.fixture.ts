/** The set-up of tests of a hot wallet: an EVM chain of its own, a database with the operator `op`, and a signer with coins. */
import { afterAll, beforeAll } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';

export interface HotWallet {
  readonly chain: LocalChain;
  readonly opened: TestDatabase;
  readonly signer: TestSigner;
  /** Where the signer is asked. */
  readonly signerUrl: string;
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
    made = { chain, opened, signer, signerUrl: await signer.open() };
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

/** A process of coin payouts that ends at a failpoint, and then reaches the database no more. */
import type { Database } from '../database/database.ts';
import { createPayoutBench, type PayoutBench, type PayoutBenchOptions } from './coin-payouts.fixture.ts';

interface DyingProcess {
  readonly bench: PayoutBench;
  isDead(): boolean;
}

/** @param dieAt the failpoint. Absent: the process lives on */
export function dyingProcess(
  database: Database,
  options: Omit<PayoutBenchOptions, 'database' | 'failpoint'>,
  dieAt?: string,
): DyingProcess {
  let isDead = false;
  const alive = <Result>(work: () => Promise<Result>): Promise<Result> =>
    isDead ? Promise.reject(new Error('The process has ended')) : work();
  const own: Database = {
    ...database,
    query: (statement) => alive(() => database.query(statement)),
    transaction: (work) => alive(() => database.transaction(work)),
  };
  const failpoint = (name: string): void => {
    if (name !== dieAt || isDead) return;
    isDead = true;
    throw new Error('The process ends here');
  };
  return { bench: createPayoutBench({ ...options, database: own, failpoint }), isDead: () => isDead };
}

/** A process of coin payouts that ends at a failpoint, and then reaches the database no more. */
import { expect } from 'vitest';
import type { Database } from '../database/database.ts';
import type { PayoutBench, PayoutBenchOptions } from './coin-payouts.fixture.ts';

const ENDS = 'The process ends here';
const HAS_ENDED = 'The process has ended';

export interface DyingProcess {
  readonly bench: PayoutBench;
  isDead(): boolean;
  /** One round of the wallet, in which the process may end. Every other error is thrown. */
  round(): Promise<void>;
}

/** The database of one process, and the end of this process. */
export interface MortalDatabase {
  /** Refuses everything once the process has ended. */
  readonly database: Database;
  /** Ends the process at the chosen failpoint. */
  failpoint(name: string): void;
  /** Ends the process while it waits for somebody else, such as a provider. */
  end(): void;
  isDead(): boolean;
  /** Whether an error is the end itself, or comes from it. Others are faults. */
  isItsEnd(error: unknown): boolean;
}

/** @param dieAt the failpoint. Absent: the process lives on, unless something else ends it */
export function mortalDatabase(database: Database, dieAt?: string): MortalDatabase {
  let isDead = false;
  const alive = <Result>(work: () => Promise<Result>): Promise<Result> =>
    isDead ? Promise.reject(new Error(HAS_ENDED)) : work();
  return {
    database: {
      ...database,
      query: (statement) => alive(() => database.query(statement)),
      transaction: (work) => alive(() => database.transaction(work)),
    },
    failpoint(name) {
      if (name !== dieAt || isDead) return;
      isDead = true;
      throw new Error(ENDS);
    },
    end() {
      isDead = true;
    },
    isDead: () => isDead,
    isItsEnd: (error) => isDead && error instanceof Error && [ENDS, HAS_ENDED].includes(error.message),
  };
}

/**
 * @param open makes the process over its own connection to the database
 * @param dieAt the failpoint. Absent: the process lives on
 */
export function dyingProcess(
  database: Database,
  open: (own: Required<Pick<PayoutBenchOptions, 'database' | 'failpoint'>>) => PayoutBench,
  dieAt?: string,
): DyingProcess {
  const mortal = mortalDatabase(database, dieAt);
  const bench = open({ database: mortal.database, failpoint: mortal.failpoint });
  return {
    bench,
    isDead: mortal.isDead,
    async round() {
      try {
        await bench.round();
      } catch (error) {
        if (!mortal.isItsEnd(error)) throw error;
      }
    },
  };
}

/** Rounds of a process with blocks between them, until something is over. */
async function roundsUntil(
  dying: DyingProcess,
  { isOver, most, mine }: { isOver(): boolean | Promise<boolean>; readonly most: number; mine(): void | Promise<void> },
): Promise<void> {
  for (let turn = 0; turn < most && !(await isOver()); turn += 1) {
    await dying.round();
    await mine();
  }
}

/**
 * A user withdraws, the first process ends at a failpoint, and a second one goes on until the withdrawal is paid.
 * @param amount of the withdrawal, with its currency and the payee's address
 * @param most rounds of each process
 * @returns the state of the withdrawal at the end
 */
export async function payThroughDeath({
  database,
  processOf,
  point,
  amount,
  most,
  mine,
  onceAsked,
  onceDead,
}: {
  readonly database: Database;
  readonly processOf: (dieAt?: string) => DyingProcess;
  readonly point: string;
  readonly amount: readonly [currency: string, amount: string, address: string];
  readonly most: number;
  mine(): void | Promise<void>;
  /** Before the rounds of the first process. */
  onceAsked?(first: DyingProcess): Promise<void>;
  onceDead?(): void;
}): Promise<string | undefined> {
  const first = processOf(point);
  const asked = await first.bench.cashOut(...amount);
  await onceAsked?.(first);
  await roundsUntil(first, { isOver: first.isDead, most, mine });
  expect(first.isDead()).toBe(true);
  onceDead?.();
  const second = processOf();
  // The user's request died with the first process: the second one asks again under the same id.
  await asked.resume(second.bench, database);
  await roundsUntil(second, { isOver: async () => (await asked.state(database)) === 'paid', most, mine });
  return asked.state(database);
}

/** Processes of a cashier that go on, each after the end of the one before it. */
import { expect } from 'vitest';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { Caller } from '../operators/caller.ts';
import type { Bench } from '../payments/testing/payments.fixture.ts';
import { type MortalDatabase, mortalDatabase } from './dying-process.fixture.ts';

/** A process: its payments, and work of its own beside theirs. */
export interface CashierProcess {
  readonly payments: Bench['payments'];
  runDueWork?(): Promise<void>;
}

const MOST_TRIES = 5;
const MOST_ROUNDS = 10;

export class Processes<One extends CashierProcess> {
  readonly #database: Database;
  readonly #open: (mortal: MortalDatabase) => One;
  /** The process that is to end. */
  readonly first: MortalDatabase;
  #current: { readonly mortal: MortalDatabase; readonly process: One };

  /** @param dieAt the failpoint at which the first process ends. Absent: something else ends it */
  constructor(database: Database, open: (mortal: MortalDatabase) => One, dieAt?: string) {
    this.#database = database;
    this.#open = open;
    this.first = mortalDatabase(database, dieAt);
    this.#current = { mortal: this.first, process: open(this.first) };
  }

  /** Does one thing. After the end of the process, and while the outcome is unknown, it is done again, as a widget does. */
  async insist<Result>(work: (process: One) => Promise<Result>): Promise<Result> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      try {
        return await work(this.#current.process);
      } catch (error) {
        const isOpen = error instanceof DomainError && ['in-flight', 'unknown-outcome'].includes(error.code);
        if (!isOpen && !this.#current.mortal.isItsEnd(error)) throw error;
        await this.goOn();
      }
    }
    throw new Error('The call was never answered');
  }

  /** The next process, where this one has ended. Leases end, and due work is done. */
  async goOn(): Promise<void> {
    if (this.#current.mortal.isDead()) {
      const mortal = mortalDatabase(this.#database);
      this.#current = { mortal, process: this.#open(mortal) };
    }
    for (const text of [
      'update withdrawal set busy_until = null where busy_until is not null',
      'update withdrawal set check_at = now() where check_at is not null',
    ])
      await this.#database.query({ text });
    const { mortal, process } = this.#current;
    try {
      await process.payments.runDueWork();
      await process.runDueWork?.();
    } catch (error) {
      if (!mortal.isItsEnd(error)) throw error;
    }
  }

  /** Goes on until something is so. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      await this.goOn();
      if (await isSo()) return;
    }
    throw new Error('It never came');
  }

  /** Confirms a withdrawal and goes on until it is paid. */
  async untilPaid(caller: Caller, withdrawalId: string): Promise<void> {
    await this.insist(({ payments }) => payments.withdrawals.confirm(caller, withdrawalId));
    await this.until(async () => {
      const { status } = await this.insist(({ payments }) => payments.withdrawals.status(caller, withdrawalId));
      return status === 1;
    });
  }
}

/** The hold of a withdrawal was posted once and never released, and one payout is paid. @param withdrawalId as the user's device made it */
export async function expectPaidOnce(database: Database, withdrawalId: string): Promise<void> {
  const ends = await database.query({
    text: `select note from journal where kind = 'hold_end' and withdrawal_id = $1`,
    values: [withdrawalId],
  });
  expect(ends).toEqual([{ note: 'post' }]);
  const payouts = await database.query({
    text: 'select state from payout where withdrawal_id = $1',
    values: [withdrawalId],
  });
  expect(payouts).toEqual([{ state: 'paid' }]);
}

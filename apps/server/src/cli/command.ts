/** What every command of the command line shares: where it writes, how it gets the database, and how it says no. */
import type { Command } from '@commander-js/extra-typings';
import type { Clock } from '@opencashier/core/time/clock';
import type { Config } from '../config/config.ts';
import type { openWithoutMigration } from '../database/connection/open-database.ts';
import type { Database } from '../database/database.ts';

export interface Output {
  /** The result. */
  out(line: string): void;
  /** What went wrong. */
  error(line: string): void;
  /** The progress of a long command. It is no part of the result. */
  progress(line: string): void;
}

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  readonly clock: Clock;
  /** Opens the database of the settings. Tests have one open already. */
  readonly open: typeof openWithoutMigration;
}

/** One run of the program. */
export interface Session extends Surroundings {
  /** @throws ConfigError where a setting is wrong */
  readonly config: () => Config;
  /**
   * Opens the database, runs `work` with it, and keeps the exit code that `work` returns. An action reads its arguments before
   * it calls this: a command that was typed wrongly opens nothing.
   */
  readonly withDatabase: (work: (database: Database) => Promise<number>, options?: WithDatabase) => Promise<void>;
  /** Sets the exit code of the program. */
  readonly exitWith: (code: number) => void;
}

export interface WithDatabase {
  /** Whether the command may make the tables of an empty database. */
  readonly mayCreate?: boolean;
}

/** Adds commands to the program. */
export type AddCommands = (program: Command, session: Session) => void;

/** The command was typed wrongly: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command is clear and cannot be done: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

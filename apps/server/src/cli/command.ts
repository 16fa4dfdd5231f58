/** What every command of the command line has: where it writes, and the two ways to say that it will not. */
import type { Clock } from '@opencashier/core/time/clock';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { openAsItIs } from '../database/open-database.ts';

export interface Output {
  /** What was asked for. */
  out(line: string): void;
  /** What went wrong. */
  error(line: string): void;
  /** How far a long command has come; no part of its result. */
  progress(line: string): void;
}

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  readonly clock: Clock;
  /** Opens the database of the settings; tests have one open already. */
  readonly open: typeof openAsItIs;
}

/** What was written behind the name of a command, and the settings that it runs with. */
export interface Asked {
  readonly args: readonly string[];
  readonly config: Config;
  readonly output: Output;
  readonly clock: Clock;
}

/**
 * Reads what was asked before any database is opened, and answers what to do with one that has its tables; that answers the
 * exit code.
 * @throws UsageError
 */
export type Command = (asked: Asked) => (database: Database) => Promise<number>;

/** The command was written wrongly: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** It was understood and cannot be done: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

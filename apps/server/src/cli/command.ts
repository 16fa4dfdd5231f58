/** What all commands share: their output, their session with the database, and their errors. */
import type { Command } from '@commander-js/extra-typings';
import type { Clock } from '@opencashier/core/time/clock';
import type { Config } from '../config/config.ts';
import type { openWithoutMigration } from '../database/connection/open-database.ts';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { StripeOptions } from '../providers/stripe/stripe.ts';
import { CursorError } from '../requests/page-cursor.ts';

export interface Output {
  /** Prints a line of the result. */
  out(line: string): void;
  /** Prints an error or a hint. It is no part of the result. */
  error(line: string): void;
  /** Prints the progress of a long command. It is no part of the result. */
  progress(line: string): void;
}

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  readonly clock: Clock;
  /** Opens the database that the settings name. Tests pass one that is already open. */
  readonly open: typeof openWithoutMigration;
  /** Another address of Stripe's API, for tests. */
  readonly stripeApi?: StripeOptions['api'];
}

/** One run of the program. */
export interface Session extends Surroundings {
  /** Reads the settings, once. @throws ConfigError if a setting is wrong */
  readonly config: () => Config;
  /**
   * Opens the database, runs `work` with it, and keeps the exit code that `work` returns. An action checks its arguments before it
   * calls this, so that a wrong command does not open the database.
   */
  readonly withDatabase: (work: (database: Database) => Promise<number>, options?: WithDatabase) => Promise<void>;
  /**
   * Runs `work` with the database of each cell of `CELL_DATABASES`, or with the database of the settings if there is no cell. A cell
   * that fails is reported, and the next one is asked.
   * @returns the names of the cells that failed
   */
  readonly withEachCell: (work: (database: Database, cell: string | undefined) => Promise<void>) => Promise<string[]>;
  /** Sets the exit code of the program. */
  readonly exitWith: (code: number) => void;
}

export interface WithDatabase {
  /** Whether the command may create the tables of an empty database. */
  readonly mayCreate?: boolean;
  /** Whether the caller asked for a new embedded database (`--new-database`). A set DATA_DIR asks for it, too. */
  readonly isNewAsked?: boolean;
  /** Whether the command needs the rights of the owner of the tables (`DATABASE_OWNER_URL`). */
  readonly asOwner?: boolean;
}

/** Adds commands to the program. */
export type AddCommands = (program: Command, session: Session) => void;

/** A wrong argument or option: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The option that the message names, such as `--day`. The command may have it as an argument. */
  readonly option: string | undefined;

  constructor(message: string, option?: string) {
    super(message);
    this.option = option;
  }
}

/** The command is correct but cannot be carried out: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The fields and parameters that the operator API answers besides the message. */
function detailsOf({ details: { fields = [], params = {} } }: DomainError): string[] {
  return [
    ...fields.map(({ path, message }) => `${path}: ${message}`),
    ...Object.entries(params).map(([name, value]) => `(${name}: ${value})`),
  ];
}

/** The text of an error. A connection that failed at several addresses has an error without a message, so its code is printed. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CursorError) return '--cursor is wrong. Give the cursor that the page before printed.';
  if (error instanceof DomainError) return [error.message, ...detailsOf(error)].join(' ');
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message || code;
}

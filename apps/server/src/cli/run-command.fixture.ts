/** Runs an `opencashier` command, written as in a shell, and returns what it prints. */
import { systemClock } from '@opencashier/core/time/clock';
import type { Database } from '../database/database.ts';
import { runCommandLine } from './command-line.ts';

type Surroundings = Parameters<typeof runCommandLine>[1];

export interface Printed {
  readonly exitCode: number;
  readonly out: string;
  readonly errors: string;
  readonly progress: string;
}

/** Opens a database of the test for commands, and leaves it open when they end. */
export const keptOpen =
  (database: Database): Surroundings['open'] =>
  async () => ({ ...database, close: async () => undefined });

/** @param command arguments with spaces are in double quotes */
export async function runCommand(
  command: string,
  surroundings: Pick<Surroundings, 'environment' | 'open'> & Partial<Pick<Surroundings, 'clock' | 'stripeApi'>>,
): Promise<Printed> {
  const printed = { out: '', errors: '', progress: '' };
  const args = (command.match(/"[^"]*"|\S+/g) ?? []).map((part) => part.replaceAll('"', ''));
  const output = {
    out: (line: string) => {
      printed.out += `${line}\n`;
    },
    error: (line: string) => {
      printed.errors += `${line}\n`;
    },
    progress: (line: string) => {
      printed.progress += `${line}\n`;
    },
  };
  const exitCode = await runCommandLine(args, { clock: systemClock, ...surroundings, output });
  return { exitCode, ...printed };
}

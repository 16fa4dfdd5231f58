/** How commands open a database: as its owner, and with few words. */
import { settingOf } from '../config/secret-files.ts';
import type { DatabaseLogger } from '../database/embedded/open-embedded.ts';
import { CommandError, type Surroundings } from './command.ts';

/**
 * The address for the owner of the tables. Undefined: the application's role owns them.
 * @throws CommandError if it is no address; ConfigError if its file cannot be read
 */
export function ownerUrlOf({ environment }: Pick<Surroundings, 'environment'>): string | undefined {
  const ownerUrl = settingOf(environment, 'DATABASE_OWNER_URL');
  if (ownerUrl !== undefined && !URL.canParse(ownerUrl))
    throw new CommandError('DATABASE_OWNER_URL must be an address.');
  return ownerUrl;
}

/** Reports a lost connection, and nothing else. */
export function openingLogger({ output }: Pick<Surroundings, 'output'>): DatabaseLogger {
  return { info: () => undefined, error: () => output.error('The connection to the database was lost.') };
}

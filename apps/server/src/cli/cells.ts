/** The databases of several cells, for commands that search all operators (docs/operate.md, "Several cells"). */
import { settingOf } from '../config/secret-files.ts';
import { CommandError } from './command.ts';

export interface CellDatabase {
  readonly name: string;
  readonly url: string;
}

const form = /^([a-z0-9-]+)=(postgres(?:ql)?:\/\/.+)$/;

/**
 * Reads `CELL_DATABASES`, such as `a=postgres://…,b=postgres://…`. The server never reads it.
 * @returns no cell when the variable is not set
 * @throws CommandError that names the wrong entry by its place, since an address holds a password
 */
export function cellDatabasesOf(environment: Readonly<Record<string, string | undefined>>): readonly CellDatabase[] {
  const entries = (settingOf(environment, 'CELL_DATABASES') ?? '').split(',').flatMap((entry) => entry.trim() || []);
  return entries.map((entry, index) => {
    const [, name, url] = form.exec(entry) ?? [];
    if (name !== undefined && url !== undefined && URL.canParse(url)) return { name, url };
    throw new CommandError(`Entry ${index + 1} of CELL_DATABASES must be <name>=postgres://…`);
  });
}

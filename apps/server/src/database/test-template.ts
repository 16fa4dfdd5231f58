/**
 * An embedded database that is made once and copied for each test file: making one, with every migration, takes three seconds of a
 * core, and there are fifty files. Each change of a migration makes a new one.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrations } from './migrate.ts';
import { openDatabase } from './open-database.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const cache = join(root, '.cache/embedded-databases');
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Fills an empty data folder with a migrated, empty database. */
export async function copyTemplate(dataDir: string): Promise<void> {
  // The lock file, too: another version of the database keeps its files in another way.
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const { name, sql } of migrations) hash.update(`${name}\n${sql}\n`);
  const template = join(cache, hash.digest('hex').slice(0, 16));
  if (!existsSync(template)) await makeTemplate(template);
  cpSync(template, dataDir, { recursive: true });
}

async function makeTemplate(template: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(`${template}-`);
  const database = await openDatabase({ dataDir: folder, logger: silent });
  await database.close();
  try {
    renameSync(folder, template);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    // Two files may begin at once: whoever is first has made it for both.
    if (!existsSync(template)) throw error;
  }
}

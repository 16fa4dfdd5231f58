/** The secret that signs user tokens: from the settings, or else created once and stored in the data folder. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileIn = (dataDir: string): string => join(dataDir, 'token-secret');

/** Undefined when no secret was created yet. */
export function knownTokenSecret(configured: string | undefined, dataDir: string): string | undefined {
  if (configured !== undefined) return configured;
  try {
    return readFileSync(fileIn(dataDir), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

/** Nodes that share users need the setting, because each node would create its own secret. */
export function tokenSecret(configured: string | undefined, dataDir: string): string {
  const known = knownTokenSecret(configured, dataDir);
  if (known !== undefined) return known;
  const secret = randomBytes(32).toString('base64url');
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(fileIn(dataDir), `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return secret;
}

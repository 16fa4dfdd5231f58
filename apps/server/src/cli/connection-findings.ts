/** The checks of `doctor` about operators' connections: whether the master keys of the settings can open their secrets. */
import { masterKeysOf } from '../assembly/connection-kinds.ts';
import type { Config } from '../config/config.ts';
import { readMasterKeyUse } from '../connections/rewrap-connections.ts';
import type { Database } from '../database/database.ts';
import type { Finding } from './finding.ts';

/** Nothing without connections. The names of keys are no secrets. */
export async function connectionFindings(database: Database, config: Config): Promise<Finding[]> {
  const used = await readMasterKeyUse(database);
  if (used.length === 0) return [];
  const name = 'connections';
  const keys = await masterKeysOf(config);
  const found = `${used.reduce((sum, { count }) => sum + count, 0)}`;
  const missing = used.filter(({ keyId }) => keys.byId(keyId) === undefined).map(({ keyId }) => keyId);
  if (missing.length > 0) {
    const advice = `Add these keys to MASTER_KEY again, behind the newest one: ${missing.join(', ')}. See docs/connections.md.`;
    return [{ name, found: `${found}, and the secrets of some cannot be opened`, advice }];
  }
  const old = used.filter(({ keyId }) => keyId !== keys.newest?.id);
  if (old.length === 0) return [{ name, found: `${found}, under the master key ${keys.newest?.id}` }];
  const advice = `Run \`opencashier connections rewrap\` before you remove ${old.map(({ keyId }) => keyId).join(', ')} from MASTER_KEY.`;
  return [{ name, found: `${found}, some under an older master key`, advice, isNote: true }];
}

/** The keys that decrypt a server's data, for commands that read its database. Unlike the server, it never creates a secret. */
import type { Config } from '../config/config.ts';
import { knownTokenSecret } from '../operators/token-secret.ts';
import { createDataKeys, type DataKeys, dataSecrets } from '../sealing/data-keys.ts';

/** @returns undefined if the settings have no secret and the server has not started yet, so that it has created none */
export function dataKeysOf({ dataKeys, tokenSecret, dataDir }: Config): DataKeys | undefined {
  const [first, ...more] = dataKeys;
  const secret = knownTokenSecret(tokenSecret, dataDir);
  if (secret !== undefined) return createDataKeys(dataSecrets(dataKeys, secret));
  return first === undefined ? undefined : createDataKeys([first, ...more]);
}

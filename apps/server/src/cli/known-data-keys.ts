/** The keys of a server's data, for who looks into its database: nothing is made that is not there. */
import type { Config } from '../config/config.ts';
import { knownTokenSecret } from '../operators/token-secret.ts';
import { createDataKeys, type DataKeys, dataSecrets } from '../sealing/data-keys.ts';

/** Undefined before the server has started once without a secret in its settings. */
export function dataKeysOf({ dataKeys, tokenSecret, dataDir }: Config): DataKeys | undefined {
  const [first, ...more] = dataKeys;
  const secret = knownTokenSecret(tokenSecret, dataDir);
  if (secret !== undefined) return createDataKeys(dataSecrets(dataKeys, secret));
  return first === undefined ? undefined : createDataKeys([first, ...more]);
}

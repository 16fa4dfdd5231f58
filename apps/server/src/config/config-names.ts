/** Finds variables that look like settings of this server and are none. Without this check a misspelt setting has no effect. */
import { editsBetween } from '../errors/similar-name.ts';

export interface MisspeltName {
  readonly found: string;
  /** The setting with the most similar name. Absent: no name is similar. */
  readonly meant?: string;
}

/** Names that `npm start`, the SDK of traces or the files of chains and providers read. */
const ofOthers = /^(?:DEMO_(?:PORT|WALLET)$|DOCS_ORIGIN$|OTEL_|CHAIN_KEY_|PROVIDER_KEY_)/;
/** Beginnings of names that only this server uses. */
const ourFamilies = /^(?:STRIPE|GEETEST|SEED_DEMO)_/;
/** Endings of the variables that Kubernetes sets for each service, whatever the service is called. */
const ofKubernetes = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP)(?:_(?:ADDR|PORT|PROTO))?)?)$/;
/** Shorter names (PORT, HOST) are too similar to names of other programs. */
const leastLength = 7;
/** From this length on, a name with two wrong letters is still recognized. */
const longLength = 10;

/**
 * @param found names of the environment
 * @param known names of the settings
 */
export function misspeltNames(found: readonly string[], known: ReadonlySet<string>): MisspeltName[] {
  const settings = [...known].filter((name) => !ofOthers.test(name));
  return found.flatMap((name) => {
    if (known.has(name) || ofOthers.test(name) || ofKubernetes.test(name)) return [];
    const upper = name.toUpperCase();
    const near = settings
      .map((setting) => ({ setting, edits: editsBetween(upper, setting) }))
      .filter(({ setting, edits }) => setting.length >= leastLength && edits <= (setting.length < longLength ? 1 : 2))
      .sort((left, right) => left.edits - right.edits)[0];
    if (near !== undefined) return [{ found: name, meant: near.setting }];
    return ourFamilies.test(name) ? [{ found: name }] : [];
  });
}

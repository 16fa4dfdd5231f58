/**
 * The setting MASTER_KEY: a list of master keys, the newest first. `2026-11:secret` is a key in the settings. `aws-kms:arn:…` is a key
 * that stays in AWS KMS.
 */

/** A master key as the setting names it. */
export type MasterKeySetting =
  | { readonly kind: 'local'; readonly id: string; readonly secret: string }
  | { readonly kind: 'aws-kms'; readonly id: string; readonly arn: string; readonly region: string };

const AWS = 'aws-kms';
const leastSecretLength = 32;
const localForm = /^([a-z0-9][a-z0-9._-]{0,39}):(\S+)$/;
const arnForm = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:key\/[\w-]+$/;

const FORM =
  'a list of keys, the newest first, separated by commas. Each is a name, a colon and a secret of at least 32 characters, such as ' +
  '2026-11:… (`openssl rand -base64 32` prints a secret), or aws-kms: and the ARN of a key in AWS KMS';

/** What is wrong with the setting; it names no secret. Undefined: nothing. */
export function masterKeyFault(keys: readonly string[]): string | undefined {
  const read = keys.map(readOne);
  if (read.includes(undefined)) return FORM;
  const ids = read.map((key) => key?.id);
  return new Set(ids).size < ids.length ? 'a list in which each key has a name of its own' : undefined;
}

/** @param keys a setting without a fault */
export function readMasterKeys(keys: readonly string[]): MasterKeySetting[] {
  return keys.flatMap((key) => readOne(key) ?? []);
}

function readOne(key: string): MasterKeySetting | undefined {
  if (key.startsWith(`${AWS}:`)) {
    const arn = key.slice(AWS.length + 1);
    const region = arnForm.exec(arn)?.[1];
    return region === undefined ? undefined : { kind: AWS, id: key, arn, region };
  }
  const [, id, secret] = localForm.exec(key) ?? [];
  if (id === undefined || secret === undefined || id === AWS || secret.length < leastSecretLength) return undefined;
  return { kind: 'local', id, secret };
}

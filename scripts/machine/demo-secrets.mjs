/**
 * The secrets that the cashier and the demo operator share. They are made once, at random. A file in the data folder holds
 * them, which only its owner may read. Both programs get them through their environment.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} dataFolder absolute path; created when missing
 * @returns {{ operatorKey: string, webhookSecret: string, sandboxSecret: string, tokenSecret: string }}
 * @throws when the file exists but is not readable as such
 */
export function demoSecrets(dataFolder) {
  const file = join(dataFolder, 'demo-secrets.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const secrets = {
    operatorKey: `sk_demo_${randomBytes(32).toString('base64url')}`,
    // The form of the Standard Webhooks specification: a prefix and 32 bytes in base64.
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    sandboxSecret: `whsec_${randomBytes(32).toString('base64')}`,
    tokenSecret: randomBytes(48).toString('base64url'),
  };
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return secrets;
}

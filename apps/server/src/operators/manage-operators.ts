/** Creates operators and changes their secrets. Only the command line calls this, never the network (SRV-1). */
import { randomBytes } from 'node:crypto';
import type { WalletMode } from '@opencashier/contract/operator';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { insertKey, isSeeded } from './api-keys.ts';
import { newSecretKey } from './secret-key.ts';
import { type Actor, byCommandLine, recordSettingChange, rotated } from './setting-history.ts';
import { signingSecrets } from './signing-secrets.ts';

export interface NewOperator {
  /** Public; also the operator's id. */
  readonly partnerKey: string;
  readonly name: string;
  readonly origins: readonly string[];
  readonly webhookUrl?: string | undefined;
  /** Whose balance counts; absent: the ledger's. */
  readonly walletMode?: WalletMode | undefined;
  readonly walletUrl?: string | undefined;
}

/** Shown once, because the database stores only a hash of the key. */
export interface OperatorSecrets {
  readonly secretKey: string;
  readonly webhookSecret: string;
}

/** The format of the Standard Webhooks scheme. */
const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** @returns undefined when the name is taken */
export function createOperator(
  database: Database,
  operator: NewOperator,
  actor: Actor = { by: byCommandLine },
): Promise<OperatorSecrets | undefined> {
  const secrets = { secretKey: newSecretKey(), webhookSecret: newWebhookSecret() };
  return database.transaction(async (transaction) => {
    const made = await transaction.query({
      text: `insert into operator (id, partner_key, name, allowed_origins, webhook_url, webhook_secrets, wallet_mode, wallet_url)
        values ($1, $1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning 1`,
      values: [
        operator.partnerKey,
        operator.name,
        operator.origins,
        operator.webhookUrl ?? null,
        [secrets.webhookSecret],
        operator.walletMode ?? 'cashier',
        operator.walletUrl ?? null,
      ],
    });
    if (made.length === 0) return undefined;
    await insertKey(transaction, operator.partnerKey, secrets.secretKey);
    const { partnerKey: operatorId, webhookUrl, walletUrl, ...more } = operator;
    const after = { ...more, webhookUrl: shownAddress(webhookUrl), walletUrl: shownAddress(walletUrl) };
    await recordSettingChange(transaction, { operatorId, setting: 'operator', ...actor, before: undefined, after });
    return secrets;
  });
}

/** An address for people and for the history. Its query may hold a secret, so it is left out. */
export function shownAddress(address: string | null | undefined): string | undefined {
  if (address === null || address === undefined) return undefined;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

/** Why a secret was not changed: the operator is unknown, or the settings renew its secrets at every start. */
export type Refusal = 'unknown' | 'of-the-settings';

/**
 * Makes a new secret key. Every older key stops working at `until`.
 * @param until undefined: now, by the database's clock
 */
export function rotateKey(
  database: Database,
  partnerKey: string,
  actor: Actor,
  until?: Date,
): Promise<{ secretKey: string } | Refusal> {
  const secretKey = newSecretKey();
  return database.transaction(async (transaction) => {
    const id = await changeable(transaction, partnerKey);
    if (typeof id !== 'object') return id;
    await transaction.query({
      text: `update operator_api_key set revoked_at = coalesce($2, now())
        where operator_id = $1 and (revoked_at is null or revoked_at > coalesce($2, now()))`,
      values: [id.operatorId, until ?? null],
    });
    await insertKey(transaction, id.operatorId, secretKey);
    await recordRotation(transaction, id.operatorId, 'operator.secretKey', actor, until);
    return { secretKey };
  });
}

/**
 * Makes a new webhook secret. From now on webhooks are signed with it; until `until` they are also signed with the old ones.
 * @param until undefined: from now on only with the new secret
 */
export function rotateWebhookSecret(
  database: Database,
  partnerKey: string,
  actor: Actor,
  until?: Date,
): Promise<{ webhookSecret: string } | Refusal> {
  const webhookSecret = newWebhookSecret();
  return database.transaction(async (transaction) => {
    const id = await changeable(transaction, partnerKey);
    if (typeof id !== 'object') return id;
    await transaction.query({
      text: `update operator set webhook_old_secrets_until = coalesce($3, now()),
          webhook_secrets = array[$2::text] || ${signingSecrets}
        where id = $1`,
      values: [id.operatorId, webhookSecret, until ?? null],
    });
    await recordRotation(transaction, id.operatorId, 'operator.webhookSecret', actor, until);
    return { webhookSecret };
  });
}

/** Says that a secret has changed, and until when older ones are valid, but never the secret. */
function recordRotation(
  transaction: Transaction,
  operatorId: string,
  setting: string,
  actor: Actor,
  until: Date | undefined,
): Promise<void> {
  const after = { [rotated]: true, ...(until !== undefined && { oldValidUntil: until.toISOString() }) };
  return recordSettingChange(transaction, { operatorId, setting, ...actor, before: undefined, after });
}

async function changeable(queryable: Queryable, partnerKey: string): Promise<{ operatorId: string } | Refusal> {
  const [operator] = await queryable.query<{ id: string; is_seeded: boolean }>({
    text: `select id, ${isSeeded} as is_seeded from operator where partner_key = $1 for update`,
    values: [partnerKey],
  });
  if (operator === undefined) return 'unknown';
  return operator.is_seeded ? 'of-the-settings' : { operatorId: operator.id };
}

export interface OperatorSummary {
  readonly id: string;
  readonly partnerKey: string;
  readonly name: string;
  readonly origins: readonly string[];
  readonly webhookUrl: string | null;
  /** Whose balance counts. */
  readonly walletMode: WalletMode;
  /** The address of the operator's own wallet. Its query may hold a secret. */
  readonly walletUrl: string | null;
  /** When the webhooks were switched off, because every try of a delivery had failed. */
  readonly switchedOffSince: Date | null;
  /** The number of valid keys. */
  readonly keys: number;
}

/** All operators, by their public key. */
export function listOperators(queryable: Queryable): Promise<OperatorSummary[]> {
  return queryable.query({
    text: `select id, partner_key as "partnerKey", name, allowed_origins as origins, webhook_url as "webhookUrl",
        wallet_mode as "walletMode", wallet_url as "walletUrl",
        webhook_disabled_at as "switchedOffSince",
        (select count(*)::int from operator_api_key key
          where key.operator_id = operator.id and (key.revoked_at is null or key.revoked_at > now())) as keys
      from operator order by partner_key`,
  });
}

/** Operators are made, and their secrets changed, by whoever runs the cashier: never over the network (SRV-1). */
import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../database/database.ts';
import { hashOfSecretKey } from './operators.ts';

export interface NewOperator {
  /** Public, and the operator's id too. */
  readonly partnerKey: string;
  readonly name: string;
  readonly origins: readonly string[];
  readonly webhookUrl?: string | undefined;
}

/** Shown once: of the key only a hash is stored. */
export interface OperatorSecrets {
  readonly secretKey: string;
  readonly webhookSecret: string;
}

/** 256 random bits, so that a plain hash of it cannot be guessed back. */
const newSecretKey = (): string => `sk_${randomBytes(32).toString('base64url')}`;
/** The form of the Standard Webhooks scheme. */
const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** @returns undefined where the name is taken */
export function createOperator(database: Database, operator: NewOperator): Promise<OperatorSecrets | undefined> {
  const secrets = { secretKey: newSecretKey(), webhookSecret: newWebhookSecret() };
  return database.transaction(async (transaction) => {
    const made = await transaction.query({
      text: `insert into operator (id, partner_key, name, allowed_origins, webhook_url, webhook_secrets)
        values ($1, $1, $2, $3, $4, $5) on conflict do nothing returning 1`,
      values: [
        operator.partnerKey,
        operator.name,
        operator.origins,
        operator.webhookUrl ?? null,
        [secrets.webhookSecret],
      ],
    });
    if (made.length === 0) return undefined;
    await insertKey(transaction, operator.partnerKey, secrets.secretKey);
    return secrets;
  });
}

/**
 * Lets further pages frame the cashier.
 * @returns all origins of the operator; undefined where there is no such operator
 */
export async function addOrigins(
  queryable: Queryable,
  partnerKey: string,
  origins: readonly string[],
): Promise<readonly string[] | undefined> {
  const [changed] = await queryable.query<{ origins: string[] }>({
    text: `update operator set allowed_origins = allowed_origins || array(
        select added from unnest($2::text[]) with ordinality as given (added, place)
        where added <> all (allowed_origins) group by added order by min(place))
      where partner_key = $1 returning allowed_origins as origins`,
    values: [partnerKey, origins],
  });
  return changed?.origins;
}

function insertKey(queryable: Queryable, operatorId: string, secretKey: string): Promise<unknown> {
  return queryable.query({
    text: `insert into operator_api_key (operator_id, key_hash, label) values ($1, $2, 'command line')`,
    values: [operatorId, hashOfSecretKey(secretKey)],
  });
}

/** Why a secret was not changed: there is no such operator, or the settings renew its secrets at every start. */
export type Refusal = 'unknown' | 'of-the-settings';

/**
 * Makes a new secret key; every older one stops working at `until`.
 * @param until undefined: at once, by the database's clock
 */
export function rotateKey(
  database: Database,
  partnerKey: string,
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
    return { secretKey };
  });
}

/**
 * Makes a new secret for web-hooks, which are signed by it from now on; until `until` by the older ones as well.
 * @param until undefined: by the new one alone at once
 */
export function rotateWebhookSecret(
  database: Database,
  partnerKey: string,
  until?: Date,
): Promise<{ webhookSecret: string } | Refusal> {
  const webhookSecret = newWebhookSecret();
  return database.transaction(async (transaction) => {
    const id = await changeable(transaction, partnerKey);
    if (typeof id !== 'object') return id;
    await transaction.query({
      text: `update operator set webhook_old_secrets_until = coalesce($3, now()),
          webhook_secrets = array[$2::text] || case when webhook_old_secrets_until <= now() then webhook_secrets[1:1]
            else webhook_secrets end
        where id = $1`,
      values: [id.operatorId, webhookSecret, until ?? null],
    });
    return { webhookSecret };
  });
}

async function changeable(queryable: Queryable, partnerKey: string): Promise<{ operatorId: string } | Refusal> {
  const [operator] = await queryable.query<{ id: string; is_seeded: boolean }>({
    text: `select id, exists (select from operator_api_key key
          where key.operator_id = operator.id and key.label = 'seed' and key.revoked_at is null) as is_seeded
      from operator where partner_key = $1 for update`,
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
  /** Since when nothing is sent, because every try of a delivery failed. */
  readonly switchedOffSince: Date | null;
  /** Keys that work now. */
  readonly keys: number;
}

/** All of them, by their public names. */
export function listOperators(queryable: Queryable): Promise<OperatorSummary[]> {
  return queryable.query({
    text: `select id, partner_key as "partnerKey", name, allowed_origins as origins, webhook_url as "webhookUrl",
        webhook_disabled_at as "switchedOffSince",
        (select count(*)::int from operator_api_key key
          where key.operator_id = operator.id and (key.revoked_at is null or key.revoked_at > now())) as keys
      from operator order by partner_key`,
  });
}

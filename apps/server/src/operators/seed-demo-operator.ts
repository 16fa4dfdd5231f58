/** Creates the demo operator from the settings, for a fresh clone. Runs at every boot. */
import type { Database, Transaction } from '../database/database.ts';
import { beginWebhooksAnew } from '../outbox/begin-webhooks-anew.ts';
import { seedLabel } from './api-keys.ts';
import { shownAddress } from './manage-operators.ts';
import { hashOfSecretKey } from './secret-key.ts';
import { byStart, recordSettingChange } from './setting-history.ts';

export interface DemoOperator {
  readonly secretKey: string;
  readonly origins: readonly string[];
  readonly webhookUrl: string | undefined;
  readonly webhookSecret: string | undefined;
}

/** Both its partner key and its id. */
export const demoPartnerKey = 'demo';

/** Updates the demo operator to the settings. An earlier demo key stops working. */
export async function seedDemoOperator(database: Database, demo: DemoOperator): Promise<void> {
  const secrets = demo.webhookSecret === undefined ? [] : [demo.webhookSecret];
  const keyHash = hashOfSecretKey(demo.secretKey);
  await database.transaction(async (transaction) => {
    await beginWebhooksAnew(transaction, demoPartnerKey, demo.webhookUrl ?? null);
    const before = await placesOf(transaction);
    await transaction.query({
      text: `insert into operator (id, partner_key, name, allowed_origins, webhook_url, webhook_secrets)
        values ($1, $1, 'Demo operator', $2, $3, $4)
        on conflict (id) do update set allowed_origins = excluded.allowed_origins, webhook_url = excluded.webhook_url,
          webhook_secrets = excluded.webhook_secrets,
          webhook_disabled_at = case when operator.webhook_url is distinct from excluded.webhook_url then null
            else operator.webhook_disabled_at end`,
      values: [demoPartnerKey, demo.origins, demo.webhookUrl ?? null, secrets],
    });
    await transaction.query({
      text: `update operator_api_key set revoked_at = now()
        where operator_id = $1 and label = $3 and key_hash <> $2 and revoked_at is null`,
      values: [demoPartnerKey, keyHash, seedLabel],
    });
    await transaction.query({
      text: `insert into operator_api_key (operator_id, key_hash, label) values ($1, $2, $3)
        on conflict (key_hash) do update set revoked_at = null`,
      values: [demoPartnerKey, keyHash, seedLabel],
    });
    await record(transaction, before, { origins: demo.origins, webhookUrl: shownAddress(demo.webhookUrl) });
  });
}

interface Places {
  readonly origins: readonly string[];
  readonly webhookUrl: string | undefined;
}

async function placesOf(transaction: Transaction): Promise<Places | undefined> {
  const [row] = await transaction.query<{ origins: string[]; webhookUrl: string | null }>({
    text: 'select allowed_origins as origins, webhook_url as "webhookUrl" from operator where id = $1 for no key update',
    values: [demoPartnerKey],
  });
  return row && { origins: row.origins, webhookUrl: shownAddress(row.webhookUrl) };
}

async function record(transaction: Transaction, before: Places | undefined, after: Places): Promise<void> {
  for (const name of ['origins', 'webhookUrl'] as const) {
    const change = { setting: `operator.${name}`, by: byStart, before: before?.[name], after: after[name] };
    await recordSettingChange(transaction, { operatorId: demoPartnerKey, ...change });
  }
}

/** Waiting webhooks of an operator that gets another address. */
import type { Transaction } from '../database/database.ts';

/** After this time another node may send the webhooks of a node that died, in seconds. It is longer than an attempt may take. */
export const WEBHOOK_LEASE_S = 30;

/**
 * Gives waiting webhooks all attempts at another address, at once (SRV-5). Else a webhook that failed nine times at the old address would
 * switch the new one off with its first failure. Call it before the operator is locked, as each attempt locks its webhook before the operator.
 */
export async function beginWebhooksAnew(
  transaction: Transaction,
  operatorId: string,
  webhookUrl: string | null,
): Promise<void> {
  await transaction.query({
    // A webhook whose attempt may run now keeps its lease.
    text: `update webhook_queue set attempts = 0,
        next_at = case when next_at > now() + make_interval(secs => $3) then now() else next_at end
      where operator_id = $1 and attempts > 0
        and (select webhook_url is distinct from $2 from operator where id = $1)`,
    values: [operatorId, webhookUrl, WEBHOOK_LEASE_S],
  });
}

/** Handmade callbacks: of a provider, of a stranger, and of a provider with a fault. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Cluster } from './cluster.ts';

export interface Callback {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The facts of a callback. Amounts as decimal strings. */
export interface Said {
  readonly depositId: string;
  readonly ref: string;
  readonly paid?: string;
  /** The currency of the requested amount. */
  readonly currency?: string;
  /** The currency of the paid amount. Absent: the requested currency. */
  readonly paidCurrency?: string;
  readonly type?: string;
}

export function written(said: Said): string {
  const { depositId, ref, paid = '25.00', currency = 'USD', paidCurrency = currency, type = 'payment.paid' } = said;
  return JSON.stringify({
    id: `evt_${randomBytes(16).toString('hex')}`,
    type,
    created: new Date().toISOString(),
    data: {
      payment: ref,
      merchantReference: depositId,
      amount: { value: '25.00', currency },
      paid: { value: paid, currency: paidCurrency },
    },
  });
}

/** Signed by the Standard Webhooks scheme. @param ageS how old the time stamp is */
export function signed(body: string, secret: string, ageS = 0): Callback {
  const id = (JSON.parse(body) as { id: string }).id;
  const timestamp = String(Math.floor(Date.now() / 1000) - ageS);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
  };
}

/** @returns the status that a node answered */
export async function send(cluster: Cluster, node: number, { body, headers }: Callback): Promise<number> {
  const answer = await fetch(`${cluster.nodes[node]?.url}/providers/sandbox/callbacks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    body,
  });
  return answer.status;
}

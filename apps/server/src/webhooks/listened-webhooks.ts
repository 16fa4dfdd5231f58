/** Webhooks as a listener of the sandbox gets them: read beside the queue, which stays as it is (SRV-5). */
import { type ListenedWebhook, mostListenedWebhooks } from '@opencashier/contract/operator';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { signingSecrets } from '../operators/signing-secrets.ts';
import type { Seal } from '../outbox/sealed-data.ts';
import { NOT_OF_SHAPE } from '../requests/invalid-request.ts';
import { signWebhook } from './send-webhook.ts';
import { bodyOf } from './webhook-deliveries.ts';

/**
 * Where a listener continues. An id has the time at which its transaction began, so a row may appear behind rows with a later id. A
 * listener therefore reads the last seconds again, without the ids that it has seen.
 */
export interface ListenerPlace {
  /** Nothing before this time belongs to the listener. ms since 1970. */
  readonly from: number;
  /** Everything older than {@link LATE_MS} before this time was seen. ms since 1970. */
  readonly at: number;
  /** The newest ids that were seen since then, in order. */
  readonly seen: readonly string[];
}

/** Longer than a transaction may last. ms. */
const LATE_MS = 30_000;
/** Bounds the cursor. With more webhooks in {@link LATE_MS}, a late one may be missed. */
const MOST_SEEN = 500;
const ID_BYTES = 16;

/** The opaque form: two times of 8 bytes, then the ids. */
export function cursorOf({ from, at, seen }: ListenerPlace): string {
  const bytes = Buffer.alloc(2 * 8);
  bytes.writeBigUInt64BE(BigInt(from), 0);
  bytes.writeBigUInt64BE(BigInt(at), 8);
  return Buffer.concat([bytes, ...seen.map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'))]).toString('base64url');
}

/** @throws DomainError invalid-request for a cursor that no answer has named */
export function placeOf(cursor: string): ListenerPlace {
  const bytes = Buffer.from(cursor, 'base64url');
  const ids = (bytes.length - 2 * 8) / ID_BYTES;
  const [from, at] = ids >= 0 ? [Number(bytes.readBigUInt64BE(0)), Number(bytes.readBigUInt64BE(8))] : [0, 0];
  const isOfTime = [from, at].every((ms) => ms > 0 && ms < 8.64e15);
  if (!Number.isInteger(ids) || ids > MOST_SEEN || !isOfTime) {
    const message = 'Give the cursor of an earlier answer, or none.';
    throw new DomainError('invalid-request', NOT_OF_SHAPE, { fields: [{ path: 'cursor', message }] });
  }
  const seen = Array.from({ length: ids }, (_, nth) => uuidAt(bytes, 2 * 8 + nth * ID_BYTES));
  return { from, at, seen };
}

const uuidAt = (bytes: Buffer, start: number): string =>
  bytes.toString('hex', start, start + ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The time in an id of `time_id()`, in ms since 1970. */
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** Begins in the database's time, which is the time of the ids. */
export async function placeSince(database: Database, seconds: number): Promise<ListenerPlace> {
  const [row] = await database.query<{ ms: number }>({
    text: 'select floor(extract(epoch from now() - make_interval(secs => $1)) * 1000)::float8 as ms',
    values: [seconds],
  });
  const from = row?.ms ?? 0;
  return { from, at: from, seen: [] };
}

interface ListenedRow {
  id: string;
  type: string;
  operatorId: string;
  deposit_id: string | null;
  withdrawal_id: string | null;
  created_at: Date;
  body: string;
  is_sealed: boolean;
  sealed: Buffer | null;
}

/** @returns what is new at a place, and the place behind it; undefined if nothing is new */
export async function readListened(
  database: Database,
  operatorId: string,
  place: ListenerPlace,
  { seal, now }: { readonly seal: Seal; readonly now: () => number },
): Promise<{ readonly webhooks: ListenedWebhook[]; readonly next: ListenerPlace } | undefined> {
  const rows = await database.query<ListenedRow>({
    name: 'webhook-listen',
    text: `select delivery.id, delivery.type, delivery.operator_id as "operatorId", delivery.deposit_id, delivery.withdrawal_id,
        delivery.created_at, delivery.body, delivery.useless_at is not null as is_sealed, queued.sealed
      from webhook_delivery delivery left join webhook_queue queued
        on queued.operator_id = delivery.operator_id and queued.delivery_id = delivery.id
      where delivery.operator_id = $1 and delivery.id >= time_id_at(to_timestamp($2::float8 / 1000))
        and delivery.id <> all($3::uuid[]) and ($4::uuid is null or delivery.id >= $4::uuid)
      order by delivery.id limit ${mostListenedWebhooks}`,
    values: [operatorId, Math.max(place.from, place.at - LATE_MS), place.seen, oldestKept(place)],
  });
  if (rows.length === 0) return undefined;
  const secrets = await secretsOf(database, operatorId);
  return { webhooks: rows.map((row) => listenedOf(row, secrets, seal, now())), next: placeBehind(place, rows) };
}

function placeBehind({ from, at, seen }: ListenerPlace, rows: readonly { readonly id: string }[]): ListenerPlace {
  const ids = [...seen, ...rows.map(({ id }) => id)].sort();
  const reached = Math.max(at, ...rows.map(({ id }) => timeOf(id)));
  const inWindow = ids.filter((id) => timeOf(id) >= reached - LATE_MS);
  return { from, at: reached, seen: inWindow.slice(-MOST_SEEN) };
}

/** In a full list, what is older than its first id may have been dropped from it, and must not come again. */
function oldestKept({ seen }: ListenerPlace): string | null {
  return seen.length < MOST_SEEN ? null : (seen[0] ?? null);
}

async function secretsOf(database: Database, operatorId: string): Promise<readonly string[]> {
  const [row] = await database.query<{ secrets: string[] }>({
    text: `select ${signingSecrets} as secrets from operator where id = $1`,
    values: [operatorId],
  });
  return row?.secrets ?? [];
}

function listenedOf(row: ListenedRow, secrets: readonly string[], seal: Seal, now: number): ListenedWebhook {
  const whole = row.is_sealed && row.sealed === null ? undefined : bodyOf(row, seal);
  const body = whole ?? row.body;
  const headers = signWebhook({ id: row.id, secrets, body }, now);
  return {
    id: row.id,
    type: row.type,
    created: row.created_at.toISOString(),
    ...(row.deposit_id !== null && { depositId: row.deposit_id }),
    ...(row.withdrawal_id !== null && { withdrawalId: row.withdrawal_id }),
    body,
    isComplete: whole !== undefined,
    timestamp: Number(headers['webhook-timestamp']),
    // Bytes that were never sent get no signature.
    ...(whole !== undefined && secrets.length > 0 && { signature: headers['webhook-signature'] }),
  };
}

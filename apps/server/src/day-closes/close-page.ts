/** The closes of an operator's days, as the operator API shows them and as they are exported. */
import {
  type DayClosePage,
  type DayCloseQuery,
  type DayCloseView,
  dayTotalsSchema,
  type ListedClose,
  type SignedClose,
} from '@opencashier/contract/operator';
import * as v from 'valibot';
import type { Queryable } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { idAlone, pagedList } from '../requests/page-cursor.ts';
import { keyIdOf } from './signing-keys.ts';

const closeList = pagedList('day-closes', idAlone);

interface ListedRow {
  readonly closeId: string;
  readonly day: string;
  readonly state: DayCloseView['state'];
  readonly proposedBy: string;
  readonly proposed: Date;
  readonly decidedBy: string | null;
  readonly decided: Date | null;
  readonly hash: Buffer | null;
}

export interface CloseRow extends ListedRow {
  readonly totals: string;
  readonly proposedKey: string | null;
  readonly document: string | null;
  readonly signature: Buffer | null;
  readonly publicKey: Buffer | null;
}

const LISTED = `day_close.id as "closeId", day::text, state, proposed_by as "proposedBy", proposed_at as proposed,
  decided_by as "decidedBy", decided_at as decided, hash`;

export async function findClose(
  queryable: Queryable,
  operatorId: string,
  closeId: string,
  lock = '',
): Promise<CloseRow | undefined> {
  const [row] = await queryable.query<CloseRow>({
    text: `select ${LISTED}, totals, proposed_key as "proposedKey", document, signature,
        (select public_key from day_close_key where operator_id = $1 and id = signing_key) as "publicKey"
      from day_close where operator_id = $1 and id = $2 ${lock}`,
    values: [operatorId, closeId],
  });
  return row;
}

export async function closeOf(queryable: Queryable, operatorId: string, closeId: string): Promise<CloseRow> {
  const row = await findClose(queryable, operatorId, closeId);
  if (row === undefined) throw new Error(`There is no close ${closeId}`);
  return row;
}

/** @throws DomainError not-found */
export async function readClose(queryable: Queryable, operatorId: string, closeId: string): Promise<DayCloseView> {
  const row = await findClose(queryable, operatorId, closeId);
  if (row === undefined) throw new DomainError('not-found', 'There is no such close.');
  return viewOf(row);
}

/** The newest proposal first, which is the newest day. */
export async function closePage(
  queryable: Queryable,
  operatorId: string,
  { state, limit, cursor }: DayCloseQuery,
): Promise<DayClosePage> {
  const after = closeList.placeOf(cursor);
  const rows = await queryable.query<ListedRow>({
    text: `select ${LISTED} from day_close where operator_id = $1 and ($2::text is null or state = $2)
        and ($3::uuid is null or id < $3)
      order by id desc limit $4`,
    values: [operatorId, state ?? null, after?.id ?? null, limit + 1],
  });
  const { page, next } = closeList.pageOf(rows, limit, ({ closeId }) => ({ id: closeId }));
  return { closes: page.map(listedOf), ...next };
}

/** The closed days in their order, a page at a time, so that an export of many years needs no memory. */
export async function* closedDays(
  queryable: Queryable,
  operatorId: string,
): AsyncGenerator<SignedClose & { readonly day: string }> {
  const atOnce = 50;
  let after = '0001-01-01';
  for (;;) {
    const rows = await queryable.query<{ day: string; document: string; signature: Buffer; publicKey: Buffer }>({
      text: `select day::text, document, signature, public_key as "publicKey" from day_close
        join day_close_key key on key.operator_id = $1 and key.id = signing_key
        where day_close.operator_id = $1 and state = 'closed' and day > $2::date order by day limit $3`,
      values: [operatorId, after, atOnce],
    });
    for (const { day, document, signature, publicKey } of rows) {
      yield { day, document, signature: signature.toString('base64'), keyId: keyIdOf(publicKey) };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.day;
  }
}

function listedOf({ proposed, decidedBy, decided, hash, closeId, day, state, proposedBy }: ListedRow): ListedClose {
  return {
    closeId,
    day,
    state,
    proposedBy,
    proposed: proposed.toISOString(),
    ...(decidedBy !== null && { decidedBy }),
    ...(decided !== null && { decided: decided.toISOString() }),
    ...(hash !== null && { hash: hash.toString('hex') }),
  };
}

export function viewOf(row: CloseRow): DayCloseView {
  const { document, signature, publicKey } = row;
  return {
    ...listedOf(row),
    totals: v.parse(dayTotalsSchema, JSON.parse(row.totals)),
    ...(document !== null &&
      signature !== null &&
      publicKey !== null && {
        signed: { document, signature: signature.toString('base64'), keyId: keyIdOf(publicKey) },
      }),
  };
}

/** The messages of banks, and the steps that are set aside or dismissed, as the operator API shows them. */
import type {
  BankMessagePage,
  BankMessageQuery,
  DismissedStepPage,
  DismissedStepQuery,
  SetAsideStepPage,
  SetAsideStepQuery,
} from '@opencashier/contract/operator';
import type { Queryable } from '../database/database.ts';
import { idAlone, pagedList, placeAlone } from '../requests/page-cursor.ts';

const messageList = pagedList('bank-messages', idAlone);
const setAsideList = pagedList('set-aside-steps', idAlone);
const dismissedList = pagedList('dismissed-steps', placeAlone);

/** Transfers of the message $2 of the operator $1 that wait for a step, have a step that is set aside, or only dismissed ones. */
const COUNTS = `(select count(distinct withdrawal_id)::int from bank_message_step
    where operator_id = $1 and message_id = $2) as "left",
  (select count(distinct withdrawal_id)::int from bank_step_set_aside
    where operator_id = $1 and message_id = $2 and ended_at is null) as "setAside",
  (select count(distinct withdrawal_id)::int from bank_step_set_aside dismissed
    where operator_id = $1 and message_id = $2 and outcome = 'dismissed' and not exists (select 1 from bank_step_set_aside aside
      where aside.operator_id = $1 and aside.message_id = $2 and aside.withdrawal_id = dismissed.withdrawal_id and aside.ended_at is null)
  ) as dismissed`;

interface Counts {
  readonly left: number;
  readonly setAside: number;
  readonly dismissed: number;
}

/** How many transfers of a message are not changed, and why. */
export async function progressOf(queryable: Queryable, operatorId: string, messageId: string): Promise<Counts> {
  const [row] = await queryable.query<Counts>({ text: `select ${COUNTS}`, values: [operatorId, messageId] });
  return { left: row?.left ?? 0, setAside: row?.setAside ?? 0, dismissed: row?.dismissed ?? 0 };
}

type Entry = BankMessagePage['messages'][number];

interface MessageRow extends Counts, Pick<Entry, 'messageId' | 'kind' | 'name' | 'found' | 'changed' | 'problemCount'> {
  readonly by: string;
  readonly at: Date;
}

/** The newest first. Ended messages cost three index searches each, and a message that is being read the count of what is left of it. */
export async function messagePage(
  queryable: Queryable,
  operatorId: string,
  { limit, cursor }: BankMessageQuery,
): Promise<BankMessagePage> {
  const after = messageList.placeOf(cursor);
  const rows = await queryable.query<MessageRow>({
    text: `select id as "messageId", kind, name, found, changed, problems as "problemCount", by, at, ${COUNTS.replaceAll('$2', 'message.id')}
      from bank_message message where operator_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    values: [operatorId, after?.id ?? null, limit + 1],
  });
  const { page, next } = messageList.pageOf(rows, limit, ({ messageId }) => ({ id: messageId }));
  return { messages: page.map(entryOf), ...next };
}

function entryOf({ left, setAside, dismissed, by, at, ...row }: MessageRow): Entry {
  const state = left > 0 ? 'reading' : setAside > 0 ? 'set-aside' : 'applied';
  const applied = row.changed - left - setAside - dismissed;
  return { ...row, state, applied, setAside, dismissed, staff: by, imported: at.toISOString() };
}

interface SetAsideRow {
  readonly withdrawalId: string;
  readonly messageId: string;
  readonly step: number;
  readonly to: SetAsideStepPage['steps'][number]['to'];
  readonly cause: string;
  readonly at: Date;
  /** The last time that staff brought it back. */
  readonly back: {
    readonly staff: string;
    readonly at: number;
    readonly reason: string;
    readonly dismissedBy: string;
    readonly dismissed: number;
    readonly dismissalReason: string;
  } | null;
}

/** Steps that nobody has ended. All steps of a transfer are on one page, which may be longer by them. */
export async function setAsidePage(
  queryable: Queryable,
  operatorId: string,
  { limit, cursor }: SetAsideStepQuery,
): Promise<SetAsideStepPage> {
  const after = setAsideList.placeOf(cursor);
  const transfers = await queryable.query<{ id: string }>({
    text: `select distinct withdrawal_id as id from bank_step_set_aside where operator_id = $1 and ended_at is null
      and ($2::uuid is null or withdrawal_id > $2) order by withdrawal_id limit $3`,
    values: [operatorId, after?.id ?? null, limit + 1],
  });
  const { page, next } = setAsideList.pageOf(transfers, limit, ({ id }) => ({ id }));
  const rows = await queryable.query<SetAsideRow>({
    text: `select withdrawal_id as "withdrawalId", message_id as "messageId", n as step, state as "to", cause, set_aside_at as at,
        (select json_build_object('staff', by, 'at', extract(epoch from at)::float8, 'reason', note, 'dismissedBy', dismissed_by,
          'dismissed', extract(epoch from dismissed_at)::float8, 'dismissalReason', dismissed_note)
        from bank_step_brought_back back where back.operator_id = $1 and back.message_id = step.message_id and back.n = step.n
        order by dismissed_at desc limit 1) as back
      from bank_step_set_aside step where operator_id = $1 and withdrawal_id = any($2::uuid[]) and ended_at is null
      order by withdrawal_id, place`,
    values: [operatorId, page.map(({ id }) => id)],
  });
  const steps = rows.map(({ at, back, ...row }) => ({
    ...row,
    setAside: at.toISOString(),
    ...(back !== null && {
      broughtBack: { ...back, at: instant(back.at), dismissed: instant(back.dismissed) },
    }),
  }));
  return { steps, ...next };
}

const instant = (epochS: number): string => new Date(epochS * 1000).toISOString();

interface DismissedRow extends Omit<DismissedStepPage['steps'][number], 'setAside' | 'dismissed'> {
  readonly place: bigint;
  readonly setAsideAt: Date;
  readonly endedAt: Date;
}

/** Steps that staff have dismissed. The one that was set aside last comes first. */
export async function dismissedPage(
  queryable: Queryable,
  operatorId: string,
  { limit, cursor }: DismissedStepQuery,
): Promise<DismissedStepPage> {
  const after = dismissedList.placeOf(cursor);
  const rows = await queryable.query<DismissedRow>({
    text: `select place, withdrawal_id as "withdrawalId", message_id as "messageId", n as step, state as "to", cause,
        set_aside_at as "setAsideAt", ended_at as "endedAt", ended_by as staff, note as reason
      from bank_step_set_aside where operator_id = $1 and outcome = 'dismissed' and ($2::bigint is null or place < $2)
      order by place desc limit $3`,
    values: [operatorId, after?.place ?? null, limit + 1],
  });
  const { page, next } = dismissedList.pageOf(rows, limit, ({ place }) => ({ place: place.toString() }));
  const steps = page.map(({ place: _, setAsideAt, endedAt, ...row }) => ({
    ...row,
    setAside: setAsideAt.toISOString(),
    dismissed: endedAt.toISOString(),
  }));
  return { steps, ...next };
}

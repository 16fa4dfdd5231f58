/**
 * Closes the days of an operator, one after the other: one person proposes the totals of a day, and another confirms them, which signs
 * them (SRV-1, SRV-2). What comes later is in the close of a later day.
 */
import {
  type CloseDocument,
  type DayCloseView,
  type DayTotals,
  type DecideClose,
  dayTotalsSchema,
  type ProposeClose,
} from '@opencashier/contract/operator';
import { closeFaults } from '@opencashier/core/reconciliation/close-day';
import { dayAfter } from '@opencashier/core/reconciliation/line';
import * as v from 'valibot';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { DataKeys } from '../sealing/data-keys.ts';
import { lockBooks } from '../settlements/lock-books.ts';
import { refuseSamePerson } from '../settlements/second-person.ts';
import { type CloseRow, closeOf, findClose, viewOf } from './close-page.ts';
import { totalsOf } from './day-totals.ts';
import { signerOf } from './signing-keys.ts';

/** A transaction that began before midnight may commit shortly after it. */
const MINUTES_AFTER_MIDNIGHT = 5;

interface Moment {
  readonly partnerKey: string;
  readonly asOf: string;
  readonly isOver: boolean;
  readonly lastDay: string | null;
  readonly lastDocument: string | null;
  readonly lastHash: Buffer | null;
  readonly lastAsOf: string | null;
}

/**
 * Computes the totals of a day. A repeat by the same person gets the close that waits.
 * @throws DomainError state-conflict
 */
export function proposeClose(
  database: Database,
  operatorId: string,
  { day, decidedBy }: ProposeClose,
  keyId?: string,
): Promise<DayCloseView> {
  return database.transaction(async (transaction) => {
    // Files are compared one after the other under the same lock, so each is either in this close or in the next one.
    await lockBooks(transaction, { operatorId });
    const waiting = await findWaiting(transaction, operatorId);
    if (waiting !== undefined) {
      if (waiting.day === day && waiting.proposedBy === decidedBy) return viewOf(waiting);
      throw new DomainError('state-conflict', `The close of ${waiting.day} waits for a second person.`, {
        params: { state: waiting.state, closeId: waiting.closeId },
      });
    }
    const moment = await readMoment(transaction, operatorId, day);
    refuseDay(day, moment);
    const before = beforeOf(moment);
    const totals = await totalsOf(transaction, {
      operatorId,
      partnerKey: moment.partnerKey,
      day,
      asOf: moment.asOf,
      before,
    });
    const faults = closeFaults(totals, before?.totals);
    if (faults.length > 0) {
      throw new DomainError('state-conflict', `The totals of ${day} are not sound: ${faults.slice(0, 5).join('; ')}.`);
    }
    const [made] = await transaction.query<{ id: string }>({
      text: `insert into day_close (operator_id, day, as_of, previous, totals, proposed_by, proposed_key)
        values ($1, $2, $3, $4, $5, $6, $7) returning id`,
      values: [operatorId, day, moment.asOf, moment.lastHash, JSON.stringify(totals), decidedBy, keyId ?? null],
    });
    return viewOf(await closeOf(transaction, operatorId, made?.id ?? ''));
  });
}

async function findWaiting(queryable: Queryable, operatorId: string): Promise<CloseRow | undefined> {
  const [found] = await queryable.query<{ id: string }>({
    text: `select id from day_close where operator_id = $1 and state = 'proposed'`,
    values: [operatorId],
  });
  return found && closeOf(queryable, operatorId, found.id);
}

async function readMoment(transaction: Transaction, operatorId: string, day: string): Promise<Moment> {
  const [moment] = await transaction.query<Moment>({
    text: `select operator.partner_key as "partnerKey", clock_timestamp()::text as "asOf",
        ($2::date + 1)::timestamp at time zone 'UTC' <= now() - $3::int * interval '1 minute' as "isOver",
        last.day::text as "lastDay", last.document as "lastDocument", last.hash as "lastHash", last.as_of::text as "lastAsOf"
      from operator left join lateral (select day, document, hash, as_of from day_close
        where operator_id = $1 and state = 'closed' order by day desc limit 1) last on true
      where operator.id = $1`,
    values: [operatorId, day, MINUTES_AFTER_MIDNIGHT],
  });
  if (moment === undefined) throw new Error(`There is no operator ${operatorId}`);
  return moment;
}

/** @throws DomainError state-conflict */
function refuseDay(day: string, { isOver, lastDay }: Moment): void {
  if (!isOver) {
    throw new DomainError(
      'state-conflict',
      `A day can be closed ${MINUTES_AFTER_MIDNIGHT} minutes after its end in UTC.`,
    );
  }
  if (lastDay === null) return;
  if (day <= lastDay)
    throw new DomainError('state-conflict', `The days up to ${lastDay} are closed.`, { params: { day: lastDay } });
  const next = dayAfter(lastDay, 1);
  if (day !== next) throw new DomainError('state-conflict', `Close ${next} first.`, { params: { day: next } });
}

function beforeOf({ lastDocument, lastHash, lastAsOf }: Moment) {
  if (lastDocument === null || lastHash === null || lastAsOf === null) return undefined;
  const { closeId: _id, proposedBy: _by, confirmedBy: _other, confirmed: _at, ...totals } = JSON.parse(lastDocument);
  return { totals: v.parse(dayTotalsSchema, totals), hash: lastHash.toString('hex'), asOf: lastAsOf };
}

/**
 * Confirms a close, which signs it, or rejects it. A repeat by the same person gets the same answer.
 * @throws DomainError not-found or state-conflict
 */
export function decideClose(
  { database, dataKeys }: { readonly database: Database; readonly dataKeys: DataKeys },
  operatorId: string,
  closeId: string,
  { decision, decidedBy, reason }: DecideClose,
  keyId?: string,
): Promise<DayCloseView> {
  const state = decision === 'confirm' ? 'closed' : 'rejected';
  return database.transaction(async (transaction) => {
    const close = await findClose(transaction, operatorId, closeId, 'for no key update');
    if (close === undefined) throw new DomainError('not-found', 'There is no such close.');
    if (close.state !== 'proposed') {
      if (close.state === state && close.decidedBy === decidedBy) return viewOf(close);
      throw new DomainError('state-conflict', 'The close was decided before.', { params: { state: close.state } });
    }
    if (state === 'rejected') {
      await transaction.query({
        text: `update day_close set state = 'rejected', decided_by = $3, decided_key = $4, decided_at = now(), reason = $5
          where operator_id = $1 and id = $2`,
        values: [operatorId, closeId, decidedBy, keyId ?? null, reason ?? null],
      });
      return viewOf(await closeOf(transaction, operatorId, closeId));
    }
    await refuseSamePerson(transaction, operatorId, { ...close, what: 'the close' }, decidedBy, keyId);
    await signClose(transaction, dataKeys, operatorId, { close, decidedBy, keyId });
    return viewOf(await closeOf(transaction, operatorId, closeId));
  });
}

async function signClose(
  transaction: Transaction,
  dataKeys: DataKeys,
  operatorId: string,
  {
    close,
    decidedBy,
    keyId,
  }: { readonly close: CloseRow; readonly decidedBy: string; readonly keyId: string | undefined },
): Promise<void> {
  const [moment] = await transaction.query<{ now: Date }>({ text: 'select now() as now' });
  const document: CloseDocument = {
    ...(JSON.parse(close.totals) as DayTotals),
    closeId: close.closeId,
    proposedBy: close.proposedBy,
    confirmedBy: decidedBy,
    confirmed: (moment?.now ?? new Date(0)).toISOString(),
  };
  const text = JSON.stringify(document);
  const signer = await signerOf(transaction, dataKeys, operatorId);
  await transaction.query({
    text: `update day_close set state = 'closed', decided_by = $3, decided_key = $4, decided_at = now(), document = $5::text,
        hash = sha256(convert_to($5::text, 'UTF8')), signature = $6, signing_key = $7
      where operator_id = $1 and id = $2`,
    values: [operatorId, close.closeId, decidedBy, keyId ?? null, text, signer.sign(text), signer.id],
  });
}

/**
 * The list of a company that a package reads (SRV-1, SRV-2). A call that is lost, is refused a place or answers without sense makes the
 * list unknown: it never says that a payment is missing.
 */

import { dayAfter } from '@opencashier/core/reconciliation/line';
import { fromDecimalText, type ListAnswer, type ListedTransaction } from '@opencashier/provider-kit';
import type { ListAsked, ListedMovement, ListPage, OpenedAccount } from '../providers/connection-kind.ts';
import { answersOf, MalformedAnswer } from './answers.ts';
import { withoutSecrets } from './child-output.ts';
import { keptPlace, placeOf } from './list-place.ts';
import { LostCall, NotSent, type ProviderProcess } from './provider-process.ts';

/** The time limit of `Provider.list`. ms. */
const LIST_MS = 15_000;
/** Of the words of a package. */
const MOST_WORDS = 200;

/** Reads a page in the process of the package. It takes a place of the operator's share of calls. Never throws. */
export async function packagedList(
  name: string,
  child: Pick<ProviderProcess, 'call'>,
  { operatorId, connectionId, secrets, options }: OpenedAccount,
  { from, to, cursor }: ListAsked,
): Promise<ListPage> {
  try {
    const place = placeOf(cursor);
    const asked = { from: midnight(from), to: midnight(dayAfter(to, 1)), cursor: place.cursor };
    const value = await child.call('list', asked, {
      withinMs: LIST_MS,
      account: { secrets, settings: options },
      caller: { operatorId, connectionId },
    });
    const answer = answersOf(name).list(value, asked);
    if (answer.kind === 'refused') return { kind: 'refused', why: `${name} refuses: ${answer.code}` };
    return pageOf(answer, answer.next === undefined ? undefined : keptPlace(place, answer.next));
  } catch (error) {
    return { kind: 'unknown', why: withoutSecrets(wordsOf(name, error), Object.values(secrets), MOST_WORDS) };
  }
}

/** By the message of `NotSent`. */
const NOT_SENT: Readonly<Record<string, string>> = {
  busy: 'has too many calls in progress',
  quarantined: 'takes no calls of this account for a while, because it crashed with them',
};

function wordsOf(name: string, error: unknown): string {
  if (error instanceof NotSent) return `the process of ${name} ${NOT_SENT[error.message] ?? 'is down'}`;
  if (error instanceof LostCall) {
    return error.message === 'timeout' ? `no answer of ${name} in ${LIST_MS / 1_000} seconds` : error.message;
  }
  if (error instanceof MalformedAnswer) return `${name}: ${error.message}`;
  return `${name}: ${error instanceof Error ? error.message : 'no answer'}`;
}

function pageOf({ transactions }: Extract<ListAnswer, { kind: 'page' }>, next: string | undefined): ListPage {
  return { kind: 'page', movements: transactions.map(movementOf), ...(next !== undefined && { next }) };
}

function movementOf({ amount, fee = '0', at, ...rest }: ListedTransaction): ListedMovement {
  return {
    ...rest,
    amountMinor: fromDecimalText(amount, rest.currency),
    feeMinor: fromDecimalText(fee, rest.currency),
    day: new Date(at).toISOString().slice(0, 10),
  };
}

function midnight(day: string): string {
  return `${day}T00:00:00.000Z`;
}

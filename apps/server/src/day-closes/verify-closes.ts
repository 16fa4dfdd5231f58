/** Verifies closed days: their signatures, their chain and their sums; offline from an export, or against the ledger (SRV-2). */
import { createHash } from 'node:crypto';
import {
  type CloseDocument,
  closeDocumentSchema,
  closeKeySchema,
  type SignedClose,
  signedCloseSchema,
} from '@opencashier/contract/operator';
import { changedSince, closeFaults } from '@opencashier/core/reconciliation/close-day';
import * as v from 'valibot';
import type { Database, Queryable } from '../database/database.ts';
import { closedDays } from './close-page.ts';
import { movedOn } from './day-totals.ts';
import { isSignedBy, listSigningKeys, readPublicKey } from './signing-keys.ts';

export const EXPORT_FORMAT = 'opencashier-day-closes/1';

export const exportHeadSchema = v.object({
  format: v.literal(EXPORT_FORMAT),
  operator: v.string(),
  keys: v.pipe(v.array(v.pick(closeKeySchema, ['keyId', 'publicKey'])), v.maxLength(1_000)),
});
export type ExportHead = v.InferOutput<typeof exportHeadSchema>;

/** The last line. Without it the file was cut off. */
const exportTailSchema = v.strictObject({ days: v.pipe(v.number(), v.safeInteger()) });
export type ExportTail = v.InferOutput<typeof exportTailSchema>;

export interface Verified {
  readonly days: number;
  readonly first: string | undefined;
  readonly last: string | undefined;
  /** SHA-256 of the last document. */
  readonly hash: string | undefined;
  /** The first faults, in sentences. Empty: everything agrees. */
  readonly faults: readonly string[];
  /** What came after the last close, and is in the next one. */
  readonly notes: readonly string[];
}

/** After so many faults nobody reads on. */
const MOST_FAULTS = 20;

interface Chain {
  /** Takes the next day. @returns its document, or undefined if it cannot be read */
  take(close: SignedClose): CloseDocument | undefined;
  fault(words: string): void;
  note(words: string): void;
  isFull(): boolean;
  end(): Verified;
}

/** @param trusted PEM of the public keys that the reader trusts */
function verifyChain(operator: string, trusted: readonly string[]): Chain {
  const keys = new Map(trusted.map(readPublicKey).map(({ keyId, key }) => [keyId, key]));
  const faults: string[] = [];
  const notes: string[] = [];
  let days = 0;
  let first: string | undefined;
  let before: CloseDocument | undefined;
  let hash: string | undefined;
  return {
    take({ document: text, signature, keyId }) {
      days += 1;
      const read = documentOf(text);
      const name = read?.day ?? `close ${days}`;
      const say = (words: string): void => {
        faults.push(`${name}: ${words}.`);
      };
      const key = keys.get(keyId);
      if (key === undefined) say(`it is signed by the key ${keyId}, which is not trusted`);
      else if (!isSignedBy(key, text, signature)) say('the signature is wrong');
      if (read === undefined) {
        say('the document is no close of a day');
        return undefined;
      }
      if (read.operator !== operator) say(`it is of the operator ${read.operator}`);
      if (days > 1 && read.previous !== hash) say('it does not have the hash of the day before');
      if (days === 1 && read.previous !== undefined) say('days before it are missing');
      for (const fault of closeFaults(read, before)) say(fault);
      first ??= read.day;
      before = read;
      hash = createHash('sha256').update(text).digest('hex');
      return read;
    },
    fault: (words) => faults.push(words),
    note: (words) => notes.push(words),
    isFull: () => faults.length >= MOST_FAULTS,
    end: () => ({ days, first, last: before?.day, hash, faults: faults.slice(0, MOST_FAULTS), notes }),
  };
}

function documentOf(text: string): CloseDocument | undefined {
  const read = v.safeParse(closeDocumentSchema, jsonOf(text));
  return read.success ? read.output : undefined;
}

/** Undefined for a text that is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Verifies an exported file without a database.
 * @param trusted ids or PEM of the keys that the reader keeps; the keys in the file alone prove nothing
 */
export async function verifyExport(lines: AsyncIterable<string>, trusted: readonly string[]): Promise<Verified> {
  let chain: Chain | undefined;
  let n = 0;
  let isWhole = false;
  for await (const line of lines) {
    n += 1;
    if (chain === undefined) {
      const head = v.safeParse(exportHeadSchema, jsonOf(line));
      if (!head.success) return refused('Line 1 is not the head of an export of closed days.');
      const isTrusted = ({ keyId, publicKey }: ExportHead['keys'][number]): boolean =>
        trusted.some((one) => one === keyId || one.trim() === publicKey.trim());
      const wrong = head.output.keys.find(({ keyId, publicKey }) => idOf(publicKey) !== keyId);
      if (wrong !== undefined) return refused(`Line 1 has the id ${wrong.keyId} with another key.`);
      chain = verifyChain(
        head.output.operator,
        head.output.keys.filter(isTrusted).map(({ publicKey }) => publicKey),
      );
      continue;
    }
    const tail = v.safeParse(exportTailSchema, jsonOf(line));
    if (tail.success) {
      isWhole = true;
      if (tail.output.days !== n - 2) chain.fault(`The file has ${n - 2} closed days, but says ${tail.output.days}.`);
      break;
    }
    const close = v.safeParse(signedCloseSchema, jsonOf(line));
    if (!close.success) chain.fault(`Line ${n} is no closed day.`);
    else chain.take(close.output);
    if (chain.isFull()) break;
  }
  if (chain === undefined) return refused('The file is empty.');
  if (!isWhole && !chain.isFull()) chain.fault('The file was cut off: its last line is missing.');
  return chain.end();
}

function refused(fault: string): Verified {
  return { days: 0, first: undefined, last: undefined, hash: undefined, faults: [fault], notes: [] };
}

/** Undefined for a text that is no public key. */
function idOf(pem: string): string | undefined {
  try {
    return readPublicKey(pem).keyId;
  } catch {
    // The caller says which key it is.
    return undefined;
  }
}

/** Verifies the closed days of the database, and that the ledger still has what they closed. */
export async function verifyCloses(
  database: Database,
  { operatorId, partnerKey }: { readonly operatorId: string; readonly partnerKey: string },
): Promise<Verified> {
  const keys = await listSigningKeys(database, operatorId);
  const chain = verifyChain(
    partnerKey,
    keys.map(({ publicKey }) => publicKey),
  );
  const archivedUntil = await archivedDay(database, operatorId);
  let before: CloseDocument | undefined;
  for await (const close of closedDays(database, operatorId)) {
    const document = chain.take(close);
    if (before !== undefined && document !== undefined)
      await compare(database, operatorId, { chain, archivedUntil, totals: before, next: document });
    before = document;
    if (chain.isFull()) return chain.end();
  }
  if (before !== undefined) await compare(database, operatorId, { chain, archivedUntil, totals: before });
  return chain.end();
}

/**
 * Compares a day with the ledger. Days of archived months are in their files alone. A month may leave between two days: a lock for all days
 * would keep the archive out for as long as it takes to read years of them.
 */
async function compare(
  database: Database,
  operatorId: string,
  {
    chain,
    archivedUntil,
    totals,
    next,
  }: {
    readonly chain: Chain;
    readonly archivedUntil: string;
    readonly totals: CloseDocument;
    readonly next?: CloseDocument;
  },
): Promise<void> {
  if (totals.day < archivedUntil) return;
  const now = await database.transaction((transaction) => movedOn(transaction, operatorId, totals.day));
  const changed = changedSince(totals, now, next);
  if (changed.length === 0) return;
  // The postings leave and the month is marked in one transaction, so who missed the postings sees the mark now.
  if (totals.day < (await archivedDay(database, operatorId))) return;
  const words = changed.slice(0, 5).join('; ');
  if (next === undefined) chain.note(`${totals.day}: booked after its close, for the next one: ${words}.`);
  else chain.fault(`${totals.day}: the ledger differs from what was closed: ${words}.`);
}

/** The first day whose postings are in the database. */
async function archivedDay(queryable: Queryable, operatorId: string): Promise<string> {
  const [row] = await queryable.query<{ day: string | null }>({
    text: `select (max(until) at time zone 'UTC')::date::text as day from archived_month where operator_id = $1`,
    values: [operatorId],
  });
  return row?.day ?? '0001-01-01';
}

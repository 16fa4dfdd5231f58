/**
 * Where the list of a package goes on: the package's cursor, the pages before it, and a mark. By the mark, cursors that go round in a
 * circle are found (Brent's algorithm). So neither the number of pages nor a circle needs memory beyond the cursor in the database.
 */
import { createHash } from 'node:crypto';

/** The most pages of a list. More are no list of 31 days. */
export const MOST_LIST_PAGES = 10_000;

export interface ListPlace {
  /** The pages that were read. */
  readonly pages: number;
  /** The hash of an earlier cursor. `-`: none yet. */
  readonly mark: string;
  /** Absent: the first page. */
  readonly cursor: string | undefined;
}

const KEPT = /^(\d{1,6}) ([\w-]{1,22}) (.+)$/su;

/** @param kept what {@link keptPlace} wrote; absent: the beginning @throws Error for another text */
export function placeOf(kept: string | undefined): ListPlace {
  if (kept === undefined) return { pages: 0, mark: '-', cursor: undefined };
  const [, pages, mark, cursor] = KEPT.exec(kept) ?? [];
  if (pages === undefined || mark === undefined) throw new Error('The place of the list cannot be read');
  return { pages: Number(pages), mark, cursor };
}

/**
 * @param next the package's cursor behind the page at this place
 * @throws Error when the pages go round in a circle, or are too many
 */
export function keptPlace({ pages: before, mark }: ListPlace, next: string): string {
  const pages = before + 1;
  if (pages >= MOST_LIST_PAGES) throw new Error(`its list has more than ${MOST_LIST_PAGES} pages. Ask for fewer days`);
  const hash = createHash('sha256').update(next).digest('base64url').slice(0, 22);
  if (hash === mark) throw new Error('its cursors repeat, so its pages do not end');
  const isPowerOfTwo = (pages & (pages - 1)) === 0;
  return `${pages} ${isPowerOfTwo ? hash : mark} ${next}`;
}

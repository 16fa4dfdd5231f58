/** How many rows of each kind a ledger of so many postings has, and how much of the disk they take. */

/**
 * Bytes of the database for one posting, with its share of all other rows and their indexes. A measured number that is rounded
 * up. The benchmark prints the number of each run.
 */
export const bytesPerPosting = 900;
/** The write-ahead log, sorting and old rows need space too. */
const spare = 1.6;

/**
 * @typedef {{ postings: number, deposits: number, users: number, operators: number, months: number }} Size
 * @param {number} postings @param {number} [months] over which the rows spread @returns {Size}
 */
export function sizeOf(postings, months = 24) {
  if (!Number.isSafeInteger(postings) || postings < 1000)
    throw new Error(`BENCH_ROWS needs whole numbers of at least 1000, not ${postings}`);
  const share = (part) => Math.max(1, Math.round(postings / part));
  return { postings, deposits: share(10), users: share(100), operators: share(100_000), months };
}

/** @param {number} postings */
export const bytesNeeded = (postings) => postings * bytesPerPosting * spare;

/**
 * The sizes to measure: those of BENCH_ROWS, or else 100,000, a million and ten million as far as the disk has space.
 * @param {string | undefined} asked such as `100000,1000000` @param {number} freeBytes
 * @throws Error when a size that was asked for does not fit
 */
export function sizesFor(asked, freeBytes) {
  const postings = (asked ?? '100000,1000000,10000000').split(',').map((one) => sizeOf(Number(one)).postings);
  let needed = 0;
  const fitting = postings.filter((one) => {
    needed += bytesNeeded(one);
    return needed <= freeBytes;
  });
  if (fitting.length === postings.length || (asked === undefined && fitting.length > 0)) return fitting;
  throw new Error(
    `The databases of ${postings.join(', ')} postings need about ${gigabytes(needed)} GB, but the disk has ${gigabytes(freeBytes)} GB. ` +
      'Set BENCH_ROWS to fewer postings, or TMPDIR to a folder on a larger disk.',
  );
}

/** @param {number} bytes */
export const gigabytes = (bytes) => (bytes / 1e9).toFixed(1);

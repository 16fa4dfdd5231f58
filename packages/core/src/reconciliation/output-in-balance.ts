/** What a payment on a chain is to the balance of its address, by the last report about it (SRV-1, CRY-2). */

/**
 * The last report about a payment. `new`: none. `seen`: it waits for its confirmations. `paid`: it was credited. `gone`: it vanished before
 * its credit. `taken-back`: a fork removed it after its credit.
 */
export type OutputReport = 'new' | 'seen' | 'gone' | 'paid' | 'taken-back';

/**
 * - `arrives`: its coins may be there, and the ledger has not booked them.
 * - `credited`: its coins are there, and the ledger has booked them.
 * - `none`: the books count no coins of it, so coins that are there are a difference.
 */
export type OutputInBalance = 'arrives' | 'credited' | 'none';

/** A new report does not compile until somebody has said here what its coins are. */
const BY_REPORT: Readonly<Record<OutputReport, OutputInBalance>> = {
  new: 'arrives',
  seen: 'arrives',
  paid: 'credited',
  gone: 'none',
  'taken-back': 'none',
};

/** Every report that there is. */
export const OUTPUT_REPORTS = Object.keys(BY_REPORT) as OutputReport[];

/** The reports whose coins are this to a balance, for sums over many payments. */
export function reportsThatAre(meant: OutputInBalance): OutputReport[] {
  return OUTPUT_REPORTS.filter((report) => BY_REPORT[report] === meant);
}

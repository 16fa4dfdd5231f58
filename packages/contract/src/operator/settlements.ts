/** Settlement files of providers and statements of banks: how to read them, what was imported, and what does not match (SRV-1, SRV-2). */
import * as v from 'valibot';
import { currencySchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  reasonSchema,
  shownCurrencySchema,
  shownProviderSchema,
  shownStaffSchema,
  signedDecimalSchema,
  staffSchema,
  utcDaySchema,
} from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';

/** The name of a provider, or your own name for a bank account. @example "stripe" */
const sourceNameSchema = v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,40}$/, 'a name such as stripe'));
/** Your name of the mapping. @example "payouts" */
const mappingNameSchema = v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,40}$/, 'a name such as payouts'));

/** The kinds of lines. `settlement`: the provider pays out to your bank. `fee`: a fee of its own. `ignore`: the line is not read. */
const kindSchema = v.picklist(['payment', 'refund', 'chargeback', 'payout', 'return', 'settlement', 'fee', 'ignore']);

/** The heading of a column. @example "Amount" */
const columnSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(100));

const daysSchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60));

const commonEntries = {
  /** Days that the provider may take until a payment is in its file. An older payment without a line is missing there. @example 3 */
  settlesWithinDays: v.optional(daysSchema, 3),
  /** Days by which the day of a line and the day of its payment may differ. @example 3 */
  daysApart: v.optional(daysSchema, 3),
};

/** How a CSV file of a provider is written. */
export const csvMappingSchema = v.strictObject({
  /** The form of the file. */
  format: v.literal('csv'),
  /** The characters of the file. */
  encoding: v.optional(v.picklist(['utf-8', 'utf-16le', 'windows-1252', 'iso-8859-1']), 'utf-8'),
  /** The character between two columns. @example ";" */
  delimiter: v.optional(v.picklist([',', ';', '|', 'tab']), ','),
  /** Lines above the line with the headings. @example 0 */
  linesAbove: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)), 0),
  /** Whether the last line has a line break. A file without it is refused, because it may have been cut off. */
  endsWithLineBreak: v.optional(v.boolean(), true),
  /** The headings of the columns. */
  columns: v.strictObject({
    /** The provider's reference of the payment. */
    reference: v.optional(columnSchema),
    /** Our id of the payment. */
    ownId: v.optional(columnSchema),
    /** The amount before the fee. */
    amount: columnSchema,
    /** What the provider keeps. Absent: the file has no fees. */
    fee: v.optional(columnSchema),
    /** Absent: `currency` names the currency of all lines. */
    currency: v.optional(columnSchema),
    date: columnSchema,
    /** Absent: `kind` names the kind of all lines. */
    kind: v.optional(columnSchema),
    payee: v.optional(columnSchema),
    /** The provider's id of the sum that it pays to your bank. */
    batch: v.optional(columnSchema),
  }),
  /** The currency of all lines. */
  currency: v.optional(currencySchema),
  /** The kind of all lines. */
  kind: v.optional(kindSchema),
  /** The file's words for kinds. A word that is not listed refuses the file. */
  kinds: v.optional(v.record(v.pipe(v.string(), v.minLength(1), v.maxLength(100)), kindSchema), {}),
  /** `major`: 25.00 is twenty-five euros. `minor`: 2500 is twenty-five euros. */
  unit: v.optional(v.picklist(['major', 'minor']), 'major'),
  /** The character before the decimals. */
  decimalSeparator: v.optional(v.picklist(['.', ',']), '.'),
  /** The character between thousands. Absent: there is none. */
  groupSeparator: v.optional(v.picklist([',', '.', 'space', 'apostrophe'])),
  /**
   * `signed`: money that the provider owes you is positive. `reversed`: it is negative. `by-kind`: amounts have no sign, and the kind
   * says it.
   */
  sign: v.optional(v.picklist(['signed', 'reversed', 'by-kind']), 'signed'),
  /** `positive`: a fee that you pay is positive. */
  feeSign: v.optional(v.picklist(['positive', 'negative']), 'positive'),
  /** How days are written. `unix`: seconds since 1970. */
  dateForm: v.optional(
    v.picklist(['yyyy-mm-dd', 'dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy', 'yyyymmdd', 'unix']),
    'yyyy-mm-dd',
  ),
  ...commonEntries,
});
export type CsvMapping = v.InferOutput<typeof csvMappingSchema>;

/** How a statement of a bank is read. */
export const statementMappingSchema = v.strictObject({
  /** The form of the statement. */
  format: v.picklist(['camt.053', 'mt940']),
  /** The characters of the file. */
  encoding: v.optional(v.picklist(['utf-8', 'windows-1252', 'iso-8859-1']), 'utf-8'),
  /** Only lines whose counterparty or text has one of these words. Absent: every line. @example ["stripe"] */
  only: v.optional(v.pipe(v.array(v.pipe(v.string(), v.minLength(3), v.maxLength(100))), v.maxLength(50))),
  /** What money that comes in is. */
  credit: v.optional(kindSchema, 'settlement'),
  /** What money that goes out is. */
  debit: v.optional(kindSchema, 'settlement'),
  ...commonEntries,
});
export type StatementMapping = v.InferOutput<typeof statementMappingSchema>;

export const settlementMappingSchema = v.variant('format', [csvMappingSchema, statementMappingSchema]);
export type SettlementMapping = v.InferOutput<typeof settlementMappingSchema>;

export const mappingViewSchema = v.object({
  provider: shownProviderSchema,
  name: mappingNameSchema,
  /** How the files are read. */
  mapping: settlementMappingSchema,
  /** Who changed it last. */
  changedBy: shownStaffSchema,
  changed: instantSchema,
});
export const mappingListSchema = v.object({
  /** The mappings, by provider and name. */
  mappings: v.array(mappingViewSchema),
});
export type MappingView = v.InferOutput<typeof mappingViewSchema>;

export const listSettlementMappings = defineEndpoint({
  id: 'list-settlement-mappings',
  method: 'GET',
  path: '/settlement-mappings',
  summary: 'How settlement files are read, by provider and name.',
  response: mappingListSchema,
});

export const mappingParams = v.strictObject({ provider: sourceNameSchema, name: mappingNameSchema });

export const putSettlementMapping = defineEndpoint({
  id: 'put-settlement-mapping',
  method: 'PUT',
  path: '/settlement-mappings/{provider}/{name}',
  summary: 'Sets how settlement files of a provider, or statements of a bank account, are read.',
  params: mappingParams,
  body: v.strictObject({
    /** How the files are read. */
    mapping: settlementMappingSchema,
    staff: v.optional(staffSchema),
  }),
  response: mappingViewSchema,
});

/** The name of the file, for your records. @example "payouts-2026-01.csv" */
const fileNameSchema = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(200),
  v.regex(/^[^\p{Cc}]*$/u, 'text without control characters'),
);

/** How many lines and entries of the ledger have each mismatch. */
const countsSchema = v.record(v.string(), v.number());

const totalSchema = v.object({
  currency: shownCurrencySchema,
  /** The sum of all amounts before fees. */
  amount: signedDecimalSchema,
  /** The sum of all fees. */
  fees: signedDecimalSchema,
});

/** A proposal to take a file back, and its end. */
const takeBackSchema = v.object({
  takeBackId: paymentIdSchema,
  /** `proposed`: waits for a second person. `confirmed`: the file is taken back. */
  state: v.picklist(['proposed', 'confirmed', 'rejected']),
  reason: reasonSchema,
  proposedBy: shownStaffSchema,
  proposed: instantSchema,
  decidedBy: v.optional(shownStaffSchema),
  decided: v.optional(instantSchema),
});
export type TakeBackView = v.InferOutput<typeof takeBackSchema>;

export const settlementFileSchema = v.object({
  /** Absent: a dry run. */
  fileId: v.optional(paymentIdSchema),
  provider: shownProviderSchema,
  mapping: mappingNameSchema,
  name: fileNameSchema,
  /**
   * `done`: compared with the ledger. `matching`: the comparison goes on, or was interrupted: import the file again. `reading`: pages of
   * a provider's list are missing. `taken-back`: two people took it back, so it settles nothing.
   */
  state: v.picklist(['reading', 'matching', 'done', 'taken-back']),
  /** SHA-256 of the file. @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" */
  hash: v.string(),
  /** How many entries the file or list has. @example 1200 */
  lines: v.number(),
  /** The first day of its lines. @example "2026-01-01" */
  firstDay: v.optional(v.string()),
  /** The last day of its lines. @example "2026-01-31" */
  lastDay: v.optional(v.string()),
  /** The sums of all lines by currency. */
  totals: v.array(totalSchema),
  /** Lines that belong to a payment of the ledger. Of a file that was taken back: lines that did. @example 1198 */
  matched: v.number(),
  /** The number of mismatches by class. @example {"amount": 2} */
  mismatches: countsSchema,
  importedBy: v.optional(shownStaffSchema),
  imported: v.optional(instantSchema),
  /** The proposals to take the file back, the oldest first. Absent: there is none. */
  takeBacks: v.optional(v.array(takeBackSchema)),
});
export type SettlementFileView = v.InferOutput<typeof settlementFileSchema>;

export const importRequestSchema = v.strictObject({
  provider: sourceNameSchema,
  mapping: mappingNameSchema,
  name: fileNameSchema,
  /** The bytes of the file in base64, at most 12 MiB. Import larger files with the command line. @example "aWQsYW1vdW50Cg==" */
  content: v.pipe(v.string(), v.base64()),
  /** Your connection to the provider, where the file is of this account alone. Absent: the file is of all your accounts there. */
  connectionId: v.optional(paymentIdSchema),
  staff: v.optional(staffSchema),
  /** Reads the file, compares its first lines, and keeps nothing. */
  dryRun: v.optional(v.boolean(), false),
});

const triedLinesSchema = v.object({
  /** How many lines were compared: at most 1,000. Fees, and sums in the file of a provider, have nothing to compare with. @example 1000 */
  lines: v.number(),
  /** Lines that would match without a mismatch. @example 998 */
  matched: v.number(),
  /** The number of mismatches by class. @example {"amount": 2} */
  mismatches: countsSchema,
});
export type TriedLines = v.InferOutput<typeof triedLinesSchema>;

export const importSettlementFile = defineEndpoint({
  id: 'import-settlement-file',
  method: 'POST',
  path: '/settlement-files',
  summary:
    'Imports a settlement file or a statement, wholly or not at all. The same file again changes nothing, unless it was taken back.',
  body: importRequestSchema,
  response: v.object({
    /** `known`: this file was imported before. */
    outcome: v.picklist(['imported', 'known', 'dry-run']),
    /** What the cashier has read, and how its lines fit the ledger. */
    file: settlementFileSchema,
    /** How the first lines would match. Absent: no dry run, or the file is known. */
    tried: v.optional(triedLinesSchema),
  }),
  errors: {
    404: '`not-found`: no such mapping or connection.',
    409: '`state-conflict`: the file is being imported, was imported for another connection, or cannot be of this one.',
  },
  bodyLimitBytes: 16 * 1024 * 1024,
});

/** Days of one list. */
const mostListedDays = 31;

export const readListSchema = v.pipe(
  v.strictObject({
    /** Your connection to the provider. */
    connectionId: paymentIdSchema,
    /** The first day. @example "2026-01-31" */
    from: utcDaySchema,
    /** The last day, included. It must be over. @example "2026-01-31" */
    to: utcDaySchema,
    staff: v.optional(staffSchema),
  }),
  v.check(({ from, to }) => {
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
    return days >= 0 && days < mostListedDays;
  }, `days of at most ${mostListedDays} days, the first one first`),
);

export const readProviderList = defineEndpoint({
  id: 'read-provider-list',
  method: 'POST',
  path: '/settlement-lists',
  summary:
    'Reads some pages of a provider’s own list of some days, and compares it once it is complete. Repeat it while it is `reading`.',
  body: readListSchema,
  response: v.object({
    /** `reading`: repeat the request for further pages. `known`: this list was compared before. */
    outcome: v.picklist(['imported', 'known', 'reading']),
    /** What was read so far. While it is `reading`, nothing is compared yet. */
    file: settlementFileSchema,
  }),
  errors: {
    404: '`not-found`: no such connection.',
    409: '`state-conflict`: the provider has no list or refuses the key, the last day is not over, or another call or list has the days.',
  },
});

export const settlementFilePageSchema = pageSchema({
  /** The files. The newest comes first. */
  files: v.array(settlementFileSchema),
});
export type SettlementFilePage = v.InferOutput<typeof settlementFilePageSchema>;
export const settlementFileQuery = v.strictObject({ provider: v.optional(sourceNameSchema), ...pageEntries });
export type SettlementFileQuery = v.InferOutput<typeof settlementFileQuery>;

export const listSettlementFiles = defineEndpoint({
  id: 'list-settlement-files',
  method: 'GET',
  path: '/settlement-files',
  summary: 'The imported files, the newest first, page by page.',
  query: settlementFileQuery,
  response: settlementFilePageSchema,
});

export const mismatchClassSchema = v.picklist([
  'missing-here',
  'missing-there',
  'amount',
  'currency',
  'date',
  'duplicate',
  'balance',
]);
/**
 * `open`: nobody has decided. `proposed`: waits for a second person. `cleared`: a later line settled it. `resolved`: staff ended it.
 * `taken-back`: its file was taken back. It is listed only if you ask for this state.
 */
export const mismatchStateSchema = v.picklist(['open', 'proposed', 'cleared', 'resolved', 'taken-back']);

const mismatchSchema = v.object({
  mismatchId: paymentIdSchema,
  /** What is wrong. */
  class: mismatchClassSchema,
  state: mismatchStateSchema,
  provider: shownProviderSchema,
  fileId: paymentIdSchema,
  /** The line in the file. Absent: the payment has no line, or its line has left the database for an archive. @example 17 */
  line: v.optional(v.number()),
  /** What it is about: `payment`, `refund`, `chargeback`, `payout`, `return`, `settlement` or `balance`. @example "payment" */
  kind: v.string(),
  /** The provider's id of the payment or of the sum. Absent: neither the ledger nor a line has it, or the line left the database. @example "pi_3Nx2" */
  reference: v.optional(v.string()),
  /** The id of the payment, refund, chargeback or payout in the ledger. Absent: the ledger has none. */
  entryId: v.optional(paymentIdSchema),
  currency: shownCurrencySchema,
  /** The amount in the ledger. Of a `balance`: what would leave no new difference. */
  expected: signedDecimalSchema,
  /** The amount in the file, or on the chain. */
  found: signedDecimalSchema,
  /** The day of the line, or of the booking. @example "2026-01-31" */
  day: v.string(),
  since: instantSchema,
  /** Whole days since it was found. @example 2 */
  ageDays: v.number(),
});
export type MismatchView = v.InferOutput<typeof mismatchSchema>;
export const mismatchPageSchema = pageSchema({
  /** The mismatches. The oldest comes first. */
  mismatches: v.array(mismatchSchema),
});
export type MismatchPage = v.InferOutput<typeof mismatchPageSchema>;
export const mismatchQuery = v.strictObject({
  state: v.optional(mismatchStateSchema),
  /** Only mismatches of this class. @example "amount" */
  class: v.optional(mismatchClassSchema),
  provider: v.optional(sourceNameSchema),
  fileId: v.optional(paymentIdSchema),
  ...pageEntries,
});
export type MismatchQuery = v.InferOutput<typeof mismatchQuery>;

export const listMismatches = defineEndpoint({
  id: 'list-settlement-mismatches',
  method: 'GET',
  path: '/settlement-mismatches',
  summary: 'What does not match between settlement files and the ledger, the oldest first, page by page.',
  query: mismatchQuery,
  response: mismatchPageSchema,
});

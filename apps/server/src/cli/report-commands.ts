/** Commands about reports of providers that fit nothing yet (SRV-1, SRV-3). */
import { parseArgs } from 'node:util';
import {
  dismissRequestSchema,
  type ParkedReport,
  parkedQuerySchema,
  type UnmatchedReport,
  unmatchedQuerySchema,
} from '../operators/parked-report-schemas.ts';
import { dismissReportOnce, parkedPage } from '../operators/parked-reports.ts';
import { reversalQuerySchema } from '../operators/reversal-schemas.ts';
import { reversalPage } from '../operators/reversals.ts';
import { unmatchedPage } from '../operators/unmatched-reports.ts';
import { type Command, UsageError } from './command.ts';
import { operatorIdOf, operatorList, print, type Row, readOptions } from './listing.ts';
import { onlyPositional } from './operator-commands.ts';

const text = { type: 'string' } as const;

/** `reports parked <operator>`, `reports dismiss <operator> <report> --by <name> --reason …`. */
export const reportsCommand: Command = (asked) => {
  const [what = '', ...args] = asked.args;
  if (what === 'parked') return listParked({ ...asked, args });
  if (what === 'unmatched') return listUnmatched({ ...asked, args });
  if (what === 'reversals') return listReversals({ ...asked, args });
  if (what === 'dismiss') return dismiss({ ...asked, args });
  throw new UsageError('List reports that are parked or unmatched, or dismiss one.');
};

const listReversals = operatorList({
  query: reversalQuerySchema,
  page: reversalPage,
  rowsOf: ({ reversals }) =>
    reversals.map(({ depositId, userId, isPart, amount, owed, currency, reference, at }) => ({
      deposit: depositId,
      user: userId,
      taken: isPart ? 'part' : 'whole',
      amount: `${amount} ${currency}`,
      owed: `${owed} ${currency}`,
      reference,
      at,
    })),
});

const listParked = operatorList({
  query: parkedQuerySchema,
  page: parkedPage,
  rowsOf: ({ reports }) => reports.map(rowOf),
});

/** `reports unmatched [<operator>]`; without an operator also those that are nobody's. */
const listUnmatched: Command = ({ args, output }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { limit: text, cursor: text, json: { type: 'boolean' } },
  });
  const partnerKey = positionals.length === 0 ? undefined : onlyPositional(positionals, 'one operator, or none');
  const { json = false, ...asked } = values;
  const query = readOptions(unmatchedQuerySchema, asked);
  return async (database) => {
    const operatorId = partnerKey === undefined ? undefined : await operatorIdOf(database, partnerKey);
    const { reports, nextCursor } = await unmatchedPage(database, operatorId, query);
    print(output, reports.map(unmatchedRow), json, nextCursor);
    return 0;
  };
};

function unmatchedRow(report: UnmatchedReport): Row {
  const { type, operator, id, provider, reference, outcome, why, amount, currency, since } = report;
  return {
    type,
    id,
    provider,
    reference,
    tells: outcome,
    why,
    amount: amount === undefined ? currency : `${amount} ${currency}`,
    operator,
    since,
  };
}

function rowOf({ reportId, type, id, userId, outcome, why, amount, currency, since, decisions }: ParkedReport): Row {
  return {
    report: reportId,
    type,
    id,
    user: userId,
    tells: outcome,
    why,
    amount: amount === undefined ? currency : `${amount} ${currency}`,
    since,
    decisions: decisions.join(' ') || undefined,
  };
}

const dismiss: Command = ({ args, output }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { by: text, reason: text },
  });
  const [partnerKey, reportId, ...more] = positionals;
  if (partnerKey === undefined || reportId === undefined || more.length > 0) {
    throw new UsageError('Give the operator and the report, as `reports parked` names it.');
  }
  const wanted = readOptions(dismissRequestSchema, { decidedBy: values.by, reason: values.reason });
  return async (database) => {
    const made = await dismissReportOnce(database, await operatorIdOf(database, partnerKey), reportId, wanted);
    output.out(`Dismissed by ${made.decidedBy} at ${made.dismissed}. Nothing was booked.`);
    return 0;
  };
};

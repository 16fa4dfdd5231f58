/** Commands about the amounts above which withdrawals wait for approval (SRV-1). */

import { currencySchema, decimalStringSchema } from '@opencashier/contract/api';
import type { ApprovalSettingsView } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { approvalSettingsOf, changeApprovalSettings } from '../operator-api/money/approvals.ts';
import { type AddCommands, type Output, UsageError } from './command.ts';
import { actorOf, byOption, operatorArgument, operatorIdOf, print, type Row, readOptions } from './listing.ts';
import { optionNeeds } from './option-needs.ts';

export const addApprovalCommands: AddCommands = (program, { output, withDatabase }) => {
  const approvals = program.command('approvals').description('amounts above which withdrawals wait for approval');
  approvals
    .command('show', { isDefault: true })
    .description('shows the amounts')
    .argument(...operatorArgument)
    .option('--json', 'the settings as JSON, with the names of the operator API')
    .action((partnerKey, { json }) =>
      withDatabase(async (database) => {
        const settings = await approvalSettingsOf(database, await operatorIdOf(database, partnerKey));
        printSettings(output, settings, json);
        return 0;
      }),
    );
  approvals
    .command('set')
    .description('changes the amounts; the cashier applies them at once')
    .argument(...operatorArgument)
    .option('--currency <code>')
    .option('--above <amount>', 'larger withdrawals need one approval; 0: all need it')
    .option('--second-above <amount>', 'larger withdrawals need two approvals')
    .option('--day <amount>', 'what one user may withdraw in a day without approval')
    .option('--none', 'no withdrawal in this currency needs approval')
    .option('--hours <number>', 'number of hours after which a withdrawal without a decision is declined')
    .option('--different-keys <yes|no>', 'whether two approvals need two API keys')
    .option(...byOption)
    .hook('preAction', optionNeeds({ '--second-above': ['--above'] }))
    .action((partnerKey, { by, ...options }) => {
      const actor = actorOf(by);
      const change = changeOf(options);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        printSettings(output, await changeApprovalSettings(database, operatorId, actor, change));
        return 0;
      });
    });
};

function printSettings(
  output: Output,
  { thresholds, approvalHours, differentKeys }: ApprovalSettingsView,
  isJson = false,
): void {
  if (isJson) {
    output.out(JSON.stringify({ thresholds, approvalHours, differentKeys }));
    return;
  }
  if (differentKeys) output.out('Two approvals need two API keys.');
  // The hours are a column of the thresholds. Without a threshold there is no row, so they need a line of their own.
  if (thresholds.length === 0) {
    output.out(`Thresholds: none. Hours: ${approvalHours}.`);
    return;
  }
  const rowOf = (one: ApprovalSettingsView['thresholds'][number]): Row => ({
    currency: one.currency,
    above: one.approvalThreshold,
    'second above': one.secondApprovalThreshold,
    'in a day': one.dailyThreshold,
    hours: approvalHours,
  });
  print(output, thresholds, rowOf, false);
}

const hoursSchema = v.pipe(v.string(), v.regex(/^\d{1,4}$/), v.transform(Number), v.minValue(1), v.maxValue(8760));
const setSchema = v.strictObject({
  currency: v.optional(currencySchema),
  above: v.optional(decimalStringSchema),
  secondAbove: v.optional(decimalStringSchema),
  day: v.optional(decimalStringSchema),
  none: v.optional(v.boolean()),
  hours: v.optional(hoursSchema),
  differentKeys: v.optional(v.picklist(['yes', 'no'])),
});

/** @throws UsageError */
function changeOf(options: object): (known: ApprovalSettingsView) => ApprovalSettingsView {
  const {
    currency,
    above,
    secondAbove: second,
    day,
    none,
    hours,
    differentKeys: keys,
  } = readOptions(setSchema, options);
  if (currency === undefined && hours === undefined && keys === undefined)
    throw new UsageError('Give --currency with its amounts, --hours or --different-keys.');
  const isWanted = above !== undefined || day !== undefined;
  if ((currency === undefined) !== (!isWanted && none !== true) || (isWanted && none === true)) {
    throw new UsageError('Give --currency with --above (0: all need approval), --day or both, or with --none.');
  }
  return ({ thresholds, approvalHours, differentKeys }) => ({
    approvalHours: hours ?? approvalHours,
    differentKeys: keys === undefined ? differentKeys : keys === 'yes',
    thresholds: [
      ...thresholds.filter((known) => known.currency !== currency),
      ...(currency === undefined || !isWanted
        ? []
        : [
            {
              currency,
              ...(above !== undefined && { approvalThreshold: above }),
              ...(second !== undefined && { secondApprovalThreshold: second }),
              ...(day !== undefined && { dailyThreshold: day }),
            },
          ]),
    ],
  });
}

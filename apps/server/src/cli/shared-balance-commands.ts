/** Commands for the wallets that all operators share: the staff of the installation accept their differences (SRV-1). */
import { staffSchema } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import * as v from 'valibot';
import {
  acceptedShared,
  acceptShared,
  type LatestShared,
  latestShared,
  type SharedBalanceRow,
} from '../settlements/shared-balances.ts';
import { type AddCommands, CommandError, UsageError } from './command.ts';
import { print, readOptions } from './listing.ts';

const MOST_LISTED = 200;

const acceptSchema = v.object({
  staff: staffSchema,
  reason: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200)),
});

export const addSharedBalanceCommands: AddCommands = (program, { output, withDatabase }) => {
  const shared = program.command('shared-balances').description('wallets that all operators share, such as on TON');
  shared
    .command('list')
    .description(
      'the last reading of each coin; exit code 1 if one differs from the books of all operators, or is out of date',
    )
    .option('--accepted', `the differences that staff accepted, the newest ${MOST_LISTED}`)
    .option('--json', 'as JSON')
    .action(({ accepted = false, json = false }) =>
      withDatabase(async (database) => {
        if (accepted) {
          const rows = await acceptedShared(database, MOST_LISTED);
          print(output, rows.map(acceptedWords), (row) => ({ ...row }), json);
          return 0;
        }
        const rows = await latestShared(database);
        print(
          output,
          rows.map(latestWords),
          ({ notComparedSince, read, ...row }) => ({ ...row, read: readWords(read, notComparedSince) }),
          json,
        );
        return rows.some(({ difference, isOutOfDate }) => difference !== 0n || isOutOfDate) ? 1 : 0;
      }),
    );
  shared
    .command('accept')
    .description('accepts the difference of the last reading, once somebody knows where it is from')
    .argument('<chain>', 'as in `CRYPTO_FILE`')
    .argument('<currency>', 'of the coin')
    .requiredOption('--difference <amount>', 'as `shared-balances list` shows it, such as -12.5')
    .requiredOption('--by <name>', 'who looked up the transactions')
    .requiredOption('--reason <text>', 'where the difference is from')
    .action((chain, currency, { difference: text, by, reason: why }) => {
      const { staff, reason } = readOptions(acceptSchema, { staff: by, reason: why });
      if (findCurrency(currency) === undefined) throw new UsageError(`The currency ${currency} is not known.`);
      const difference = parseDecimal(text, decimalsOf(currency), { signed: true });
      if (!difference.ok) throw new UsageError('--difference must be an amount, such as -12.5.');
      return withDatabase(async (database) => {
        const outcome = await acceptShared(database, {
          chain,
          currency,
          difference: difference.minor,
          by: staff,
          reason,
        });
        if (outcome === 'none')
          throw new CommandError(`The last reading of ${currency} on ${chain} has no difference.`);
        if (outcome === 'changed')
          throw new CommandError('Nothing was accepted: the last reading has another difference.');
        output.out('The difference is accepted.');
        return 0;
      });
    });
};

/** The amounts of a row, as decimal strings. */
function amountsOf({ chain, currency, lastHeight, ...row }: SharedBalanceRow) {
  const written = (minor: bigint): string => toDecimalString(minor, decimalsOf(currency));
  return {
    chain,
    currency,
    found: written(row.found),
    expected: written(row.expected),
    accepted: written(row.accepted),
    difference: written(row.difference),
    lastBlock: Number(lastHeight),
  };
}

/** The last reading of a coin. `notComparedSince`: its numbers are old. */
function latestWords({ readAt, isOutOfDate, ...row }: LatestShared) {
  const read = readAt.toISOString();
  return { ...amountsOf(row), read, ...(isOutOfDate && { notComparedSince: read }) };
}

const readWords = (read: string, notComparedSince?: string): string =>
  notComparedSince === undefined ? read : `not compared since ${notComparedSince}`;

function acceptedWords(row: SharedBalanceRow) {
  return { ...amountsOf(row), at: row.at.toISOString(), by: row.acceptedBy ?? '', reason: row.reason ?? '' };
}

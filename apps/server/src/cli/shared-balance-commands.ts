/** Commands for the wallets that all operators share: the staff of the installation accept their differences (SRV-1). */
import { staffSchema } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import * as v from 'valibot';
import { acceptedShared, acceptShared, latestShared, type SharedBalanceRow } from '../settlements/shared-balances.ts';
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
    .description('the last reading of each coin; exit code 1 if one differs from the books of all operators')
    .option('--accepted', `the differences that staff accepted, the newest ${MOST_LISTED}`)
    .option('--json', 'as JSON')
    .action(({ accepted = false, json = false }) =>
      withDatabase(async (database) => {
        const rows = await (accepted ? acceptedShared(database, MOST_LISTED) : latestShared(database));
        print(output, rows.map(shownOf), (row) => ({ ...row }), json);
        return !accepted && rows.some(({ difference }) => difference !== 0n) ? 1 : 0;
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

/** As the list shows a row. Amounts are decimal strings. */
function shownOf({ chain, currency, at, lastHeight, ...row }: SharedBalanceRow) {
  const written = (minor: bigint): string => toDecimalString(minor, decimalsOf(currency));
  return {
    chain,
    currency,
    found: written(row.found),
    expected: written(row.expected),
    accepted: written(row.accepted),
    difference: written(row.difference),
    lastBlock: Number(lastHeight),
    read: at.toISOString(),
    ...(row.acceptedBy !== null && { by: row.acceptedBy, reason: row.reason ?? '' }),
  };
}

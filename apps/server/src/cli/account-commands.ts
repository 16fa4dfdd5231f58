/** Commands about accounts that a debt has frozen (SRV-1). */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { frozenQuerySchema, releaseRequestSchema } from '../operators/frozen-account-schemas.ts';
import { frozenPage, releaseAccountOnce } from '../operators/frozen-accounts.ts';
import { type Command, UsageError } from './command.ts';
import { operatorIdOf, operatorList, readOptions } from './listing.ts';

const text = { type: 'string' } as const;

/** `accounts frozen <operator>`, `accounts release <operator> <user> <currency> --by <name> --reason …`. */
export const accountsCommand: Command = (asked) => {
  const [what = '', ...args] = asked.args;
  if (what === 'frozen') return listFrozen({ ...asked, args });
  if (what === 'release') return release({ ...asked, args });
  throw new UsageError('List accounts that are frozen, or release one.');
};

const listFrozen = operatorList({
  query: frozenQuerySchema,
  page: frozenPage,
  rowsOf: ({ accounts }) =>
    accounts.map(({ userId: user, currency, debt, since }) => ({ user, currency, debt, since })),
});

const release: Command = ({ args, output }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { by: text, reason: text },
  });
  const [partnerKey, userId, currency, ...more] = positionals;
  if (partnerKey === undefined || userId === undefined || currency === undefined || more.length > 0) {
    throw new UsageError('Give the operator, the user and the currency, as `accounts frozen` names them.');
  }
  const { by: decidedBy, reason } = values;
  const wanted = readOptions(releaseRequestSchema, {
    decisionId: randomUUID(),
    userId,
    currency,
    decidedBy,
    reason,
  });
  return async (database) => {
    const made = await releaseAccountOnce(database, await operatorIdOf(database, partnerKey), wanted);
    output.out(`Released: money may leave the account again. The user still owes ${made.debt} ${made.currency}.`);
    return 0;
  };
};

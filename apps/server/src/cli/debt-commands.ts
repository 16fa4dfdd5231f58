/** Commands about what users owe (SRV-1, SRV-2). */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { debtQuerySchema, settleRequestSchema } from '../operators/debt-schemas.ts';
import { changeDebtSettings, debtPage, debtSettingsOf, settleDebtOnce } from '../operators/debts.ts';
import { type Command, UsageError } from './command.ts';
import { operatorIdOf, print, readOptions } from './listing.ts';
import { onlyPositional } from './operator-commands.ts';

const text = { type: 'string' } as const;
const theOperator = 'the public name of the operator';

/** `debts list <operator>`, `debts settle <operator> <user> <currency> --from … --by … --reason …`, `debts deposits|release <operator>`. */
export const debtsCommand: Command = (asked) => {
  const [what = '', ...args] = asked.args;
  if (what === 'list') return listDebts({ ...asked, args });
  if (what === 'settle') return settle({ ...asked, args });
  if (what === 'deposits') return deposits({ ...asked, args });
  if (what === 'release') return releaseSettings({ ...asked, args });
  throw new UsageError('List debts, settle one, or say whether deposits pay them and whether paying them releases.');
};

const listDebts: Command = ({ args, output }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { user: text, currency: text, limit: text, cursor: text, json: { type: 'boolean' } },
  });
  const partnerKey = onlyPositional(positionals, theOperator);
  const { json = false, user: userId, ...others } = values;
  const query = readOptions(debtQuerySchema, {
    ...others,
    ...(userId !== undefined && { userId }),
  });
  return async (database) => {
    const { debts, nextCursor } = await debtPage(database, await operatorIdOf(database, partnerKey), query);
    const rows = debts.map(({ userId: user, frozenSince, ...one }) => ({ user, ...one, frozen: frozenSince }));
    print(output, rows, json, nextCursor);
    return 0;
  };
};

const settle: Command = ({ args, output }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { from: text, amount: text, by: text, reason: text },
  });
  const [partnerKey, userId, currency, ...more] = positionals;
  if (partnerKey === undefined || userId === undefined || currency === undefined || more.length > 0) {
    throw new UsageError('Give the operator, the user and the currency, as `debts list` names them.');
  }
  const { by: decidedBy, ...others } = values;
  const wanted = readOptions(settleRequestSchema, {
    decisionId: randomUUID(),
    userId,
    currency,
    decidedBy,
    ...others,
  });
  return async (database) => {
    const made = await settleDebtOnce(database, await operatorIdOf(database, partnerKey), wanted);
    output.out(`Settled: ${made.amount} ${made.currency}. The user still owes ${made.debt} ${made.currency}.`);
    if (made.frozenSince !== undefined) output.out('The account stays frozen: `accounts release` lets money leave it.');
    return 0;
  };
};

const deposits: Command = ({ args, output }) => {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: { pay: text } });
  const partnerKey = onlyPositional(positionals, theOperator);
  const { pay } = readOptions(v.strictObject({ pay: v.optional(v.picklist(['yes', 'no'])) }), values);
  return async (database) => {
    const operatorId = await operatorIdOf(database, partnerKey);
    const settings =
      pay === undefined
        ? await debtSettingsOf(database, operatorId)
        : await changeDebtSettings(database, operatorId, { paidByDeposits: pay === 'yes' });
    output.out(
      settings.paidByDeposits
        ? 'A deposit pays what its user owes first.'
        : 'Deposits pay no debts: people settle them.',
    );
    return 0;
  };
};

const releaseSettings: Command = ({ args, output }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'when-paid': text },
  });
  const partnerKey = onlyPositional(positionals, theOperator);
  const asked = readOptions(v.strictObject({ 'when-paid': v.optional(v.picklist(['yes', 'no'])) }), values)[
    'when-paid'
  ];
  return async (database) => {
    const operatorId = await operatorIdOf(database, partnerKey);
    const settings =
      asked === undefined
        ? await debtSettingsOf(database, operatorId)
        : await changeDebtSettings(database, operatorId, { releasedWhenPaid: asked === 'yes' });
    output.out(
      settings.releasedWhenPaid
        ? 'A frozen account is released when its debt is paid.'
        : 'A frozen account stays so when its debt is paid: people release it.',
    );
    return 0;
  };
};

/** Commands about debts of users (SRV-1, SRV-2). */

import { randomUUID } from 'node:crypto';
import type { Command } from '@commander-js/extra-typings';
import {
  claimRequestSchema,
  type DebtPage,
  debtQuerySchema,
  settleRequestSchema,
} from '@opencashier/contract/operator';
import * as v from 'valibot';
import { claimDebtOnce } from '../operator-api/money/claim-debt.ts';
import { changeDebtSettings, debtPage, debtSettingsOf, settleDebtOnce } from '../operator-api/money/debts.ts';
import type { Actor } from '../operators/setting-history.ts';
import type { AddCommands, Session } from './command.ts';
import {
  actorOf,
  byOption,
  operatorArgument,
  operatorIdOf,
  print,
  type Row,
  readOptions,
  withPages,
} from './listing.ts';
import { optionNeeds } from './option-needs.ts';

const payOptions = v.strictObject({ pay: v.optional(v.picklist(['yes', 'no'])) });
const releaseOptions = v.strictObject({ whenPaid: v.optional(v.picklist(['yes', 'no'])) });

export const addDebtCommands: AddCommands = (program, session) => {
  const { output, withDatabase } = session;
  const debts = program.command('debts').description('debts of users after a chargeback or a failed debit');
  withPages(debts.command('list').argument(...operatorArgument))
    .description('lists debts, including those of users whose account was released')
    .option('--user <id>')
    .option('--currency <code>')
    .action((partnerKey, { json = false, user, ...filter }) => {
      const query = readOptions(debtQuerySchema, { ...filter, ...(user !== undefined && { userId: user }) });
      return withDatabase(async (database) => {
        const page = await debtPage(database, await operatorIdOf(database, partnerKey), query);
        const rowOf = ({ userId, frozenSince, claim, ...one }: DebtPage['debts'][number]): Row => ({
          user: userId,
          ...one,
          frozen: frozenSince,
          wallet: claim && [claim.state, claim.code].filter((word) => word !== undefined).join(' '),
        });
        print(output, page.debts, rowOf, json, page.nextCursor);
        return 0;
      });
    });
  debts
    .command('settle')
    .description('forgives a debt, or pays it from an account of the user')
    .argument(...operatorArgument)
    .argument('<user>', 'id of the user, from `debts list`')
    .argument('<currency>')
    .requiredOption('--from <account>', 'operator (forgives the debt), or the user’s main or additional account')
    .option('--amount <amount>', 'pays a part of the debt')
    .requiredOption('--by <name>', 'who decides')
    .requiredOption('--reason <text>', 'why')
    .action((partnerKey, userId, currency, { by: decidedBy, ...others }) => {
      const decision = { decisionId: randomUUID(), userId, currency, decidedBy, ...others };
      const request = readOptions(settleRequestSchema, decision);
      return withDatabase(async (database) => {
        const made = await settleDebtOnce(database, await operatorIdOf(database, partnerKey), request);
        output.out(`Settled: ${made.amount} ${made.currency}. The user still owes ${made.debt} ${made.currency}.`);
        if (made.frozenSince !== undefined) {
          output.out('The account stays frozen. Run `accounts release` to release it.');
        }
        return 0;
      });
    });
  addClaim(debts, session);
  addDebtSettings(debts, session);
};

function addDebtSettings(debts: Command, session: Session): void {
  debts
    .command('deposits')
    .description('shows or sets whether deposits pay debts first')
    .argument(...operatorArgument)
    .option('--pay <yes|no>')
    .option(...byOption)
    .hook('preAction', optionNeeds({ '--by': ['--pay'] }))
    .action((partnerKey, { by, ...options }) => {
      const { pay } = readOptions(payOptions, options);
      return saySettings(
        session,
        partnerKey,
        actorOf(by),
        pay && { paidByDeposits: pay === 'yes' },
        ({ paidByDeposits }) =>
          paidByDeposits
            ? 'A deposit pays the debt of its user first.'
            : 'Deposits do not pay debts. Staff settle debts.',
      );
    });
  debts
    .command('release')
    .description('shows or sets whether a frozen account is released when its debt is paid')
    .argument(...operatorArgument)
    .option('--when-paid <yes|no>')
    .option(...byOption)
    .hook('preAction', optionNeeds({ '--by': ['--when-paid'] }))
    .action((partnerKey, { by, ...options }) => {
      const { whenPaid } = readOptions(releaseOptions, options);
      const change = whenPaid && { releasedWhenPaid: whenPaid === 'yes' };
      return saySettings(session, partnerKey, actorOf(by), change, ({ releasedWhenPaid }) =>
        releasedWhenPaid
          ? 'A frozen account is released when its debt is paid.'
          : 'A frozen account stays frozen when its debt is paid: staff release it.',
      );
    });
}

function addClaim(debts: Command, { output, withDatabase }: Session): void {
  debts
    .command('claim')
    .description('asks the wallet of the operator for a debt, for example after it declined')
    .argument(...operatorArgument)
    .argument('<user>', 'id of the user, from `debts list`')
    .argument('<currency>')
    .requiredOption('--by <name>', 'who decides')
    .requiredOption('--reason <text>', 'why')
    .action((partnerKey, userId, currency, { by: decidedBy, reason }) => {
      const request = readOptions(claimRequestSchema, {
        decisionId: randomUUID(),
        userId,
        currency,
        decidedBy,
        reason,
      });
      return withDatabase(async (database) => {
        const made = await claimDebtOnce(database, await operatorIdOf(database, partnerKey), request);
        output.out(`The wallet is asked for ${made.amount} ${made.currency}. \`debts list\` shows what it answers.`);
        return 0;
      });
    });
}

type DebtSettings = Awaited<ReturnType<typeof debtSettingsOf>>;

/** Changes the settings of debts if a change is given, and prints the settings that apply now. */
function saySettings(
  { output, withDatabase }: Session,
  partnerKey: string,
  actor: Actor,
  change: Partial<DebtSettings> | undefined,
  inWords: (settings: DebtSettings) => string,
): Promise<void> {
  return withDatabase(async (database) => {
    const operatorId = await operatorIdOf(database, partnerKey);
    const settings =
      change === undefined
        ? await debtSettingsOf(database, operatorId)
        : await changeDebtSettings(database, operatorId, actor, change);
    output.out(inWords(settings));
    return 0;
  });
}

/** `users …`: what staff see and set for one user (SRV-1). */
import type { Command } from '@commander-js/extra-typings';
import {
  noteRequestSchema,
  type UserView,
  userChangeSchema,
  userParams,
  type WalletMode,
} from '@opencashier/contract/operator';
import * as v from 'valibot';
import { bundledFiles } from '../catalogue/bundled-files.ts';
import { readShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import { DomainError } from '../errors/domain-error.ts';
import { changeUserOf } from '../operator-api/users/change-user.ts';
import { userViewOf } from '../operator-api/users/user-view.ts';
import { presentWalletMode } from '../operator-wallet/wallet-mode.ts';
import { addUserNote, userControlsOf } from '../operators/user-controls.ts';
import type { UserLimit } from '../operators/user-rules.ts';
import { type AddCommands, CommandError, type Output, type Session, UsageError } from './command.ts';
import { actorOf, byOption, operatorArgument, operatorIdOf, optionOf, readOptions } from './listing.ts';

const userArgument = ['<user>', 'the operator’s id of the user'] as const;

export const addUserCommands: AddCommands = (program, session) => {
  const { output, withDatabase } = session;
  const users = program.command('users').description('limits, blocks and notes of one user; applied at once');
  users
    .command('show', { isDefault: true })
    .description('shows balances, open payments, limits, block and notes')
    .argument(...operatorArgument)
    .argument(...userArgument)
    .option('--json', 'one line of JSON')
    .action((partnerKey, user, { json = false }) => {
      const { userId } = readUser(user);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const view = await userViewOf(database, operatorId, userId);
        if (json) output.out(JSON.stringify(view));
        else printUser(output, view, await presentWalletMode(database, operatorId));
        return 0;
      });
    });
  users
    .command('block')
    .description('blocks deposits, withdrawals or both; payments in progress continue')
    .argument(...operatorArgument)
    .argument(...userArgument)
    .option('--deposits', 'only deposits, unless --withdrawals is given too')
    .option('--withdrawals', 'only withdrawals, unless --deposits is given too')
    .requiredOption('--reason <text>', 'for the history')
    .option(...byOption)
    .action((partnerKey, user, { deposits = false, withdrawals = false, reason, by }) => {
      const isBoth = deposits === withdrawals;
      const block = { deposits: deposits || isBoth, withdrawals: withdrawals || isBoth, reason };
      return changeUser(session, partnerKey, user, by, () => ({ block }));
    });
  users
    .command('unblock')
    .description('ends the block of a user')
    .argument(...operatorArgument)
    .argument(...userArgument)
    .requiredOption('--reason <text>', 'for the history')
    .option(...byOption)
    .action((partnerKey, user, { reason, by }) =>
      changeUser(session, partnerKey, user, by, () => ({ block: { deposits: false, withdrawals: false, reason } })),
    );
  addLimitAndNote(users, session);
};

function addLimitAndNote(users: Command, session: Session): void {
  const { output, withDatabase } = session;
  users
    .command('limit')
    .description('sets the limits of one payment; without --min and --max removes them')
    .argument(...operatorArgument)
    .argument(...userArgument)
    .argument('<direction>', 'deposit or withdrawal')
    .argument('<currency>')
    .option('--method <method>', 'only this method; default: every method')
    .option('--min <amount>')
    .option('--max <amount>')
    .option(...byOption)
    .action((partnerKey, user, direction, currency, { method, min, max, by }) => {
      const names = { direction, currency, ...(method !== undefined && { paymentMethod: method }) };
      const isSet = min !== undefined || max !== undefined;
      const wanted = { ...names, ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
      const isOther = (limit: UserLimit): boolean =>
        limit.direction !== direction || limit.currency !== currency || limit.paymentMethod !== method;
      return changeUser(session, partnerKey, user, by, (known) => ({
        limits: [...known.filter(isOther), ...(isSet ? [wanted] : [])],
      }));
    });
  users
    .command('note')
    .description('adds a note for staff; the user never sees it')
    .argument(...operatorArgument)
    .argument(...userArgument)
    .argument('<text>')
    .option(...byOption)
    .action((partnerKey, user, text, { by }) => {
      const { userId } = readUser(user);
      const actor = actorOf(by);
      const { note } = readOptions(noteRequestSchema, { note: text, staff: by });
      return withDatabase(async (database) => {
        await addUserNote(database, await operatorIdOf(database, partnerKey), userId, actor, note);
        output.out(`Added a note about the user ${userId}.`);
        return 0;
      });
    });
}

/** @throws UsageError */
function readUser(userId: string): v.InferOutput<typeof userParams> {
  if (v.is(userParams, { userId })) return { userId };
  throw new UsageError('The id of the user has 1 to 128 printable characters without spaces.');
}

/** @throws UsageError */
function changeUser(
  { output, withDatabase }: Session,
  partnerKey: string,
  user: string,
  by: string,
  changeOf: (known: readonly UserLimit[]) => object,
): Promise<void> {
  const { userId } = readUser(user);
  const actor = actorOf(by);
  readOptions(userChangeSchema, { ...changeOf([]), staff: by });
  return withDatabase(async (database) => {
    const operatorId = await operatorIdOf(database, partnerKey);
    const { limits } = await userControlsOf(database, operatorId, userId);
    const change = readOptions(userChangeSchema, { ...changeOf(limits), staff: by });
    const parts = { database, shipped: readShippedCatalogue(bundledFiles) };
    await changeUserOf(parts, operatorId, userId, actor, change).catch((error: unknown) => {
      throw namingOptions(error, change.limits ?? []);
    });
    const view = await userViewOf(database, operatorId, userId);
    printUser(output, view, await presentWalletMode(database, operatorId));
    return 0;
  });
}

/** Fields of a limit that are arguments of the command; the others are options. */
const limitArguments: ReadonlySet<string> = new Set(['direction', 'currency']);

/**
 * Names the options of the command instead of fields of the API. The command sends the limits that exist as well, and its own comes last.
 */
function namingOptions(error: unknown, limits: readonly UserLimit[]): unknown {
  const fields = error instanceof DomainError ? (error.details.fields ?? []) : [];
  if (!(error instanceof DomainError) || fields.length === 0) return error;
  const worded = fields.map(({ path, message }) => {
    const [, index = '', name = ''] = /^limits\.(\d+)\.(\w+)$/.exec(path) ?? [];
    const limit = limits[Number(index)];
    if (index === '' || limit === undefined) return { path, message };
    const word = limitArguments.has(name) ? `<${name}>` : optionOf(name);
    if (Number(index) === limits.length - 1) return { path: word, message };
    return { path: `${word} of an earlier limit (${limit.direction} ${limit.currency})`, message };
  });
  return new CommandError([error.message, ...worded.map(({ path, message }) => `${path}: ${message}`)].join(' '));
}

/** @param mode where the operator keeps the money itself, the ledger has coins of the sweepstake at most */
function printUser(output: Output, view: UserView, mode: WalletMode): void {
  const amounts = (list: UserView['balances']): string =>
    list.length === 0 ? 'none' : list.map(({ amount, currency }) => `${amount} ${currency}`).join(', ');
  output.out(`User ${view.userId}`);
  const isKept = mode === 'cashier' || view.balances.length > 0;
  output.out(`  balance     ${isKept ? amounts(view.balances) : 'kept by the operator'}`);
  output.out(`  additional  ${amounts(view.additional)}`);
  output.out(`  held        ${amounts(view.held)}`);
  output.out(`  debts       ${amounts(view.debts)}`);
  if (view.frozen.length > 0) output.out(`  frozen      ${view.frozen.join(', ')}`);
  output.out(`  block       ${view.block === undefined ? 'none' : blockText(view.block)}`);
  if (view.limits.length === 0) output.out('  limits      none');
  for (const { direction, currency, paymentMethod = 'every method', min, max } of view.limits) {
    output.out(
      `  limit       ${direction} ${currency}, ${paymentMethod}: ${min} to ${max === '0' ? 'no maximum' : max}`,
    );
  }
  for (const payment of view.openPayments) {
    const id = payment.type === 'deposit' ? payment.depositId : payment.withdrawalId;
    output.out(`  open        ${payment.type} ${id}: ${payment.amount} ${payment.currency}, ${payment.state}`);
  }
  for (const { at, by, note } of view.notes) output.out(`  note        ${at} ${by}: ${note}`);
}

function blockText({ deposits, withdrawals, reason, by, since }: NonNullable<UserView['block']>): string {
  const what = deposits && withdrawals ? 'deposits and withdrawals' : deposits ? 'deposits' : 'withdrawals';
  return `${what}, since ${since} by ${by}: ${reason}`;
}

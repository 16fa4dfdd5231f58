/** `opencashier`: the command line of a cashier. It runs on the cashier's machine, with the cashier's settings (docs/operate.md). */
import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { documentationAddress, errorPage } from '@opencashier/contract/documentation';
import { ConfigError } from '../errors/config-error.ts';
import { DomainError } from '../errors/domain-error.ts';
import { CursorError } from '../requests/page-cursor.ts';
import { addAccountCommands } from './account-commands.ts';
import { addAddressCommands } from './address-commands.ts';
import { addApprovalCommands } from './approval-commands.ts';
import { addArchiveCommand } from './archive-command.ts';
import { addBackupCommands } from './backup-commands.ts';
import { addBonusCommands } from './bonus-commands.ts';
import { addBoxCommands } from './box-commands.ts';
import { addCatalogueCommands } from './catalogue-commands.ts';
import { addChainSumCommands } from './chain-sum-commands.ts';
import { addClockCommands } from './clock-commands.ts';
import { addCoinPayoutCommands } from './coin-payout-commands.ts';
import { type AddCommands, explain, type Session, type Surroundings, UsageError } from './command.ts';
import { addConnectionCommands } from './connection-commands.ts';
import { addDayCloseCommands } from './day-close-commands.ts';
import { addDebtCommands } from './debt-commands.ts';
import { doctor } from './doctor.ts';
import { addFindCommand } from './find-command.ts';
import { addFundsCommand } from './funds-command.ts';
import { addHistoryCommand } from './history-command.ts';
import { addKeyCommands } from './key-commands.ts';
import { addAuditCommand, addBackupDoneCommand } from './ledger-commands.ts';
import { addListCommands } from './list-commands.ts';
import { addMigrateCommand } from './migrate-command.ts';
import { addOperatorCommands } from './operator-commands.ts';
import { addPayoutFileCommands } from './payout-file-commands.ts';
import { addReportCommands } from './report-commands.ts';
import { addReviewCommands } from './review-commands.ts';
import { addRouteCommands } from './route-commands.ts';
import { createSession } from './session.ts';
import { addSettingsCommands } from './settings-commands.ts';
import { addSettlementCommands } from './settlement-commands.ts';
import { addSharedBalanceCommands } from './shared-balance-commands.ts';
import { addShowCommand } from './show-command.ts';
import { addTextCommands } from './text-commands.ts';
import { addUserCommands } from './user-commands.ts';
import { addWalletCommands } from './wallet-commands.ts';
import { addWebhookCommands } from './webhook-commands.ts';
import { addWithdrawalCommands } from './withdrawal-commands.ts';

/** In the order of the help: set up, look up, decide, check. */
const commands: readonly AddCommands[] = [
  addOperatorCommands,
  addSettingsCommands,
  addWalletCommands,
  addKeyCommands,
  addUserCommands,
  addHistoryCommand,
  addListCommands,
  addFindCommand,
  addShowCommand,
  addReviewCommands,
  addReportCommands,
  addWithdrawalCommands,
  addCoinPayoutCommands,
  addApprovalCommands,
  addAccountCommands,
  addDebtCommands,
  addConnectionCommands,
  addRouteCommands,
  addSettlementCommands,
  addDayCloseCommands,
  addPayoutFileCommands,
  addFundsCommand,
  addSharedBalanceCommands,
  addChainSumCommands,
  addCatalogueCommands,
  addTextCommands,
  addBonusCommands,
  addBoxCommands,
  addAddressCommands,
  addWebhookCommands,
  addClockCommands,
  addAuditCommand,
  addBackupDoneCommand,
  addArchiveCommand,
  addBackupCommands,
  addMigrateCommand,
  addSetupCommands,
];

/** The exit code of the error that commander throws after it has printed the help. */
const helpCode = 0;

/**
 * Runs one command.
 * @returns the exit code. 0: done. 1: the command failed or found a fault. 2: a wrong command, argument or option.
 */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { output } = surroundings;
  const { session, exitCode } = createSession(surroundings);
  const program = createProgram(session);
  let running: CommandUnknownOpts | undefined;
  program.hook('preAction', (_program, command) => {
    running = command;
  });
  try {
    await program.parseAsync(args.length === 0 ? ['help'] : args, { from: 'user' });
    return exitCode();
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === helpCode) return 0;
    const isUsage = error instanceof UsageError || error instanceof CommanderError || error instanceof CursorError;
    // Commander has already printed its own errors.
    if (!(error instanceof CommanderError)) output.error(inItsWords(explain(error), error, running));
    const page = pageAbout(error, surroundings.environment['DOCS_URL']);
    if (page !== undefined) output.error(`See ${page}`);
    if (isUsage) output.error('`opencashier help` lists the commands. `opencashier help <command>` lists its options.');
    return isUsage ? 2 : 1;
  }
}

/** The option of an error is named as the command has it: `--day` is `<day>` where it is an argument, and `--close-id` is `<close>`. */
function inItsWords(words: string, error: unknown, command: CommandUnknownOpts | undefined): string {
  if (!(error instanceof UsageError) || error.option === undefined || command === undefined) return words;
  const { option } = error;
  if (command.options.some(({ long }) => long === option)) return words;
  const argument = command.registeredArguments.find((one) => `${option}-`.startsWith(`--${one.name()}-`));
  return argument === undefined ? words : words.replace(option, `<${argument.name()}>`);
}

/** The page of the documentation that says what to do about an error. Undefined: there is none. */
function pageAbout(error: unknown, documentation?: string): string | undefined {
  const base = (documentation || documentationAddress).replace(/\/+$/, '');
  if (error instanceof ConfigError) return `${base}/operate/#settings`;
  return error instanceof DomainError ? errorPage(error.code, base) : undefined;
}

/** The table of all commands. */
export function createProgram(session: Session): Command {
  const { output } = session;
  const program = new Command('opencashier')
    .description('Sets up and manages a cashier. It reads the settings of the server from the environment.')
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => output.out(text.trimEnd()),
      writeErr: (text) => output.error(text.trimEnd()),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const add of commands) add(program, session);
  return program;
}

function addSetupCommands(program: Command, session: Session): void {
  program
    .command('doctor')
    .description('checks the installation; exit code 1 if something is wrong')
    .action(async () => session.exitWith(await doctor(session)));
}

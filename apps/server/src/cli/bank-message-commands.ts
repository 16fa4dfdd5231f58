/** Commands about the messages of a bank: how far each is applied, and the steps that were set aside or dismissed (WD-2). */
import type { Command } from '@commander-js/extra-typings';
import {
  bankMessageQuery,
  bringBackSchema,
  dismissedStepQuery,
  endSetAsideSchema,
  setAsideParams,
  setAsideStepQuery,
} from '@opencashier/contract/operator';
import type { Database } from '../database/database.ts';
import { counted } from '../languages/counted.ts';
import { bringBack } from '../payout-files/dismissed-steps.ts';
import { dismissedPage, messagePage, setAsidePage } from '../payout-files/message-page.ts';
import type { PayoutFilePorts } from '../payout-files/payout-file-ports.ts';
import { endSetAside } from '../payout-files/set-aside-steps.ts';
import type { Session } from './command.ts';
import { actorOf, addOperatorList, operatorArgument, operatorIdOf, readOptions } from './listing.ts';

/** @param portsOf what payout files need of the server */
export function addBankMessages(
  payouts: Command,
  session: Session,
  portsOf: (database: Database) => PayoutFilePorts,
): void {
  const { output, withDatabase } = session;
  addOperatorList(
    payouts
      .command('messages')
      .description('lists imported messages of the bank, the newest first, and how far each is applied'),
    session,
    {
      query: bankMessageQuery,
      page: messagePage,
      itemsOf: ({ messages }) => messages,
      rowOf: ({ messageId, kind, name, state, changed, applied, setAside, dismissed, problemCount, imported }) => ({
        message: messageId,
        kind,
        name,
        state: state === 'reading' ? `being read: ${applied} of ${changed}` : state,
        applied: `${applied} of ${changed}`,
        'set aside': setAside,
        dismissed,
        problems: problemCount,
        imported,
      }),
    },
  );
  addOperatorList(
    payouts.command('set-aside').description('lists steps of bank messages that the database refused; staff end them'),
    session,
    {
      query: setAsideStepQuery,
      page: setAsidePage,
      itemsOf: ({ steps }) => steps,
      rowOf: ({ withdrawalId, messageId, step, to, cause, setAside, broughtBack }) => ({
        withdrawal: withdrawalId,
        message: messageId,
        step,
        to,
        cause,
        since: setAside,
        'brought back': broughtBack?.at,
        by: broughtBack?.staff,
        reason: broughtBack?.reason,
        'dismissed by': broughtBack?.dismissedBy,
      }),
    },
  );
  payouts
    .command('end-set-aside')
    .description('ends steps of a transfer that are set aside: applies all of them now, or dismisses the first one')
    .argument(...operatorArgument)
    .argument('<withdrawal>', 'a withdrawal of `payouts set-aside`')
    .requiredOption('--decision <decision>', 'retry (all its steps) or dismiss (the first one)')
    .option('--message <id>', 'the message of the step to dismiss')
    .option('--reason <text>', 'why; needed to dismiss')
    .requiredOption('--by <name>', 'who does it')
    .action((partnerKey, withdrawal, { decision: asked, message, reason: said, by }) => {
      const { withdrawalId } = readOptions(setAsideParams, { withdrawalId: withdrawal });
      const given = {
        decision: asked,
        staff: by,
        ...(message !== undefined && { messageId: message }),
        ...(said !== undefined && { reason: said }),
      };
      const { decision, messageId, reason } = readOptions(endSetAsideSchema, given);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const ended = { decision, messageId, note: reason, ...actorOf(by) };
        const steps = await endSetAside(portsOf(database), operatorId, withdrawalId, ended);
        output.out(`${counted(steps, 'step')} ${decision === 'retry' ? 'applied' : 'dismissed'}.`);
        return 0;
      });
    });
  addDismissedSteps(payouts, session, portsOf);
}

function addDismissedSteps(payouts: Command, session: Session, portsOf: (database: Database) => PayoutFilePorts): void {
  const { output, withDatabase } = session;
  addOperatorList(
    payouts.command('dismissed').description('lists steps of bank messages that staff have dismissed'),
    session,
    {
      query: dismissedStepQuery,
      page: dismissedPage,
      itemsOf: ({ steps }) => steps,
      rowOf: ({ withdrawalId, messageId, step, to, cause, dismissed, staff, reason }) => ({
        withdrawal: withdrawalId,
        message: messageId,
        step,
        to,
        cause,
        dismissed,
        by: staff,
        reason,
      }),
    },
  );
  payouts
    .command('bring-back')
    .description('sets a dismissed step aside again, at its old place; `payouts end-set-aside` then ends it')
    .argument(...operatorArgument)
    .argument('<withdrawal>', 'a withdrawal of `payouts dismissed`')
    .requiredOption('--message <id>', 'the message of the step')
    .requiredOption('--step <number>', 'the number of the step in the list')
    .requiredOption('--reason <text>', 'why')
    .requiredOption('--by <name>', 'who does it')
    .action((partnerKey, withdrawal, { message, step: number, reason: said, by }) => {
      const { withdrawalId } = readOptions(setAsideParams, { withdrawalId: withdrawal });
      const given = { messageId: message, step: Number(number), reason: said, staff: by };
      const { messageId, step, reason } = readOptions(bringBackSchema, given);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const back = { messageId, step, note: reason, ...actorOf(by) };
        const steps = await bringBack(portsOf(database), operatorId, withdrawalId, back);
        output.out(`The step is set aside again. Set aside for this transfer: ${steps}.`);
        return 0;
      });
    });
}

/** Commands about payouts that leave in files for a bank, and about the bank's answers (WD-2). */
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import {
  decideTransferSchema,
  type PayoutFileView,
  type PayoutTransferPage,
  payoutFileParams,
  payoutFileQuery,
  payoutTransferQuery,
  transferParams,
} from '@opencashier/contract/operator';
import type { Database } from '../database/database.ts';
import { counted } from '../languages/counted.ts';
import { type AppliedMessage, applyBankMessage } from '../payout-files/apply-bank-message.ts';
import { downloadFile, handOver } from '../payout-files/hand-over.ts';
import { filePage, fileView, transferPage } from '../payout-files/payout-file-page.ts';
import type { PayoutFilePorts } from '../payout-files/payout-file-ports.ts';
import { playFile } from '../payout-files/sandbox-bank.ts';
import { decideTransfer } from '../payout-files/stopped-transfers.ts';
import { addBankMessages } from './bank-message-commands.ts';
import { type AddCommands, type Output, type Session, UsageError } from './command.ts';
import { dataKeysOf } from './known-data-keys.ts';
import {
  actorOf,
  jsonOption,
  operatorArgument,
  operatorIdOf,
  print,
  type Row,
  readOptions,
  withPages,
} from './listing.ts';

const byArgument = ['--by <name>', 'who does it'] as const;
const fileArgument = ['<file>', 'a file of `payouts files`'] as const;

export const addPayoutFileCommands: AddCommands = (program, session) => {
  const payouts = program
    .command('payouts')
    .description('payouts that leave in files for a bank, and the answers of the bank');
  addLists(payouts, session);
  addHandOver(payouts, session);
  addAnswers(payouts, session);
  addBankMessages(payouts, session, (database) => portsOf(session, database));
};

/** @throws UsageError without the keys of the server, which seal the files */
function portsOf({ config }: Session, database: Database): PayoutFilePorts {
  const dataKeys = dataKeysOf(config());
  if (dataKeys !== undefined) return { database, dataKeys };
  throw new UsageError('Set TOKEN_SECRET or DATA_KEY as on the server: payout files are sealed.');
}

function addLists(payouts: Command, { output, withDatabase }: Session): void {
  withPages(payouts.command('files').argument(...operatorArgument))
    .description('lists files, the newest first')
    .option('--state <state>', 'built, downloaded, handed or rejected')
    .action((partnerKey, { json = false, ...filter }) => {
      const query = readOptions(payoutFileQuery, filter);
      return withDatabase(async (database) => {
        const page = await filePage(database, await operatorIdOf(database, partnerKey), query);
        print(output, page.files, fileRow, json, page.nextCursor);
        return 0;
      });
    });
  withPages(payouts.command('transfers').argument(...operatorArgument))
    .description('lists transfers; `--state stopped` lists those that wait for a decision')
    .option('--state <state>', 'queued, filed, stopped, paid, declined or returned')
    .option('--file <id>', 'a file of `payouts files`')
    .action((partnerKey, { json = false, file, ...filter }) => {
      const query = readOptions(payoutTransferQuery, { ...filter, ...(file !== undefined && { fileId: file }) });
      return withDatabase(async (database) => {
        const page = await transferPage(database, await operatorIdOf(database, partnerKey), query);
        const rowOf = (one: PayoutTransferPage['transfers'][number]): Row => ({ ...one });
        print(output, page.transfers, rowOf, json, page.nextCursor);
        return 0;
      });
    });
  payouts
    .command('show')
    .description('shows one file')
    .argument(...operatorArgument)
    .argument(...fileArgument)
    .option(...jsonOption)
    .action((partnerKey, file, { json = false }) => {
      const { fileId } = readOptions(payoutFileParams, { fileId: file });
      return withDatabase(async (database) => {
        const view = await fileView(database, await operatorIdOf(database, partnerKey), fileId);
        print(
          output,
          [view],
          (one) => ({ ...fileRow(one), message: one.messageId, sha256: one.hash, takes: takesOf(one) }),
          json,
        );
        return 0;
      });
    });
}

const takesOf = ({ takes }: PayoutFileView): string =>
  takes
    .map(({ staff, first, last, times }) => `${staff} ${times}× ${first}${times > 1 ? ` to ${last}` : ''}`)
    .join(', ');

const fileRow = (one: PayoutFileView): Row => ({
  file: one.fileId,
  state: one.state,
  transfers: one.transfers,
  open: one.open,
  total: one.total,
  currency: one.currency,
  day: one.executionDay,
  built: one.built,
  downloaded: one.downloadedBy,
  handed: one.handedBy,
});

function addHandOver(payouts: Command, session: Session): void {
  const { output, withDatabase } = session;
  payouts
    .command('download')
    .description('writes a file, and records who has it; from then on the bank may have it')
    .argument(...operatorArgument)
    .argument(...fileArgument)
    .requiredOption('--to <path>', 'where the file is written; an existing file is never replaced')
    .requiredOption(...byArgument)
    .action((partnerKey, file, { to, by }) => {
      const { fileId } = readOptions(payoutFileParams, { fileId: file });
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const { content, file: view } = await downloadFile(portsOf(session, database), operatorId, fileId, actorOf(by));
        // Only this user of the machine may read it: it names payees.
        await writeFile(to, content, { flag: 'wx', mode: 0o600 }).catch((error: Error) => {
          throw new UsageError(`${to} could not be written: ${error.message}`);
        });
        output.out(`${counted(view.transfers, 'transfer')}, ${view.total} ${view.currency}, SHA-256 ${view.hash}.`);
        output.out('Give it to the bank. A person who has not downloaded it then runs `payouts hand-over`.');
        return 0;
      });
    });
  payouts
    .command('hand-over')
    .description('records that the bank has a file; a person who never downloaded it must say so')
    .argument(...operatorArgument)
    .argument(...fileArgument)
    .requiredOption(...byArgument)
    .action((partnerKey, file, { by }) => {
      const { fileId } = readOptions(payoutFileParams, { fileId: file });
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        await handOver(portsOf(session, database), operatorId, fileId, actorOf(by));
        output.out('The bank has the file.');
        return 0;
      });
    });
}

function addAnswers(payouts: Command, session: Session): void {
  const { output, withDatabase } = session;
  payouts
    .command('import')
    .description(
      'imports an answer or a statement of the bank, wholly or not at all; the same file again changes nothing',
    )
    .argument(...operatorArgument)
    .argument('<path>', 'pain.002, camt.053 or camt.054')
    .requiredOption(...byArgument)
    .option(...jsonOption)
    .action(async (partnerKey, path, { by, json = false }) => {
      const bytes = await readFile(path).catch((error: Error) => {
        throw new UsageError(`${path} could not be read: ${error.message}`);
      });
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const name = basename(path).slice(0, 200);
        const sent = { operatorId, ...actorOf(by), name, bytes };
        sayApplied(output, await applyBankMessage(portsOf(session, database), sent), json);
        return 0;
      });
    });
  payouts
    .command('decide')
    .description('ends the stop of a transfer: sends it again in another file, or gives the amount back')
    .argument(...operatorArgument)
    .argument('<withdrawal>', 'a transfer of `payouts transfers --state stopped`')
    .requiredOption('--decision <decision>', 'send-again or decline')
    .requiredOption(...byArgument)
    .action((partnerKey, withdrawal, { decision: asked, by }) => {
      const { withdrawalId } = readOptions(transferParams, { withdrawalId: withdrawal });
      const { decision } = readOptions(decideTransferSchema, { decision: asked, staff: by });
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const decided = { decision, ...actorOf(by) };
        const state = await decideTransfer(portsOf(session, database), operatorId, withdrawalId, decided);
        output.out(state === 'queued' ? 'The transfer leaves in another file.' : 'The amount goes back to the user.');
        return 0;
      });
    });
  payouts
    .command('play')
    .description('only in the sandbox: a bank takes a file that was handed over, and answers')
    .argument(...operatorArgument)
    .argument(...fileArgument)
    .action((partnerKey, file) => {
      const { fileId } = readOptions(payoutFileParams, { fileId: file });
      if (!session.config().isSandbox) throw new UsageError('Only a sandbox (SANDBOX=1) has such a bank.');
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        for (const one of await playFile(portsOf(session, database), operatorId, fileId))
          sayApplied(output, one, false);
        return 0;
      });
    });
}

function sayApplied(output: Output, applied: AppliedMessage, isJson: boolean): void {
  if (isJson) {
    output.out(JSON.stringify(applied));
    return;
  }
  const { outcome, kind, found, changed, left, setAside, dismissed, problems, problemCount } = applied;
  if (outcome === 'known') output.out('This file was imported before. Nothing changed.');
  output.out(
    `${kind}: ${counted(found, 'transfer')} named, ${changed - left - setAside - dismissed} of ${changed} changed.`,
  );
  if (left > 0) output.out(`${counted(left, 'transfer')} waiting for another try. See \`payouts messages\`.`);
  if (setAside > 0)
    output.out(`${counted(setAside, 'transfer')} with a step that was set aside. See \`payouts set-aside\`.`);
  if (dismissed > 0) output.out(`${counted(dismissed, 'transfer')} with a step that staff have dismissed.`);
  for (const { line, withdrawalId, problem } of problems)
    output.out(`line ${line}: ${problem} ${withdrawalId ?? ''}`.trimEnd());
  if (problemCount > problems.length) output.out(`${counted(problemCount - problems.length, 'more problem')}.`);
}

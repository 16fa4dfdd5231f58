/** Commands about settlement files of providers, statements of banks, and what does not match the ledger (SRV-1, SRV-2). */
import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import {
  importRequestSchema,
  mappingParams,
  mismatchQuery,
  readListSchema,
  type SettlementFileView,
  settlementFileQuery,
  settlementMappingSchema,
  type TriedLines,
} from '@opencashier/contract/operator';
import * as v from 'valibot';
import { counted } from '../languages/counted.ts';
import { readRequest } from '../requests/invalid-request.ts';
import { readConnectionList } from '../settlements/connection-list.ts';
import { filePage } from '../settlements/file-page.ts';
import { type Imported, importFile } from '../settlements/import-file.ts';
import { listMappings, putMapping } from '../settlements/mappings.ts';
import { mismatchPage } from '../settlements/mismatch-page.ts';
import { type AddCommands, type Output, type Session, UsageError } from './command.ts';
import {
  actorOf,
  byOption,
  jsonOption,
  operatorArgument,
  operatorIdOf,
  print,
  type Row,
  readOptions,
  withPages,
} from './listing.ts';
import { readJson } from './settings-files.ts';
import { addBookingCommands } from './settlement-booking-commands.ts';
import { addTakeBackCommands } from './settlement-take-back-commands.ts';
import { connectionNamed, withConnection } from './with-connection.ts';

export const addSettlementCommands: AddCommands = (program, session) => {
  const settlements = program
    .command('settlements')
    .description('settlement files of providers and statements of banks, compared with the ledger');
  addMappings(settlements, session);
  addImport(settlements, session);
  addRead(settlements, session);
  addLists(settlements, session);
  addBookingCommands(settlements, session);
  addTakeBackCommands(settlements, session);
};

function addMappings(settlements: Command, { output, withDatabase }: Session): void {
  settlements
    .command('mappings')
    .description('lists how files are read, by provider and name')
    .argument(...operatorArgument)
    .option(...jsonOption)
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const mappings = await listMappings(database, await operatorIdOf(database, partnerKey));
        const rowOf = ({ provider, name, mapping, changedBy, changed }: (typeof mappings)[number]): Row => ({
          provider,
          name,
          format: mapping.format,
          by: changedBy,
          changed,
        });
        print(output, mappings, rowOf, json);
        return 0;
      }),
    );
  settlements
    .command('set-mapping')
    .description('sets how files of a provider or statements of a bank account are read')
    .argument(...operatorArgument)
    .argument('<provider>', 'the provider, or your own name for a bank account')
    .argument('<name>', 'your name of the mapping')
    .argument('<file>', 'JSON as in docs/reconciliation.md')
    .option(...byOption)
    .action((partnerKey, provider, name, file, { by }) => {
      const params = readOptions(mappingParams, { provider, name });
      const mapping = readRequest(settlementMappingSchema, readJson(file));
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        await putMapping(database, operatorId, actorOf(by), { ...params, mapping });
        output.out(`The mapping ${name} of ${provider} is set.`);
        return 0;
      });
    });
}

const importOptions = v.pick(importRequestSchema, ['provider', 'mapping']);

function addImport(settlements: Command, { output, withDatabase }: Session): void {
  settlements
    .command('import')
    .description('imports a file, wholly or not at all; the same file again changes nothing')
    .argument(...operatorArgument)
    .argument('<file>')
    .requiredOption('--provider <name>', 'the provider, or your own name for a bank account')
    .requiredOption('--mapping <name>', 'how the file is read, from `settlements mappings`')
    .option('--connection <name>', 'the name or id of your account at the provider; default: all accounts')
    .option('--dry-run', 'reads the file, compares its first lines, and keeps nothing')
    .option('--json', 'prints JSON, with the names of the operator API')
    .option(...byOption)
    .action(async (partnerKey, file, { dryRun = false, json = false, by, connection, ...named }) => {
      const options = readOptions(importOptions, named);
      const actor = actorOf(by);
      await access(file, constants.R_OK).catch((error: Error) => {
        throw new UsageError(`${file} could not be read: ${error.message}`);
      });
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const imported = await importFile(database, {
          operatorId,
          ...(connection !== undefined && {
            connectionId: (await connectionNamed(database, partnerKey, connection)).id,
          }),
          ...actor,
          ...options,
          name: basename(file).slice(0, 200),
          open: () => createReadStream(file),
          isDryRun: dryRun,
          onProgress: output.progress,
        });
        if (json) output.out(JSON.stringify(imported));
        else sayImported(output, imported);
        return 0;
      });
    });
}

function addRead(settlements: Command, session: Session): void {
  const { output } = session;
  settlements
    .command('read')
    .description(
      'reads a provider’s own list of some days from its API, and compares it; a repeat goes on where it stopped',
    )
    .argument(...operatorArgument)
    .argument('<connection>', 'its name or its id, as `connections list` shows them')
    .requiredOption('--from <day>', 'the first day in UTC, such as 2026-01-31')
    .option('--to <day>', 'the last day, which must be over; default: the first day')
    .option('--json', 'prints JSON, with the names of the operator API')
    .option(...byOption)
    .action((partnerKey, connection, { from, to = from, json = false, by }) => {
      const actor = actorOf(by);
      return withConnection(session, partnerKey, connection, async (ports, { operatorId, id }) => {
        const { staff: _staff, ...asked } = readOptions(readListSchema, { connectionId: id, from, to });
        const request = { operatorId, ...actor, ...asked, onProgress: output.progress };
        const { outcome, file } = await readConnectionList(ports, request);
        if (json) output.out(JSON.stringify({ outcome, file }));
        else if (outcome !== 'reading') sayImported(output, { outcome, file });
        return 0;
      });
    });
}

function sayImported(output: Output, { outcome, file, tried }: Imported): void {
  const { fileId, lines, firstDay, lastDay, totals, matched, mismatches } = file;
  output.out(`${counted(lines, 'line')} from ${firstDay} to ${lastDay}.`);
  for (const { currency, amount, fees } of totals) output.out(`${currency}: ${amount}, fees ${fees}.`);
  if (outcome === 'dry-run') {
    if (tried !== undefined) sayTried(output, tried);
    output.out('Nothing was imported.');
    return;
  }
  if (outcome === 'known') output.out('This file was imported before. Nothing changed.');
  output.out(`${counted(matched, 'line')} matched. File ${fileId}.`);
  sayMismatches(output, mismatches);
  if (Object.keys(mismatches).length > 0) output.out('`settlements mismatches` lists them.');
}

function sayMismatches(output: Output, mismatches: TriedLines['mismatches']): void {
  for (const [name, count] of Object.entries(mismatches)) output.out(`${name}: ${count}`);
}

function sayTried(output: Output, { lines, matched, mismatches }: TriedLines): void {
  if (lines === 0) return;
  output.out(`${counted(lines, 'line')} compared: ${matched} would match.`);
  sayMismatches(output, mismatches);
  if (mismatches['missing-here'] !== undefined) {
    output.out(
      'A bank statement has the sums of settlement files. Import the files of its providers first: until then, their sums count as missing-here.',
    );
  }
  if (matched * 2 < lines) {
    output.out('Most lines would be mismatches. Check the mapping: only two people can take an imported file back.');
  }
}

function addLists(settlements: Command, { output, withDatabase }: Session): void {
  withPages(settlements.command('list').argument(...operatorArgument))
    .description('lists imported files, the newest first')
    .option('--provider <name>')
    .action((partnerKey, { json = false, ...filter }) => {
      const query = readOptions(settlementFileQuery, filter);
      return withDatabase(async (database) => {
        const page = await filePage(database, await operatorIdOf(database, partnerKey), query);
        const rowOf = ({
          fileId,
          provider,
          name,
          lines,
          firstDay,
          lastDay,
          matched,
          mismatches,
          state,
          takeBacks = [],
        }: SettlementFileView): Row => ({
          file: fileId,
          state,
          proposal: takeBacks.find((one) => one.state === 'proposed')?.takeBackId,
          provider,
          name,
          from: firstDay,
          to: lastDay,
          lines,
          matched,
          mismatches: Object.values(mismatches).reduce((sum, count) => sum + count, 0),
        });
        print(output, page.files, rowOf, json, page.nextCursor);
        return 0;
      });
    });
  withPages(settlements.command('mismatches').argument(...operatorArgument))
    .description('lists what does not match, the oldest first')
    .option('--state <state>', 'open, proposed, cleared, resolved, or taken-back with its file')
    .option('--class <class>', 'missing-here, missing-there, amount, currency, date, duplicate or balance')
    .option('--provider <name>')
    .option('--file <id>', 'a file of `settlements list`')
    .action((partnerKey, { json = false, file, ...filter }) => {
      const query = readOptions(mismatchQuery, { ...filter, ...(file !== undefined && { fileId: file }) });
      return withDatabase(async (database) => {
        const page = await mismatchPage(database, await operatorIdOf(database, partnerKey), query);
        const rowOf = (one: (typeof page.mismatches)[number]): Row => ({
          mismatch: one.mismatchId,
          class: one.class,
          state: one.state,
          days: one.ageDays,
          provider: one.provider,
          line: one.line,
          kind: one.kind,
          reference: one.reference,
          expected: one.expected,
          found: one.found,
          currency: one.currency,
        });
        print(output, page.mismatches, rowOf, json, page.nextCursor);
        return 0;
      });
    });
}

/** Commands that close days, and that export and verify closed days (SRV-1, SRV-2). */
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import {
  type DayCloseView,
  dayCloseQuery,
  decideCloseSchema,
  decideDayClose,
  type ListedClose,
  proposeCloseSchema,
} from '@opencashier/contract/operator';
import { LineTooLongError, linesOf } from '../database/byte-lines.ts';
import type { Database } from '../database/database.ts';
import { decideClose, proposeClose } from '../day-closes/close-day.ts';
import { closePage, readClose } from '../day-closes/close-page.ts';
import { exportCloses } from '../day-closes/export-closes.ts';
import { addSigningKey, listSigningKeys } from '../day-closes/signing-keys.ts';
import { type Verified, verifyCloses, verifyExport } from '../day-closes/verify-closes.ts';
import type { DataKeys } from '../sealing/data-keys.ts';
import { type AddCommands, CommandError, type Output, type Session, UsageError } from './command.ts';
import { dataKeysOf } from './known-data-keys.ts';
import {
  addOperatorList,
  jsonOption,
  operatorArgument,
  operatorIdOf,
  print,
  type Row,
  readOptions,
} from './listing.ts';
import { optionNeeds } from './option-needs.ts';
import { collect } from './settings-commands.ts';

const closeArgument = ['<close>', 'a close of `day-closes list`'] as const;
/** Bytes of one exported day. A close has a row for each provider, connection, currency and kind. */
const LONGEST_LINE = 16 * 1024 * 1024;

export const addDayCloseCommands: AddCommands = (program, session) => {
  const closes = program.command('day-closes').description('the signed closes of an operator’s days, in UTC');
  addOperatorList(
    closes
      .command('list')
      .description('lists the closes, the newest first')
      .option('--state <state>', 'proposed, closed or rejected'),
    session,
    {
      query: dayCloseQuery,
      page: closePage,
      itemsOf: (page) => page.closes,
      rowOf: ({ closeId, day, state, proposedBy, decidedBy, hash }: ListedClose): Row => ({
        close: closeId,
        day,
        state,
        proposed: proposedBy,
        decided: decidedBy,
        hash: hash?.slice(0, 16),
      }),
    },
  );
  addShow(closes, session);
  addPropose(closes, session);
  addDecision(closes, session, 'confirm');
  addDecision(closes, session, 'reject');
  addKeys(closes, session);
  addExport(closes, session);
  addVerify(closes, session);
};

function addShow(closes: Command, { output, withDatabase }: Session): void {
  closes
    .command('show')
    .description('shows the totals of a day, and the signed document')
    .argument(...operatorArgument)
    .argument(...closeArgument)
    .option('--json', 'prints JSON, with the names of the operator API')
    .action((partnerKey, close, { json = false }) => {
      const { closeId } = readOptions(decideDayClose.params, { closeId: close });
      return withDatabase(async (database) => {
        const view = await readClose(database, await operatorIdOf(database, partnerKey), closeId);
        if (json) output.out(JSON.stringify(view));
        else sayTotals(output, view);
        return 0;
      });
    });
}

function addPropose(closes: Command, { output, withDatabase }: Session): void {
  closes
    .command('propose')
    .description('computes the totals of a day; another person confirms them')
    .argument(...operatorArgument)
    .argument('<day>', 'such as 2026-01-31; it must follow the last closed day')
    .requiredOption('--by <name>', 'who proposes it')
    .action((partnerKey, day, { by: decidedBy }) => {
      const request = readOptions(proposeCloseSchema, { day, decidedBy });
      return withDatabase(async (database) => {
        const view = await proposeClose(database, await operatorIdOf(database, partnerKey), request);
        sayTotals(output, view);
        output.out(`Proposed as ${view.closeId}. Another person must confirm it.`);
        return 0;
      });
    });
}

function addDecision(closes: Command, session: Session, decision: 'confirm' | 'reject'): void {
  const { output, withDatabase } = session;
  const command = closes
    .command(decision)
    .description(decision === 'confirm' ? 'confirms the close of another person, and signs it' : 'rejects a close')
    .argument(...operatorArgument)
    .argument(...closeArgument)
    .requiredOption('--by <name>', 'who decides')
    .action((partnerKey, close, { by: decidedBy, ...reason }) => {
      const { closeId } = readOptions(decideDayClose.params, { closeId: close });
      const request = readOptions(decideCloseSchema, { decision, decidedBy, ...reason });
      const dataKeys = keysOf(session);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const { day, state, hash } = await decideClose({ database, dataKeys }, operatorId, closeId, request);
        output.out(state === 'closed' ? `${day} is closed. SHA-256 ${hash}.` : `Rejected. ${day} is not closed.`);
        return 0;
      });
    });
  if (decision === 'reject') command.option('--reason <text>', 'why it is rejected');
}

/** @throws CommandError if the server has no secret yet */
function keysOf({ config }: Session): DataKeys {
  const keys = dataKeysOf(config());
  if (keys === undefined)
    throw new CommandError('Set DATA_KEY or TOKEN_SECRET as on the cashier, which seals the signing key.');
  return keys;
}

function addKeys(closes: Command, session: Session): void {
  const { output, withDatabase } = session;
  closes
    .command('keys')
    .description('prints the public keys, the newest first; keep them outside of the cashier')
    .argument(...operatorArgument)
    .option(...jsonOption)
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const keys = await listSigningKeys(database, await operatorIdOf(database, partnerKey));
        print(
          output,
          keys,
          ({ keyId, since, publicKey }): Row => ({ key: keyId, since, public: publicKey.split('\n')[1] }),
          json,
        );
        return 0;
      }),
    );
  closes
    .command('new-key')
    .description('makes a new signing key for the next closes')
    .argument(...operatorArgument)
    .action((partnerKey) => {
      const dataKeys = keysOf(session);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        await database.transaction((transaction) => addSigningKey(transaction, dataKeys, operatorId));
        const [newest] = await listSigningKeys(database, operatorId);
        output.out(`The key ${newest?.keyId} signs from now on. Publish it beside the older ones.`);
        return 0;
      });
    });
}

function addExport(closes: Command, { output, withDatabase }: Session): void {
  closes
    .command('export')
    .description(
      'prints all closed days with their signatures, a line of JSON for each, for `day-closes verify --file`',
    )
    .argument(...operatorArgument)
    .action((partnerKey) =>
      withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        for await (const line of exportCloses(database, { operatorId, partnerKey })) output.out(line);
        return 0;
      }),
    );
}

function addVerify(closes: Command, { output, withDatabase, exitWith }: Session): void {
  closes
    .command('verify')
    .description('verifies signatures, chain and sums; exit code 1 if something is wrong')
    .argument('[operator]', 'compares the closed days with the ledger; without it give --file')
    .option('--file <path>', 'an export; no database is needed')
    .option(
      '--key <key>',
      'with --file: the id of a public key that you keep, or a file with its PEM; may be repeated',
      collect,
      [],
    )
    .hook('preAction', optionNeeds({ '--key': ['--file'] }))
    .action(async (partnerKey, { file, key: keys }) => {
      if ((partnerKey === undefined) === (file === undefined)) throw new UsageError('Give an operator, or --file.');
      if (partnerKey !== undefined) {
        return withDatabase(async (database: Database) => {
          const operatorId = await operatorIdOf(database, partnerKey);
          return sayVerified(output, await verifyCloses(database, { operatorId, partnerKey }));
        });
      }
      if (keys.length === 0) throw new UsageError('--key is missing. The keys in the file alone prove nothing.');
      const trusted = keys.map((key) => (existsSync(key) ? readFileSync(key, 'utf8') : key));
      exitWith(sayVerified(output, await verifyFile(file ?? '', trusted)));
    });
}

/** @throws UsageError for a file that cannot be read */
async function verifyFile(path: string, trusted: readonly string[]): Promise<Verified> {
  const handle = await open(path).catch((error: Error) => {
    throw new UsageError(`${path} could not be read: ${error.message}`);
  });
  await handle.close();
  try {
    return await verifyExport(linesOf(createReadStream(path) as AsyncIterable<Buffer>, LONGEST_LINE), trusted);
  } catch (error) {
    if (error instanceof LineTooLongError)
      throw new CommandError(`${path} is no export of closed days: a line is too long.`);
    throw error;
  }
}

/** @returns the exit code */
function sayVerified(output: Output, { days, first, last, hash, faults, notes }: Verified): number {
  for (const fault of faults) output.out(fault);
  for (const note of notes) output.out(note);
  if (faults.length > 0) return 1;
  if (days === 0) output.out('No day is closed.');
  else output.out(`${days} closed days from ${first} to ${last} agree. SHA-256 of the last: ${hash}.`);
  return 0;
}

function sayTotals(output: Output, { day, state, totals, hash }: DayCloseView): void {
  output.out(`${day}, ${state}${hash === undefined ? '' : `, SHA-256 ${hash}`}.`);
  const say = <Item extends object>(heading: string, items: readonly Item[], rowOf: (item: Item) => Row): void => {
    if (items.length === 0) return;
    output.out(`${heading}:`);
    print(output, items, rowOf, false);
  };
  say('Accounts', totals.accounts, (row) => ({ ...row }));
  say('With providers', totals.movements, ({ connection, ...row }) => ({ ...row, connection }));
  say('Compared files', totals.files, ({ digest: _digest, ...row }) => ({ ...row }));
  say('Lines of closed days', totals.lateLines, (row) => ({ ...row }));
  say('Open mismatches', totals.open, (row) => ({ ...row }));
  say('Player funds', totals.funds, (row) => ({ ...row }));
}

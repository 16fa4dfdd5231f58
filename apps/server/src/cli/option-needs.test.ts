import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { systemClock } from '@opencashier/core/time/clock';
import { expect, test } from 'vitest';
import { createProgram } from './command-line.ts';
import { runCommand } from './run-command.fixture.ts';
import { createSession } from './session.ts';

const environment = { DATABASE_URL: 'postgres://of-this-test' };
const noDatabase = async () => {
  throw new Error('a wrong command opens no database');
};

/** A command, the option that does nothing in it, and what is missing. */
const INCOMPLETE: readonly (readonly [string, string, string])[] = [
  ['addresses lost --by maria', '--by', '--acknowledge'],
  ['addresses lost --acknowledge', '--acknowledge', '--by'],
  ['recount-chains --by maria', '--by', '--correct'],
  ['recount-chains --correct', '--correct', '--by'],
  ['approvals set acme --currency EUR --second-above 5', '--second-above', '--above'],
  ['debts deposits acme --by maria', '--by', '--pay'],
  ['debts release acme --by maria', '--by', '--when-paid'],
  ['set-wallet acme operator --same-wallet', '--same-wallet', '--wallet-url'],
  ['day-closes verify acme --key abc', '--key', '--file'],
  ['archive --before 2024-01', '--before', '--to'],
  ['archive --to folder', '--to', '--before'],
  ['archive --verify file --keep', '--keep', '--before'],
  ['archive --verify file --dry-run', '--dry-run', '--before'],
  ['archive --verify file --least-months 2', '--least-months', '--before'],
  [
    'update-operator acme --by maria',
    '--by',
    '--name or --add-origin or --remove-origin or --webhook-url or --deposits or --withdrawals or --codes or --deposit-limits or --playthrough or --bonus-engine or --bonus-fallback or --debug',
  ],
];

test.each(INCOMPLETE)('%s is refused: an option is missing', async (command, option, missing) => {
  expect(await runCommand(command, { environment, open: noDatabase })).toMatchObject({
    exitCode: 2,
    out: '',
    errors: expect.stringContaining(
      `${option} does nothing without ${missing}. Give both, or leave ${option} out.`,
    ) as string,
  });
});

test('an option that no decision reads is unknown', async () => {
  const confirm = 'day-closes confirm acme 0c6f4e1a-5d1c-4c55-9b6b-3d5a0a6b7f01 --by maria --reason no';
  expect(await runCommand(confirm, { environment, open: noDatabase })).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining(`unknown option '--reason'`) as string,
  });
});

test('archive takes either a month or a file to verify', async () => {
  const both = await runCommand('archive --before 2024-01 --to folder --verify file', {
    environment,
    open: noDatabase,
  });
  expect(both).toMatchObject({ exitCode: 2, errors: expect.stringContaining('or --verify') as string });
});

const flatten = (command: CommandUnknownOpts): readonly CommandUnknownOpts[] => [
  command,
  ...command.commands.flatMap(flatten),
];
const nameOf = (command: CommandUnknownOpts): string =>
  command.parent?.parent == null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

test('every command that also only shows asks for more than a name', () => {
  const output = { out: () => undefined, error: () => undefined, progress: () => undefined };
  const { session } = createSession({ environment, output, clock: systemClock, open: noDatabase });
  const shows = flatten(createProgram(session)).filter((command) => {
    const by = command.options.find(({ long }) => long === '--by');
    const isOnlyForSome = by !== undefined && !by.mandatory && by.defaultValue === undefined;
    return isOnlyForSome || (by !== undefined && command.description().startsWith('shows or'));
  });
  const listed = INCOMPLETE.filter(([, option]) => option === '--by').map(([command]) =>
    command.replace(/ (?:acme )?--.*/, ''),
  );
  expect(shows.map(nameOf).toSorted()).toEqual(listed.toSorted());
});

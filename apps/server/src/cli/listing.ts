/** What the commands share that are about one operator: finding the operator, reading options, and printing rows. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { staffSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import type { Database } from '../database/database.ts';
import { listOperators } from '../operators/manage-operators.ts';
import { type Actor, byCommandLine } from '../operators/setting-history.ts';
import { issueWords } from '../requests/issue-words.ts';
import { CommandError, type Output, type Session, UsageError } from './command.ts';

/** The cells of a table for people, by their heading. */
export type Row = Readonly<Record<string, string | number | undefined>>;

/** The argument of every command that is about one operator. */
export const operatorArgument = ['<operator>', 'public name of the operator'] as const;

/** @throws CommandError if there is no such operator */
export async function operatorIdOf(database: Database, partnerKey: string): Promise<string> {
  const id = await knownOperatorId(database, partnerKey);
  if (id === undefined) throw noSuchOperator(partnerKey);
  return id;
}

/** Undefined when the database has no such operator. */
export async function knownOperatorId(database: Database, partnerKey: string): Promise<string | undefined> {
  return (await listOperators(database)).find((candidate) => candidate.partnerKey === partnerKey)?.id;
}

export function noSuchOperator(partnerKey: string): CommandError {
  return new CommandError(`The operator ${partnerKey} does not exist.`);
}

/** Options whose name differs from the name of the API's field. */
const optionNames: Readonly<Record<string, string>> = {
  userId: 'user',
  paymentMethod: 'method',
  decidedBy: 'by',
  messageId: 'message',
  staff: 'by',
};

/** The option for a field of the API, such as `--method` for `paymentMethod`. */
export function optionOf(name: string): string {
  return `--${optionNames[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Reads options with the schema of the operator API. @throws UsageError that names the wrong option and what is expected */
export function readOptions<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  // An option may be a part of a list, such as `limits.0.max`.
  const name = (v.getDotPath(issue) ?? '').split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
  const option = optionOf(name);
  throw new UsageError(`${option} is wrong. ${issueWords(issue)}`, option);
}

/** The option of every command that changes a setting. */
export const byOption = ['--by <name>', 'who changes it, for the history', byCommandLine] as const;

const actorSchema = v.object({ staff: staffSchema });

/** @throws UsageError for a name that is none */
export function actorOf(by: string): Actor {
  return { by: readOptions(actorSchema, { staff: by }).staff };
}
/** The option of every list. */
export const jsonOption = ['--json', 'a line of JSON for each item, with the names of the operator API'] as const;

/** Adds the options of a list that comes in pages. */
export function withPages<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .option('--limit <number>', 'number of rows in a page')
    .option('--cursor <cursor>', 'continues after the page that printed this cursor')
    .option(...jsonOption);
}

/** A list of one operator's rows, without filters. */
interface OperatorList<Query, Page, Item> {
  readonly query: v.GenericSchema<unknown, Query>;
  page(database: Database, operatorId: string, query: Query): Promise<Page>;
  itemsOf(page: Page): readonly Item[];
  rowOf(item: Item): Row;
}

/** Adds the arguments, the options and the action of such a list to a command. */
export function addOperatorList<Query, Page extends { readonly nextCursor?: string | undefined }, Item extends object>(
  command: Command,
  { output, withDatabase }: Session,
  list: OperatorList<Query, Page, Item>,
): void {
  withPages(command.argument(...operatorArgument)).action((partnerKey, { json = false, ...filter }) => {
    const query = readOptions(list.query, filter);
    return withDatabase(async (database) => {
      const page = await list.page(database, await operatorIdOf(database, partnerKey), query);
      print(output, list.itemsOf(page), list.rowOf, json, page.nextCursor);
      return 0;
    });
  });
}

/**
 * Prints one line for each item: a table for people, or JSON for programs.
 *
 * @param items as the operator API answers them, so that programs read the same names from both
 * @param rowOf the cells of an item in the table
 */
export function print<Item extends object>(
  output: Output,
  items: readonly Item[],
  rowOf: (item: Item) => Row,
  isJson: boolean,
  nextCursor?: string,
): void {
  if (isJson) {
    printJson(output, items, nextCursor);
    return;
  }
  if (items.length === 0) output.out('None.');
  else for (const line of table(items.map(rowOf))) output.out(line);
  if (nextCursor !== undefined) printMore(output, nextCursor);
}

/** Prints one line of JSON for each item. */
export function printJson(output: Output, items: readonly object[], nextCursor?: string): void {
  for (const item of items) output.out(JSON.stringify(item));
  if (nextCursor !== undefined) printMore(output, nextCursor);
}

/** Says how to read the next page. On the error stream, because a program may read the rows from the other. */
export function printMore(output: Output, nextCursor: string): void {
  output.error(`More: --cursor ${nextCursor}`);
}

/** A column for each name that any of the rows has. */
function table(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '–')))];
  const widths = names.map((_name, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

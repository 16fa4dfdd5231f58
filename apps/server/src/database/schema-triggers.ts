/** The triggers that the files of the schema create: the one list of what guards which table. */
import type { Schema } from './schema-files.ts';

/** A trigger of a table. */
export interface SchemaTrigger {
  readonly table: string;
  readonly name: string;
  /** From `create` up to the semicolon, with single spaces. */
  readonly text: string;
}

const STATEMENT = /^create (?:or replace )?(?:constraint )?trigger (?<made>\w+) .*? on (?<place>\w+) /;
const DROPPED = /^drop trigger (?:if exists )?(?<gone>\w+) on (?<from>\w+)/;
const TABLE_DROPPED = /^drop table (?:if exists )?(?<table>\w+)/;

/** All triggers of a schema, in the order of its files. A later file may drop a trigger of an earlier one. */
export function triggersOf({ baseline, migrations }: Pick<Schema, 'baseline' | 'migrations'>): SchemaTrigger[] {
  const triggers = new Map<string, SchemaTrigger>();
  for (const { sql } of [...baseline, ...migrations]) {
    for (const statement of statementsOf(sql)) apply(triggers, statement);
  }
  return [...triggers.values()];
}

function apply(triggers: Map<string, SchemaTrigger>, text: string): void {
  const { made, place } = STATEMENT.exec(`${text} `)?.groups ?? {};
  if (made !== undefined && place !== undefined) triggers.set(`${place} ${made}`, { table: place, name: made, text });
  const { gone, from } = DROPPED.exec(text)?.groups ?? {};
  if (gone !== undefined) triggers.delete(`${from} ${gone}`);
  const { table } = TABLE_DROPPED.exec(text)?.groups ?? {};
  for (const [key, trigger] of triggers) if (trigger.table === table) triggers.delete(key);
}

/** Each begins at the beginning of a line, so that no line of a function is taken for a statement. */
function statementsOf(sql: string): string[] {
  const withoutComments = sql.replaceAll(/^\s*--.*$/gm, '');
  const starts = withoutComments.matchAll(/^(?:create|drop) [^;]*/gm);
  return [...starts].map(([text]) => text.replaceAll(/\s+/g, ' ').trim());
}

const REFUSED = / before (?<events>[a-z ]+) on \w+ for each row execute function refuse_change\(\)$/;

/** The tables whose rows no statement may change or delete, or only not delete. A condition of a trigger makes an exception, so it does not count. */
export function guardedRows(triggers: readonly SchemaTrigger[]): {
  readonly appendOnly: readonly string[];
  readonly neverDeleted: readonly string[];
} {
  const refused = new Map<string, Set<string>>();
  for (const { table, text } of triggers) {
    const events = REFUSED.exec(text)?.groups?.events?.split(' or ') ?? [];
    refused.set(table, new Set([...(refused.get(table) ?? []), ...events]));
  }
  const kept = [...refused].filter(([, events]) => events.has('delete'));
  const isAppendOnly = ([, events]: readonly [string, ReadonlySet<string>]): boolean => events.has('update');
  return {
    appendOnly: kept.filter(isAppendOnly).map(([table]) => table),
    neverDeleted: kept.filter((entry) => !isAppendOnly(entry)).map(([table]) => table),
  };
}

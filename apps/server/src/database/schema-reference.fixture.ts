/** The two pages of `docs/reference` about the schema, generated from the database. */
import type { Column, DatabaseSchema, Table } from './read-schema.fixture.ts';
import { type SchemaFile, schema } from './schema-files.ts';

const GENERATED = 'Generated from the database by `npm run docs:schema`. Change it in `apps/server/src/database`.';

/** `schema.sql`: every table with its comment, constraints, indexes and triggers, every view and function, and the reference data. */
export function schemaSql({ tables, views, functions }: DatabaseSchema): string {
  const parts = [
    `-- The whole schema. ${GENERATED}`,
    ...tables.map(tableSql),
    ...views.map(asWritten),
    ...functions.map(functionSql),
  ];
  return `${parts.join('\n\n')}\n`;
}

function tableSql({ name, comment, columns, constraints, indexes, triggers, rows, partitionKey }: Table): string {
  const body = [
    ...columns.map(columnSql),
    ...constraints.map(({ name: rule, definition }) => `constraint ${rule} ${asWritten(definition)}`),
  ];
  return [
    `-- ${comment ?? ''}`,
    `create table ${name} (`,
    body.map((line) => `  ${line}`).join(',\n'),
    partitionKey === null ? ');' : `) partition by ${asWritten(partitionKey)};`,
    ...[...indexes, ...triggers].map((statement) => `${asWritten(statement)};`),
    ...(rows.length === 0 ? [] : [`-- Rows of ${name}:`, ...rows.map((row) => `--   ${row}`)]),
  ].join('\n');
}

function columnSql({ name, type, isRequired, value }: Column): string {
  return [name, asWritten(type), isRequired ? 'not null' : '', asWritten(value)]
    .filter((word) => word !== '')
    .join(' ');
}

function functionSql(text: string): string {
  const [head = '', ...body] = text.split('AS $function$');
  return `${[asWritten(head), ...body].join(' as $function$')};`;
}

/** Rewrites PostgreSQL's answer in our style, because it returns capitals and adds a type to every text. */
function asWritten(statement: string): string {
  return statement
    .replaceAll(/\s+/g, ' ')
    .split(/('(?:[^']|'')*')/)
    .map((part) => (part.startsWith("'") ? part : part.replace(/\b[A-Z]+\b/g, (word) => word.toLowerCase())))
    .join('')
    .replaceAll("'::text", "'")
    .replaceAll(' using btree', '')
    .replaceAll('timestamp with time zone', 'timestamptz')
    .trim();
}

/** The main tables: the diagram shows these, and the page lists the others. */
const MAIN = [
  'operator',
  'deposit',
  'payment',
  'refund',
  'dispute',
  'deposit_event',
  'withdrawal',
  'withdrawal_decision',
  'withdrawal_event',
  'journal',
  'posting',
  'account',
  'review_decision',
  'webhook_delivery',
];
/** Columns that describe a row, beside its keys. */
const DESCRIPTIVE = new Set(
  'user_id owner client_key provider provider_ref ext_source ext_ref kind state status outcome amount currency asset balance'.split(
    ' ',
  ),
);

/** `schema.md`: a diagram of the main tables, and every table by subject with its comment. */
export function schemaPage({ tables }: DatabaseSchema): string {
  const main = MAIN.map((name) => {
    const table = tables.find((one) => one.name === name);
    if (table === undefined) throw new Error(`The diagram shows ${name}, which the database does not have`);
    return table;
  });
  const lines = [
    '# The schema',
    '',
    GENERATED,
    '',
    'The [whole schema](schema.sql) in one file. The diagram shows the main tables with their keys. A solid line is a foreign key. A dotted',
    'line is a reference without one, so that a row can be stored before the row that it names. Every row with an `operator_id` belongs to',
    'that operator; those lines are drawn only where no other line leads to the table.',
    '',
    '```mermaid',
    'erDiagram',
    ...main.flatMap((table) => entity(table, main)),
    ...main.flatMap((table) => relations(table, main)),
    '```',
    ...subjects(tables).flatMap(subjectLines),
  ];
  return `${lines.join('\n')}\n`;
}

/** A line of the diagram: a table that refers to another. */
interface Reference {
  readonly columns: readonly string[];
  readonly target: string;
  /** Whether a foreign key enforces it. */
  readonly isForeignKey: boolean;
}

/** References to the main tables: foreign keys, and columns that are named after a table without one. */
function referencesOf({ columns, constraints }: Table, main: readonly Table[]): Reference[] {
  const isMain = (target: string | null): target is string => main.some(({ name }) => name === target);
  const held = constraints.flatMap((key) =>
    key.kind === 'f' && isMain(key.target) ? [{ columns: key.columns, target: key.target, isForeignKey: true }] : [],
  );
  const named = new Set(held.flatMap((reference) => reference.columns));
  const loose = columns.flatMap(({ name }) => {
    const target = name.replace(/_id$/, '');
    return target !== name && !named.has(name) && isMain(target)
      ? [{ columns: [name], target, isForeignKey: false }]
      : [];
  });
  return [...held, ...loose];
}

function entity(table: Table, main: readonly Table[]): string[] {
  const named = new Set(referencesOf(table, main).flatMap(({ columns }) => columns));
  const keys = new Set(table.constraints.flatMap(({ kind, columns }) => (kind === 'p' ? columns : [])));
  const shown = table.columns
    .filter(({ name }) => keys.has(name) || named.has(name) || DESCRIPTIVE.has(name))
    .map(({ name, type }) => {
      const marks = [...(keys.has(name) ? ['PK'] : []), ...(named.has(name) ? ['FK'] : [])].join(', ');
      return `    ${asWritten(type)} ${name} ${marks}`.trimEnd();
    });
  return [`  ${table.name} {`, ...shown, '  }'];
}

/** Lines between referring tables. A line to the operator is drawn only for a table without another line. */
function relations(table: Table, main: readonly Table[]): string[] {
  const isRequired = (column: string) => table.columns.some(({ name, isRequired }) => name === column && isRequired);
  const references = referencesOf(table, main);
  const others = references.filter(({ target }) => target !== 'operator' && target !== table.name);
  const drawn = others.length === 0 ? references : references.filter(({ target }) => target !== 'operator');
  return drawn.map(({ columns, target, isForeignKey }) => {
    const least = columns.every(isRequired) ? '||' : '|o';
    return `  ${target} ${least}${isForeignKey ? '--' : '..'}o{ ${table.name} : "${columns.join(', ')}"`;
  });
}

interface Subject {
  readonly title: string;
  readonly path: string;
  readonly about: string;
  readonly tables: readonly Table[];
}

/** A table belongs to the file that creates it. Tables of the runner and of migrations come last. */
function subjects(tables: readonly Table[]): Subject[] {
  const made = schema.baseline.map((file) => ({ file, names: createdBy(file) }));
  const others = tables.filter(({ name }) => !made.some(({ names }) => names.includes(name)));
  return [
    ...made
      .filter(({ names }) => names.length > 0)
      .map(({ file, names }) => ({
        title: titleOf(file),
        path: pathOf(file),
        about: aboutOf(file),
        tables: tables.filter(({ name }) => names.includes(name)),
      })),
    {
      title: 'Schema files and later tables',
      path: 'apps/server/src/database',
      about: 'Tables of the runner and of migrations.',
      tables: others,
    },
  ];
}

function createdBy({ sql }: SchemaFile): string[] {
  return Array.from(sql.matchAll(/^create table (\w+)/gm), ([, name = '']) => name);
}

function subjectLines({ title, path, about, tables }: Subject): string[] {
  return [
    '',
    `## ${title}`,
    '',
    about,
    `[\`${path}\`](../../${path})`,
    '',
    '| table | what a row is |',
    '|---|---|',
    ...tables.map(({ name, comment }) => `| \`${name}\` | ${comment} |`),
  ];
}

function titleOf({ name }: SchemaFile): string {
  const words = name
    .replace('baseline/', '')
    .replace(/^providers\/(.*)$/, 'provider $1')
    .replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function pathOf({ name }: SchemaFile): string {
  const place = name.replace('baseline/', '');
  return place.startsWith('providers/')
    ? `apps/server/src/${place}/schema.sql`
    : `apps/server/src/database/schema/${place}.sql`;
}

/** The comment at the start of the file. */
function aboutOf({ sql }: SchemaFile): string {
  const lines = sql.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('--'));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^-- ?/, ''))
    .join('\n');
}

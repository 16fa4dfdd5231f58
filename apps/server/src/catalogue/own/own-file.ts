/** The file of an operator's catalogue: YAML, or JSON, which is YAML, too. Its faults have a line and a column. */
import { type OwnCatalogue, ownCatalogueSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { Document, isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { issueWords } from '../../requests/issue-words.ts';
import { type SoundPart, soundPart } from './sound-part.ts';
import { yamlFaultWords } from './yaml-faults.ts';

/** A wrong place in a file, such as `12:7`. */
export interface FileFault {
  /** Counted from one. */
  readonly line: number;
  readonly column: number;
  /** Such as `methods.card.limits.USD.min`. */
  readonly path: string;
  readonly message: string;
}

interface Places {
  /** The place of a path in the file. A missing key is at the map that lacks it. */
  readonly placeOf: (path: string) => { readonly line: number; readonly column: number };
}

/** A file of settings that was read, or all faults of its shape. */
export type SettingsFile<Content> =
  | ({ readonly kind: 'read'; readonly content: Content } & Places)
  | {
      readonly kind: 'faults';
      readonly faults: readonly FileFault[];
      /** The parts of a right shape. Absent: none can be told apart. */
      readonly sound?: SoundPart<Content> & Places;
    };

/** A file of a catalogue that was read, or all faults of its shape. */
export type OwnFile =
  | ({
      readonly kind: 'read';
      readonly catalogue: OwnCatalogue;
      /** The version that the file is based on, if it says so. */
      readonly baseVersion: number | undefined;
    } & Places)
  | {
      readonly kind: 'faults';
      readonly faults: readonly FileFault[];
      readonly sound?: { readonly catalogue: OwnCatalogue } & Omit<SoundPart<OwnCatalogue>, 'content'> & Places;
    };

const fileSchema = v.strictObject({
  ...ownCatalogueSchema.entries,
  /** `catalogue export` writes it. The file is refused when somebody has changed the catalogue since. */
  baseVersion: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});

/** A file with more aliases than this is an attack. */
const mostAliases = 100;

/** Keys whose numbers are amounts. Written without quotes they are read as they stand, so no digit is lost. */
const amountKeys = new Set(['min', 'max', 'fixed', 'percent', 'prefilled', 'recommended']);

export function readOwnFile(text: string): OwnFile {
  const read = readSettingsFile(fileSchema, text, amountKeys);
  if (read.kind === 'faults') {
    const { faults, sound } = read;
    if (sound === undefined) return { kind: 'faults', faults };
    const { content, ...rest } = sound;
    const { baseVersion: _version, ...catalogue } = content;
    return { kind: 'faults', faults, sound: { catalogue, ...rest } };
  }
  const { baseVersion, ...catalogue } = read.content;
  return { kind: 'read', catalogue, baseVersion, placeOf: read.placeOf };
}

/**
 * Reads a file of settings with its schema.
 * @param amounts the keys whose numbers are amounts; without quotes they are read as they stand
 */
export function readSettingsFile<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
  amounts: ReadonlySet<string>,
): SettingsFile<v.InferOutput<Schema>> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (document.errors.length > 0) {
    const faults = document.errors.map(({ pos, code, message }) => {
      const place = placeAt(pos[0]);
      return { ...place, path: '', message: yamlFaultWords(text, place.line, code, message) };
    });
    return { kind: 'faults', faults };
  }
  const placeOf = (path: readonly (string | number)[]) => placeAt(offsetOf(document, path));
  const placeOfPath = (path: string) => placeOf(path.split('.'));
  let content: unknown;
  try {
    quoteAmounts(document.contents, amounts, false);
    content = document.toJS({ maxAliasCount: mostAliases }) ?? {};
  } catch (error) {
    // The library refuses a file whose aliases unfold without end.
    const why = error instanceof Error ? error.message : String(error);
    const message = `${why}. Write the repeated parts out instead of naming them by aliases (*).`;
    return { kind: 'faults', faults: [{ line: 1, column: 1, path: '', message }] };
  }
  const parsed = v.safeParse(schema, content);
  if (!parsed.success) {
    const faults = parsed.issues.map((issue) => {
      const path = (issue.path ?? []).map(({ key }) => key as string | number);
      return { ...placeOf(path), path: path.join('.'), message: issueWords(issue, schema) };
    });
    const sound = soundPart(schema, content, parsed.issues);
    return { kind: 'faults', faults, ...(sound && { sound: { ...sound, placeOf: placeOfPath } }) };
  }
  return { kind: 'read', content: parsed.output, placeOf: placeOfPath };
}

/** Turns numbers into the texts that stand in the file. */
function quoteAmounts(node: unknown, amounts: ReadonlySet<string>, isAmount: boolean): void {
  if (isScalar(node) && isAmount && typeof node.value === 'number') node.value = node.source ?? String(node.value);
  else if (isSeq(node)) for (const item of node.items) quoteAmounts(item, amounts, isAmount);
  else if (isMap(node)) {
    for (const pair of node.items) {
      if (!isPair(pair)) continue;
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      quoteAmounts(pair.value, amounts, amounts.has(key));
    }
  }
}

/** The offset of the deepest node that exists on a path: of its key where it is a value of a map. */
function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number {
  let node: unknown = document.contents;
  let offset = rangeStart(node) ?? 0;
  for (const key of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      offset = rangeStart(pair?.key) ?? offset;
      next = pair?.value;
    } else if (isSeq(node)) {
      next = node.items[Number(key)];
      offset = rangeStart(next) ?? offset;
    }
    if (next === undefined) break;
    node = next;
  }
  return offset;
}

function rangeStart(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

/**
 * Writes a catalogue as YAML.
 * @param comment lines above, without `#`
 */
export function writeOwnFile(catalogue: OwnCatalogue, baseVersion: number, comment: string): string {
  const { groups, methods, countries, currencies, icons, listInPage } = catalogue;
  const content = { baseVersion, listInPage, currencies, countries, groups, methods, icons };
  const isKept = ([, value]: [string, unknown]): boolean =>
    value !== undefined && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return writeSettingsFile(Object.fromEntries(Object.entries(content).filter(isKept)), comment);
}

/**
 * Writes settings as YAML.
 * @param comment lines above, without `#`
 */
export function writeSettingsFile(content: object, comment: string): string {
  const document = new Document(content, { aliasDuplicateObjects: false });
  document.commentBefore = comment
    .split('\n')
    .map((line) => ` ${line}`)
    .join('\n');
  return document.toString({ lineWidth: 0, singleQuote: true });
}

/** What is wrong with a field of a request or of a file and what is allowed, in plain words for the engineer who wrote it. */
import type * as v from 'valibot';
import { suggestion } from '../errors/similar-name.ts';

type Issue = v.BaseIssue<unknown>;

interface SchemaNode {
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  readonly wrapped?: SchemaNode;
  readonly item?: SchemaNode;
  readonly value?: SchemaNode;
}

/** More names would hide the message. */
const mostNames = 20;

/**
 * The words for an issue. They never repeat the received value, which a person may have typed.
 *
 * @param schema of the whole request; it names the known fields where one is unknown
 */
export function issueWords(issue: Issue, schema?: v.GenericSchema): string {
  if (issue.kind === 'schema' && issue.expected === 'never') return unknownFieldWords(issue, schema);
  if (issue.received === 'undefined') return requiredWords(issue);
  return issue.kind === 'schema' ? typeWords(issue) : ruleWords(issue);
}

function unknownFieldWords(issue: Issue, schema: v.GenericSchema | undefined): string {
  const path = (issue.path ?? []).map(({ key }) => key);
  const names = schema === undefined ? [] : knownFields(schema, path.slice(0, -1));
  const meant = suggestion(String(path.at(-1)), names);
  if (names.length === 0 || names.length > mostNames) return `This field is unknown.${meant || ' Remove it.'}`;
  return `This field is unknown.${meant} Known fields: ${names.join(', ')}.`;
}

/** The names of the fields that a schema knows for the object at a path. Valibot's issues do not name them. */
function knownFields(schema: v.GenericSchema, path: readonly unknown[]): string[] {
  const node = path.reduce<SchemaNode | undefined>(partOf, schema as SchemaNode);
  return Object.keys(plain(node)?.entries ?? {});
}

/** The schema inside `optional` and the like. */
function plain(node: SchemaNode | undefined): SchemaNode | undefined {
  return node?.wrapped ? plain(node.wrapped) : node;
}

function partOf(node: SchemaNode | undefined, key: unknown): SchemaNode | undefined {
  const inner = plain(node);
  return inner?.item ?? inner?.value ?? inner?.entries?.[String(key)];
}

function requiredWords(issue: Issue): string {
  // A missing field of an object is an issue of the object, which expects the field's name.
  const isNamed = issue.type === 'object' || issue.type === 'strict_object';
  return isNamed ? 'This field is required.' : `This field is required. ${typeWords(issue)}`;
}

/** What to give for a JSON type, by valibot's name for it. */
const types: Readonly<Record<string, string>> = {
  string: 'Give a text.',
  number: 'Give a number.',
  boolean: 'Give true or false.',
  array: 'Give a list.',
  Array: 'Give a list.',
  object: 'Give an object.',
  Object: 'Give an object.',
};

function typeWords({ expected }: Issue): string {
  if (expected === null) return 'This value is not allowed.';
  const known = types[expected];
  if (known !== undefined) return known;
  const choices = expected.replace(/^\((.*)\)$/, '$1').split(' | ');
  const texts = choices.map((choice) => choice.replace(/^"(.*)"$/, '$1'));
  return texts.length === 1 ? `Give ${texts[0]}.` : `Give one of: ${texts.join(', ')}.`;
}

/** A rule of a value whose type is right. */
function ruleWords({ type, requirement, message, input }: Issue & { readonly requirement?: unknown }): string {
  switch (type) {
    case 'uuid':
      return 'Give a UUID, such as 9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01.';
    case 'iso_timestamp':
      return 'Give a time in ISO 8601 with a zone, such as 2026-01-31T10:15:00Z.';
    case 'integer':
    case 'safe_integer':
      return 'Give a whole number.';
    case 'min_value':
      return `Give at least ${requirement}.`;
    case 'max_value':
      return `Give at most ${requirement}.`;
    case 'min_length':
      return `Give at least ${requirement} ${unitOf(input, requirement)}.`;
    case 'max_length':
      return `Give at most ${requirement} ${unitOf(input, requirement)}.`;
    default:
      // The contract words its own rules, such as "a currency code such as EUR". Valibot's words repeat the received value.
      if (!message.startsWith('Invalid ')) return `Give ${message}.`;
      return requirement instanceof RegExp ? `Give a text of the form ${requirement}.` : 'This value is not allowed.';
  }
}

function unitOf(input: unknown, count: unknown): string {
  const unit = Array.isArray(input) ? 'entr' : 'character';
  if (unit === 'entr') return count === 1 ? 'entry' : 'entries';
  return count === 1 ? unit : `${unit}s`;
}

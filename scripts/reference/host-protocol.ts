/** The page of the protocol between host and widget, read from the file that is the protocol. */
import { hostLimits, payloadFields, protocolVersion, widgetVersion } from '@opencashier/contract/host';
import { wholeRequestSchema } from './json-schema.ts';

interface Message {
  readonly name: string;
  readonly payload: string;
  readonly words: string;
}

/**
 * @param source the text of `messages.ts`: a heading comment, and unions whose members carry a comment each
 * @throws Error when the file no longer has that form, so that a page is never silently short
 */
export function hostProtocol(source: string): string {
  const heading = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(source)?.[1];
  if (heading === undefined) throw new Error('messages.ts has no heading comment.');
  return `${[
    '# Host protocol',
    '<!-- Generated from packages/contract/src/host by `npm run docs`. Do not edit. -->',
    `Version ${protocolVersion} of the protocol, spoken by widget ${widgetVersion}.`,
    plain(heading),
    '## What the widget says',
    messageTable(membersOf(source, 'WidgetMessage')),
    '## What the host says',
    messageTable(membersOf(source, 'HostMessage')),
    '## Words',
    ...['TransactionEvent', 'WidgetErrorCode'].map((name) => `\`${name}\`: ${wordsOf(source, name)}`),
    '## Payload of `loaded`',
    'Everything may be left out, though without `token` no call is answered. A field of a wrong type takes its default and is reported; unknown fields are dropped.',
    payloadTable(),
    '## Limits',
    'A message beyond them is dropped and counted, never half read.',
    `| limit | value |\n| --- | --- |\n${Object.entries(hostLimits)
      .map(([name, value]) => `| ${name} | ${value} |`)
      .join('\n')}`,
  ].join('\n\n')}\n`;
}

/** A comment's text without its stars. */
function plain(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').replace(/^\s+(?=\S)/, (space) => space))
    .join('\n')
    .trim();
}

function unionOf(source: string, name: string): string {
  const union = new RegExp(`export type ${name} =([\\s\\S]*?);\\n(?:\\n|$)`).exec(source)?.[1];
  if (union === undefined) throw new Error(`messages.ts has no union ${name}.`);
  return union;
}

function membersOf(source: string, name: string): Message[] {
  const union = unionOf(source, name);
  const member = /\/\*\* (.*?) \*\/\s*\| \{ messageType: '([^']+)'; payload(\??): (.+) \}(?=\s*$)/gm;
  const found = [...union.matchAll(member)].map(([, words = '', messageType = '', optional = '', payload = '']) => ({
    name: messageType,
    payload: `${payload}${optional === '' ? '' : ' (may be left out)'}`,
    words,
  }));
  const expected = union.match(/messageType:/g)?.length ?? 0;
  if (found.length === 0 || found.length !== expected) {
    throw new Error(`${name} has ${expected} members, of which ${found.length} could be read.`);
  }
  return found;
}

function messageTable(messages: readonly Message[]): string {
  const rows = messages.map(({ name, payload, words }) => `| \`${name}\` | \`${cell(payload)}\` | ${cell(words)} |`);
  return ['| messageType | payload | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function wordsOf(source: string, name: string): string {
  return [...unionOf(source, name).matchAll(/'([^']+)'/g)].map(([, word]) => `\`${word}\``).join(', ');
}

function payloadTable(): string {
  const rows = Object.entries(payloadFields).map(([name, { schema, fallback }]) => {
    const shown = fallback === undefined ? '' : `\`${JSON.stringify(fallback)}\``;
    return `| \`${name}\` | ${cell(typeOf(wholeRequestSchema(schema)))} | ${shown} |`;
  });
  return ['| field | type | default |', '| --- | --- | --- |', ...rows].join('\n');
}

/** A JSON Schema in a few words. */
function typeOf(schema: Record<string, unknown>): string {
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => `\`${value}\``).join(' or ');
  if (schema['type'] === 'array') return `list of ${typeOf((schema['items'] ?? {}) as Record<string, unknown>)}`;
  if (schema['type'] === 'object') {
    const properties = Object.keys((schema['properties'] ?? {}) as object);
    return properties.length === 0 ? 'object' : `object of ${properties.map((name) => `\`${name}\``).join(', ')}`;
  }
  const notes = [
    ...(typeof schema['maxLength'] === 'number' ? [`at most ${schema['maxLength']} characters`] : []),
    ...(typeof schema['pattern'] === 'string' ? [`like \`${schema['pattern']}\``] : []),
  ];
  return [String(schema['type'] ?? 'anything'), ...notes].join(', ');
}

/** A bar would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

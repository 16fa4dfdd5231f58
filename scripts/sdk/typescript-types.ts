/** Schemas as types of TypeScript. */
import { type Field, type Schema, shapeOf } from './schema.ts';

/** `input`: what a caller writes, where an optional field may also be `undefined`. `output`: what a caller gets. */
export type Side = 'input' | 'output';

const simple = {
  text: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  anything: 'unknown',
  nothing: 'null',
} as const;

export function typeText(schema: Schema, side: Side, indent = ''): string {
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case 'named':
      return shape.name;
    case 'values':
      return shape.values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
    case 'list': {
      const items = typeText(shape.items, side, indent);
      return `${/ \| /.test(items) && !items.startsWith('{') ? `(${items})` : items}[]`;
    }
    case 'map':
      return `Record<string, ${typeText(shape.values, side, indent)}>`;
    case 'union':
      return shape.members.map((member) => `\n${indent}  | ${typeText(member, side, `${indent}    `)}`).join('');
    case 'object':
      return objectText(shape.fields, side, indent);
    default:
      return simple[shape.kind];
  }
}

/** The fields of an object in braces. */
export function objectText(fields: readonly Field[], side: Side, indent = ''): string {
  if (fields.length === 0) return 'Record<string, never>';
  const inner = `${indent}  `;
  const lines = fields.map(({ name, required, schema }) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
    const orUndefined = !required && side === 'input' ? ' | undefined' : '';
    return `${comment(schema.description, inner)}${inner}${key}${required ? '' : '?'}: ${typeText(schema, side, inner)}${orUndefined};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** A documentation comment with its line end; empty without a text. */
export function comment(text: string | undefined, indent = ''): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`;
}

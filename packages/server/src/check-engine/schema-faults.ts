/** The first fault of a value by a schema of the contract. It reads the parts of JSON Schema that `npm run sdk` writes for a bonus. */

export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
}

/** `path` such as `depositBonusData.minDeposit`; empty: the value itself. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** @returns undefined for a value that keeps the schema */
export function schemaFault(schema: Schema, value: unknown, path = ''): Fault | undefined {
  const message = typeFault(schema, value) ?? textFault(schema, value) ?? numberFault(schema, value);
  if (message !== undefined) return { path, message };
  if (Array.isArray(value)) {
    return firstOf(value.map((item, index) => () => schemaFault(schema.items ?? {}, item, join(path, String(index)))));
  }
  return schema.type === 'object' ? objectFault(schema, value as Readonly<Record<string, unknown>>, path) : undefined;
}

function typeFault({ type, enum: allowed }: Schema, value: unknown): string | undefined {
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const isRight = type === undefined || found === type || (type === 'integer' && Number.isInteger(value));
  if (!isRight) return `It must be ${withArticle(type)}, and is ${withArticle(found)}.`;
  if (allowed === undefined || allowed.includes(value)) return undefined;
  return `It must be one of: ${allowed.join(', ')}.`;
}

function textFault({ pattern, minLength = 0, maxLength, format }: Schema, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.length < minLength) return 'It must not be empty.';
  if (maxLength !== undefined && value.length > maxLength) return `It has more than ${maxLength} signs.`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    return `"${value.slice(0, 60)}" does not have the form ${pattern}.`;
  }
  if (format === 'date-time' && !isInstant(value)) {
    return `"${value.slice(0, 60)}" is no time with a zone, such as 2026-01-31T10:15:00Z.`;
  }
  return undefined;
}

function numberFault({ minimum, maximum }: Schema, value: unknown): string | undefined {
  if (typeof value !== 'number') return undefined;
  if (minimum !== undefined && value < minimum) return `It must be at least ${minimum}.`;
  return maximum !== undefined && value > maximum ? `It must be at most ${maximum}.` : undefined;
}

function objectFault(schema: Schema, value: Readonly<Record<string, unknown>>, path: string): Fault | undefined {
  const { properties = {}, required = [], additionalProperties: others, propertyNames } = schema;
  const missing = required.find((name) => value[name] === undefined);
  if (missing !== undefined) return { path: join(path, missing), message: 'It is missing.' };
  return firstOf(
    Object.entries(value).map(([name, part]) => () => {
      const at = join(path, name);
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (known !== undefined) return schemaFault(known, part, at);
      if (others === false) return { path: at, message: 'The contract has no such field. Remove it.' };
      const fault = propertyNames && schemaFault(propertyNames, name, at);
      return fault ?? (typeof others === 'object' ? schemaFault(others, part, at) : undefined);
    }),
  );
}

const instantForm =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ](?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)$/;

/** A time of the calendar with a zone. The cashier refuses the 30th of February and the year 0. */
function isInstant(text: string): boolean {
  if (!instantForm.test(text) || text.startsWith('0000')) return false;
  const second = text.slice(0, 'yyyy-mm-dd hh:mm:ss'.length).replace(' ', 'T');
  const read = new Date(`${second}Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(second);
}

function firstOf(checks: readonly (() => Fault | undefined)[]): Fault | undefined {
  for (const check of checks) {
    const fault = check();
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
const names: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  integer: 'a whole number',
};
const withArticle = (type = ''): string =>
  names[type] ?? (type === 'null' ? type : `a${/^[aeio]/.test(type) ? 'n' : ''} ${type}`);

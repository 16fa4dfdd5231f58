import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { operatorEndpoints } from './endpoints.ts';
import { staffSchema } from './fields.ts';

/** The parts of a schema that hold other schemas. */
interface Parts {
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly wrapped?: v.GenericSchema;
  readonly rest?: unknown;
  readonly options?: readonly unknown[];
  readonly items?: readonly unknown[];
  readonly pipe?: readonly unknown[];
}

const isSchema = (part: unknown): part is v.GenericSchema =>
  typeof part === 'object' && part !== null && 'kind' in part && part.kind === 'schema';

/** The schemas of all fields that name who decides, also inside of lists and objects. */
function staffFields(schema: v.GenericSchema): v.GenericSchema[] {
  const { entries = {}, item, value, wrapped, rest, options = [], items = [], pipe = [] } = schema as Parts;
  const own = Object.entries(entries).flatMap(([name, field]) =>
    name === 'staff' || name === 'decidedBy' ? [field] : staffFields(field),
  );
  // A schema with a pipe is the first part of it, too.
  const others = [item, value, wrapped, rest, ...options, ...items, ...pipe.slice(1)].filter(isSchema);
  return [...own, ...others.flatMap(staffFields)];
}

const namesOfNoPerson = [
  ...['the-cashier', 'The-Cashier', 'operator-api', 'server-settings', 'sandbox-bank', 'Sandbox-Bank'],
  ...['rule:debts', 'Rule:x'],
];

test('[SRV-1] no request may name the cashier itself as the person who decides', () => {
  const endpoints = Object.values(operatorEndpoints).flatMap((group) => Object.values<Endpoint>(group));
  const names = endpoints.flatMap(({ id, body }) =>
    (body === undefined ? [] : staffFields(body)).map((schema) => ({ id, schema })),
  );
  expect(names.length).toBeGreaterThan(20);
  for (const { id, schema } of names) {
    for (const name of ['maria', 'the-cashiers', 'rules', 'opencashier']) expect(v.is(schema, name), id).toBe(true);
    for (const name of namesOfNoPerson) expect(v.is(schema, name), `${id} ${name}`).toBe(false);
  }
});

test('a field that names who decides is found wherever a body has it', () => {
  const inList = v.object({ parts: v.array(v.object({ staff: staffSchema })) });
  const inChoice = v.variant('kind', [
    v.object({ kind: v.literal('a'), by: v.optional(v.object({ decidedBy: v.string() })) }),
  ]);
  const checked = v.pipe(
    v.object({ of: v.record(v.string(), inList) }),
    v.check(() => true),
  );
  expect([inList, inChoice, checked].map((schema) => staffFields(schema).length)).toEqual([1, 1, 1]);
});

import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { operatorEndpoints } from './endpoints.ts';

test('[SRV-1] no request may name the cashier itself as the person who decides', () => {
  const endpoints = Object.values(operatorEndpoints).flatMap((group) => Object.values<Endpoint>(group));
  const names = endpoints.flatMap(({ id, body }) => {
    const { entries = {} } = (body ?? {}) as { readonly entries?: Readonly<Record<string, v.GenericSchema>> };
    return ['staff', 'decidedBy'].flatMap((field) => (entries[field] ? [{ id, schema: entries[field] }] : []));
  });
  expect(names.length).toBeGreaterThan(20);
  for (const { id, schema } of names) {
    expect([v.is(schema, 'maria'), v.is(schema, 'the-cashiers')], id).toEqual([true, true]);
    expect([v.is(schema, 'the-cashier'), v.is(schema, 'The-Cashier')], id).toEqual([false, false]);
  }
});

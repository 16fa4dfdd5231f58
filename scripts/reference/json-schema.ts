/** Schemas of the contract as JSON Schema 2020-12, which OpenAPI 3.1 and AsyncAPI 3.0 both read. */
import * as api from '@opencashier/contract/api';
import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

export type JsonSchema = Record<string, unknown>;

/** What appears in many messages, by the name under which the pages describe it once. */
const named = {
  Bonus: api.bonusSchema,
  CallError: api.callErrorSchema,
  DepositData: api.depositDataSchema,
  DepositResponse: api.depositResponseSchema,
  FormField: api.formFieldSchema,
  MethodList: api.methodListSchema,
  OnrampOffer: api.onrampOfferSchema,
  PayeeCard: api.payeeCardSchema,
  PaymentGroup: api.paymentGroupSchema,
  PaymentMethod: api.paymentMethodSchema,
  RedirectForm: api.redirectFormSchema,
  Requisite: api.requisiteSchema,
  Transaction: api.transactionSchema,
} satisfies Record<string, GenericSchema>;

const overrideRef = ({ referenceId }: { referenceId: string }): string => `#/components/schemas/${referenceId}`;

/** What a caller may write: defaults may be left out, transformations have not happened. */
export function requestSchema(schema: GenericSchema): JsonSchema {
  return bare(toJsonSchema(schema, { target: 'draft-2020-12', typeMode: 'input', errorMode: 'ignore' }));
}

/** What a caller gets; common parts are references to {@link namedSchemas}. */
export function responseSchema(schema: GenericSchema): JsonSchema {
  const options = { target: 'draft-2020-12', typeMode: 'output', errorMode: 'ignore' } as const;
  return bare(toJsonSchema(schema, { ...options, definitions: named, overrideRef }));
}

/** For `components.schemas` of a page. */
export function namedSchemas(): Record<string, JsonSchema> {
  const options = { target: 'draft-2020-12', typeMode: 'output', errorMode: 'ignore' } as const;
  const schemas = toJsonSchemaDefs(named, { ...options, overrideRef });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, bare(schema)]));
}

/** The dialect is the page's own; the definitions stand in its components. */
function bare(schema: object): JsonSchema {
  const { $schema: _dialect, $defs: _definitions, ...rest } = schema as JsonSchema;
  return rest;
}

/** The properties of an object, each with whether it must be there. */
export function propertiesOf(schema: JsonSchema): { name: string; required: boolean; schema: JsonSchema }[] {
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
  return Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(([name, property]) => ({
    name,
    required: required.has(name),
    schema: property,
  }));
}

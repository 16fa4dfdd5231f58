/** The operator API and its webhooks as the generators of the SDKs read them, from docs/reference/openapi.json. */
import { type Field, fieldsOf, type Schema } from './schema.ts';

export interface Operation {
  /** As in the reference: `refund-deposit`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces: `/operator/v1/users/{userId}/balances`. */
  readonly path: string;
  readonly summary: string;
  /** Parameters of the path, the query and the body together. A request names each of them once. */
  readonly fields: readonly Field[];
  readonly query: readonly string[];
  readonly hasBody: boolean;
  readonly response: Schema;
}

export interface WebhookEvent {
  /** Such as `deposit.processed`. */
  readonly type: string;
  readonly meaning: string;
  /** Of the whole body. */
  readonly fields: readonly Field[];
}

export interface OperatorApi {
  readonly operations: readonly Operation[];
  readonly events: readonly WebhookEvent[];
  /** Schemas that operations and webhooks refer to, by name. Each stands after those that it refers to itself. */
  readonly named: Readonly<Record<string, Schema>>;
  /** Names of the schemas that requests refer to. */
  readonly asked: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
interface Content {
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}
interface PageOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface Page {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PageOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: PageOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** @throws when two parts of a request share a name, because an SDK takes them in one object */
export function readOperatorApi(text: string): OperatorApi {
  const page = JSON.parse(text) as Page;
  const operations = Object.entries(page.paths)
    .filter(([path]) => path.startsWith('/operator/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => readOperation(path, method, operation)),
    );
  const events = Object.entries(page.webhooks).map(([type, { post }]) => ({
    type,
    meaning: post.summary,
    fields: fieldsOf(bodyOf(post.requestBody) ?? {}),
  }));
  const { schemas } = page.components;
  const requests = operations.map(({ fields }) => fields);
  return {
    operations,
    events,
    named: namedBy([operations, events], schemas),
    asked: Object.keys(namedBy(requests, schemas)),
  };
}

/** Names of the schemas that a part of the reference refers to. */
export function namesIn(part: unknown): string[] {
  const names = [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
  return [...new Set(names)].sort();
}

/** @throws when a schema is named that the reference does not have */
function namedBy(part: unknown, schemas: Page['components']['schemas']): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  const seen = new Set<string>();
  const collect = (from: unknown): void => {
    for (const name of namesIn(from)) {
      if (seen.has(name)) continue;
      seen.add(name);
      const schema = schemas[name];
      if (schema === undefined) throw new Error(`The reference names ${name}, but does not describe it.`);
      collect(schema);
      found[name] = schema;
    }
  };
  collect(part);
  return found;
}

function readOperation(path: string, method: string, operation: PageOperation): Operation {
  const { operationId: id, summary, parameters = [], requestBody, responses } = operation;
  const body = bodyOf(requestBody);
  const fields = [
    ...parameters.map(({ name, required = false, description, schema }) => ({
      name,
      required,
      schema: { ...(description !== undefined && { description }), ...schema },
    })),
    ...fieldsOf(body ?? {}),
  ];
  const twice = fields.find(({ name }, index) => fields.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new Error(`${id} has two fields with the name ${twice.name}.`);
  return {
    id,
    method: method.toUpperCase() as Operation['method'],
    path,
    summary,
    fields,
    query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    hasBody: body !== undefined,
    response: bodyOf(responses['200']) ?? {},
  };
}

function bodyOf(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json'].schema;
}

/** `refund-deposit` and `deposit.under_review` in words. */
export const wordsOf = (id: string): string[] => id.split(/[-._]/);
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
/** `RefundDeposit` */
export const pascalOf = (id: string): string => wordsOf(id).map(capital).join('');
/** `refundDeposit` */
export const camelOf = (id: string): string => pascalOf(id).replace(/^./, (first) => first.toLowerCase());

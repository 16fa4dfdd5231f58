/** The calls and pushes over the socket as AsyncAPI 3.0 (NET-3, NET-4). */
import {
  acknowledgementSchema,
  type CallDefinition,
  calls,
  handshakeAuthSchema,
  handshakeQuerySchema,
  pushes,
  socketEventOf,
  socketPath,
} from '@opencashier/contract/api';
import { docOf } from './contract-docs.ts';
import { exampleOf } from './describe.ts';
import { type JsonSchema, namedSchemas, namedSchemasOfApi, requestSchema, responseSchema } from './json-schema.ts';
import { docOfCall, manners } from './openapi.ts';
import { info } from './product.ts';

/** A key of AsyncAPI holds no colon. */
const keyOf = (call: CallDefinition): string => socketEventOf(call).replace(':', '.');

export function asyncApi(): object {
  const all = Object.values(calls) as CallDefinition[];
  return {
    asyncapi: '3.0.0',
    info: {
      ...info,
      description:
        'socket.io 4, websocket transport only. A call is an event with an acknowledgement; a push is an event without one. ' +
        'The token travels in the `auth` of the handshake, never in the address.',
    },
    servers: {
      cashier: {
        host: 'localhost:3000',
        pathname: socketPath,
        protocol: 'wss',
        description: 'npm start',
      },
    },
    channels: {
      socket: {
        address: socketPath,
        description: 'One connection carries all calls of a user, and the pushes to that user.',
        bindings: { ws: { method: 'GET', query: handshake('handshakeQuerySchema', handshakeQuerySchema) } },
        'x-auth': handshake('handshakeAuthSchema', handshakeAuthSchema),
        messages: {
          ...Object.fromEntries(
            all.flatMap((call) => [
              [keyOf(call), callMessage(call)],
              [`${keyOf(call)}.acknowledgement`, acknowledgementMessage(call)],
            ]),
          ),
          ...Object.fromEntries(
            Object.entries(pushes).map(([name, { summary, body }]) => {
              const doc = docOf('api/pushes.ts', 'pushes').fields?.[name]?.fields?.['body'];
              return [`push.${name}`, { name, title: name, summary, ...payload(responseSchema(body, doc)) }];
            }),
          ),
        },
      },
    },
    components: { schemas: namedSchemasOfApi() },
    // AsyncAPI speaks from the side of the server: it receives calls and sends pushes.
    operations: {
      ...Object.fromEntries(
        all.map((call) => [
          keyOf(call),
          {
            action: 'receive',
            channel: { $ref: '#/channels/socket' },
            title: call.name,
            summary: call.summary,
            description: manners(call),
            messages: [{ $ref: `#/channels/socket/messages/${keyOf(call)}` }],
            reply: {
              channel: { $ref: '#/channels/socket' },
              messages: [{ $ref: `#/channels/socket/messages/${keyOf(call)}.acknowledgement` }],
            },
          },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(pushes).map(([name, { summary }]) => [
          `push.${name}`,
          {
            action: 'send',
            channel: { $ref: '#/channels/socket' },
            summary,
            messages: [{ $ref: `#/channels/socket/messages/push.${name}` }],
          },
        ]),
      ),
    },
  };
}

function callMessage(call: CallDefinition): object {
  const schema = requestSchema(call.request, docOfCall(call)['request']);
  return { name: socketEventOf(call), title: call.name, summary: call.summary, ...payload(schema) };
}

function acknowledgementMessage(call: CallDefinition): object {
  const acknowledgement = responseSchema(acknowledgementSchema, docOf('api/error.ts', 'acknowledgementSchema'));
  const data = responseSchema(call.response, docOfCall(call)['response']);
  const properties = {
    ...(acknowledgement['properties'] as object),
    data: { description: 'The response of the call. Present on success.', ...data },
  };
  const example = exampleOf(data, namedSchemas());
  return {
    name: 'acknowledgement',
    title: `Answer of ${call.name}`,
    summary: 'The response of the call, or what went wrong.',
    payload: { ...acknowledgement, properties },
    ...(example !== undefined && { examples: [{ payload: { status: 200, data: example } }] }),
  };
}

function payload(schema: JsonSchema): object {
  const example = exampleOf(schema, namedSchemas());
  // An example of a message must be an object or absent.
  return { payload: schema, ...(isObject(example) && { examples: [{ payload: example }] }) };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function handshake(name: string, schema: Parameters<typeof requestSchema>[0]): JsonSchema {
  return requestSchema(schema, docOf('api/call-context.ts', name));
}

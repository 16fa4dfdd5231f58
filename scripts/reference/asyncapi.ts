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
import { namedSchemas, requestSchema, responseSchema } from './json-schema.ts';
import { manners } from './openapi.ts';
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
    servers: { cashier: { host: 'localhost:3000', pathname: socketPath, protocol: 'wss' } },
    channels: {
      socket: {
        address: socketPath,
        bindings: { ws: { method: 'GET', query: requestSchema(handshakeQuerySchema) } },
        'x-auth': requestSchema(handshakeAuthSchema),
        messages: {
          ...Object.fromEntries(
            all.flatMap((call) => [
              [keyOf(call), callMessage(call)],
              [`${keyOf(call)}.acknowledgement`, acknowledgementMessage(call)],
            ]),
          ),
          ...Object.fromEntries(
            Object.entries(pushes).map(([name, { summary, body }]) => [
              `push.${name}`,
              { name, title: name, summary, payload: responseSchema(body) },
            ]),
          ),
        },
      },
    },
    components: { schemas: namedSchemas() },
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
  return { name: socketEventOf(call), title: call.name, payload: requestSchema(call.request) };
}

function acknowledgementMessage(call: CallDefinition): object {
  const acknowledgement = responseSchema(acknowledgementSchema);
  const properties = { ...(acknowledgement['properties'] as object), data: responseSchema(call.response) };
  return { name: 'acknowledgement', title: `Answer of ${call.name}`, payload: { ...acknowledgement, properties } };
}

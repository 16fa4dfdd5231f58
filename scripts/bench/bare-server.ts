/**
 * The yardsticks. Fastify with a schema and the statement that writes a deposit, on a database of the same kind: no token, no
 * rules, no provider, no answer to store. And Fastify that sends a list it holds as text.
 */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { openDatabase } from '../../apps/server/src/database/connection/open-database.ts';

const silent = { info: () => undefined, warn: () => undefined, error: console.error };
const database = await openDatabase({
  databaseUrl: process.env.DATABASE_URL,
  dataDir: process.env.DATA_DIR ?? '.data',
  logger: silent,
});
await database.query({
  text: `insert into operator (id, partner_key, name) values ('bench', 'bench', 'Bench') on conflict do nothing`,
});
const print = Buffer.alloc(32, 1);

const server = Fastify({ logger: false });
server.get('/ready', async () => ({ ok: true }));
server.post(
  '/create',
  {
    schema: {
      body: {
        type: 'object',
        required: ['amount', 'currency', 'depositId', 'paymentType'],
        properties: {
          amount: { type: 'string' },
          currency: { type: 'string' },
          depositId: { type: 'string' },
          paymentType: { type: 'string' },
        },
      },
    },
  },
  async (request) => {
    const { depositId, paymentType, currency } = request.body as Record<string, string>;
    await database.query({
      name: 'bare-insert',
      text: `with taken as (
          insert into deposit_key (operator_id, user_id, client_key, deposit_id) values ('bench', $1, $2, $2)
          on conflict do nothing returning deposit_id
        )
        insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, currency, amount,
          country, state, rank, request, lifetime_s, expires_at)
        select deposit_id, 'bench', $1, $2, $3, $4, 'bench', $5, 2500, 'IN', 'created', 10, '{}', 600, now() + interval '600 s'
        from taken returning id`,
      values: [randomUUID(), depositId, print, paymentType, currency],
    });
    return { depositId };
  },
);
let list = '{}';
server.put('/list', { bodyLimit: 4 * 1024 * 1024 }, async (request) => {
  list = JSON.stringify(request.body);
  return { bytes: list.length };
});
server.post(
  '/list',
  {
    schema: {
      body: {
        type: 'object',
        required: ['country', 'currency'],
        properties: { country: { type: 'string' }, currency: { type: 'string' } },
      },
    },
  },
  async (_request, reply) => reply.type('application/json; charset=utf-8').send(list),
);
await server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    void server
      .close()
      .then(() => database.close())
      .then(() => process.exit(0));
  });
}

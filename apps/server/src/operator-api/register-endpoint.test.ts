import { defineEndpoint, operatorApiPrefix, operatorEndpoints } from '@opencashier/contract/operator';
import type { Clock } from '@opencashier/core/time/clock';
import { fastify } from 'fastify';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Bonuses } from '../bonuses/bonuses.ts';
import type { Database } from '../database/database.ts';
import { errorAnswer } from '../dispatch/api-error.ts';
import { sendOutcome } from '../http/http.ts';
import { unlimited } from '../limits/rate-limiter.ts';
import type { CoinSignatures } from '../providers/coin-signatures.ts';
import type { DataKeys } from '../sealing/data-keys.ts';
import type { WebhookListeners } from '../webhooks/webhook-listeners.ts';
import type { OperatorCatalogue } from './catalogue/catalogue-handlers.ts';
import type { OperatorConnections } from './connections/connection-handlers.ts';
import type { MoneyDecisions } from './money/money-handlers.ts';
import { registerOperatorApi } from './operator-api.ts';
import { registerEndpoints, routeOf } from './register-endpoint.ts';
import type { OperatorRoutes } from './routes/route-handlers.ts';
import type { OperatorTexts } from './texts/text-handlers.ts';

/** Stands for every port. Registering routes calls none of them. */
const unused = <Port>(): Port => ({}) as Port;

test('[SRV-1] the server has one route for each endpoint of the contract, and no other', async () => {
  const server = fastify();
  server.decorateRequest('operatorId', undefined);
  const routes: string[] = [];
  server.addHook('onRoute', ({ method, url }) => {
    if (method !== 'HEAD') routes.push(`${String(method)} ${url}`);
  });
  registerOperatorApi(server, {
    operators: unused(),
    tokens: unused(),
    database: unused<Database>(),
    bonuses: unused<Bonuses>(),
    payments: unused<MoneyDecisions>(),
    catalogue: unused<OperatorCatalogue>(),
    texts: unused<OperatorTexts>(),
    connections: unused<OperatorConnections>(),
    routes: unused<OperatorRoutes>(),
    dataKeys: unused<DataKeys>(),
    coinSignatures: unused<CoinSignatures>(),
    sandbox: { listeners: { ...unused<WebhookListeners>(), stop: () => undefined }, machineClock: unused<Clock>() },
    limiter: unlimited,
  });
  await server.ready();
  const endpoints = Object.values(operatorEndpoints).flatMap((part) => Object.values(part));
  const wanted = endpoints.map(({ method, path }) => `${method} ${operatorApiPrefix}${routeOf(path)}`);
  expect(routes.sort()).toEqual(wanted.sort());
  expect(new Set(endpoints.map(({ id }) => id)).size).toBe(endpoints.length);
  await server.close();
});

test('[SRV-1] a handler gets the values that the schemas read, and no cache may store its answer', async () => {
  const endpoint = defineEndpoint({
    id: 'count-coins',
    method: 'POST',
    path: '/users/{userId}/coins',
    summary: '',
    params: v.strictObject({ userId: v.pipe(v.string(), v.toUpperCase()) }),
    body: v.strictObject({ coins: v.optional(v.number(), 7) }),
    response: v.object({ owner: v.string(), coins: v.number() }),
  });
  const server = fastify();
  server.decorateRequest('operatorId', undefined);
  server.setErrorHandler((error: Error, request, reply) => sendOutcome(reply, errorAnswer(error, request.id), 0));
  registerEndpoints(
    server,
    { count: endpoint },
    { count: ({ params, body }) => ({ owner: params.userId, coins: body.coins }) },
  );
  const answer = await server.inject({ method: 'POST', url: '/users/ann/coins?added=1', payload: {} });
  expect(answer.json()).toEqual({ owner: 'ANN', coins: 7 });
  expect(answer.headers['cache-control']).toBe('no-store');
  // A proxy or a browser may add a parameter to an address.
  const added = await server.inject({ method: 'POST', url: '/users/ann/coins?_=1', payload: { coins: 1 } });
  expect(added.statusCode).toBe(200);
  const refused = await server.inject({ method: 'POST', url: '/users/ann/coins', payload: { coins: 'many' } });
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toMatchObject({ error: { code: 'invalid-request' } });
  await server.close();
});

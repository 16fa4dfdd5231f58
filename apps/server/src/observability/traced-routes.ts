/** Routes of operators' backends in traces. */
import type { FastifyInstance } from 'fastify';
import { noSpans, type Spans } from './spans.ts';

/**
 * Starts a span for every route that is registered in the scope afterwards. A handler runs only for a request with a valid secret
 * key. The sender is then an operator's backend, so its trace may be continued.
 */
export function traceRoutes(scope: FastifyInstance, spans: Spans): void {
  if (spans === noSpans) return;
  scope.addHook('onRoute', (route) => {
    const { handler } = route;
    const name = `${route.method} ${route.url}`;
    route.handler = function (request, reply) {
      const { traceparent } = request.headers;
      const facts = { route: route.url, ...(request.operatorId !== undefined && { operator: request.operatorId }) };
      const options = {
        kind: 'server',
        traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      } as const;
      return spans.begin(name, facts, options, async () => handler.call(this, request, reply));
    };
  });
}

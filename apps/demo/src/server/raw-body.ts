/** Signatures are over the bytes that were sent, so nothing may parse them first. */
import type { FastifyInstance } from 'fastify';

/** Hands every body of the routes of `scope` over as a `Buffer`. */
export function keepBodiesRaw(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 64 * 1024 }, (_request, body, done) =>
    done(null, body),
  );
}

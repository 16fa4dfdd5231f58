/**
 * The server's log (SRV-9). Only what is named here is written: a request is its method and path without the query, an
 * error its type, code and stack. Bodies, headers, tokens and data of users have no way in.
 */
import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

interface RequestLike {
  readonly method?: string;
  readonly url?: string;
}

/** `/api/BANKING/deposit-status?depositId=…` without what follows the question mark. */
export function pathOf(url: string | undefined): string {
  const address = url ?? '';
  const end = address.search(/[?#]/);
  return end < 0 ? address : address.slice(0, end);
}

/** What is written of an error: never the fields that libraries attach to it, such as a query's values or a request's body. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: error.stack,
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}

export function createLogger(level: string, stream?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: {
        req: (request: RequestLike) => ({ method: request.method, path: pathOf(request.url) }),
        res: (response: { statusCode?: number }) => ({ status: response.statusCode }),
        err: describeError,
      },
    },
    stream ?? destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 500 }),
  );
}

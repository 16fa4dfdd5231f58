/**
 * The server's log (SRV-9). It writes only the facts that are named here: method and path of a request without the query; type,
 * code and stack of an error. It never writes bodies, headers, tokens or data of users.
 */
import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

interface RequestLike {
  readonly method?: string;
  readonly url?: string;
}

/** `/api/BANKING/deposit-status?depositId=…` without the query. */
export function pathOf(url: string | undefined): string {
  const address = url ?? '';
  const end = address.search(/[?#]/);
  return end < 0 ? address : address.slice(0, end);
}

/** Errors whose message quotes the input, which a person may have typed. */
function quotesInput(error: Error): boolean {
  return error instanceof SyntaxError || error instanceof URIError || 'severity' in error;
}

/**
 * The facts of an error for the log: its type, code and stack, and its message when our own code wrote it. Never the fields that
 * libraries attach, such as the values of a query.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    ...(!quotesInput(error) && { message: error.message }),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    // The first lines of a stack repeat the message, so they are left out.
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^ {4}at /.test(line))
      .join('\n'),
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

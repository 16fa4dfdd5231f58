/** Failures of calls, and whether the server may have carried the call out (ERR-1). */
import type { CallDefinition, CallError } from '@opencashier/contract/api';
import { ClientError, networkErrorCode } from './client.ts';
import type { Exchange } from './transport.ts';

/** The failure of a call that got no answer. */
export function lost(call: CallDefinition, exchange: Exchange & { kind: 'lost' }, mayHaveRun: boolean): ClientError {
  const unknown = mayHaveRun && call.idempotency.kind !== 'read';
  return new ClientError(
    {
      kind: unknown ? 'unknown' : 'network',
      code: networkErrorCode,
      status: 0,
      message: `${call.name} was not answered: ${exchange.reason}.`,
    },
    { cause: exchange.cause },
  );
}

/** Error codes of 5xx answers with which the server promises that nothing was carried out. */
const nothingHappened: ReadonlySet<string> = new Set(['provider-error', 'temporarily-unavailable', 'not-implemented']);

/** The failure of a call that the server answered without success. */
export function refused(
  call: CallDefinition,
  exchange: Exchange & { kind: 'answer' },
  mayHaveRun: boolean,
): ClientError {
  const { status, error } = exchange;
  return new ClientError({
    kind: isUnknown(call, status, error, mayHaveRun) ? 'unknown' : 'refused',
    code: error?.code ?? 'invalid-response',
    status: Number.isFinite(status) ? status : 0,
    message: error?.message ?? `${call.name} was answered with status ${status} and no reason.`,
    ...(error?.fields && { fields: error.fields }),
    ...(error?.params && { params: error.params }),
    ...(error?.reference !== undefined && { reference: error.reference }),
  });
}

/** Whether money may have moved although the server did not answer with success. */
function isUnknown(call: CallDefinition, status: number, error: CallError | undefined, mayHaveRun: boolean): boolean {
  if (call.idempotency.kind === 'read') return false;
  if (error?.code === 'unknown-outcome' || error?.code === 'in-flight') return true;
  if (!Number.isFinite(status)) return true;
  // These answers say nothing about an earlier attempt that got no answer.
  if (mayHaveRun && (status === 401 || status === 429 || error?.code === 'temporarily-unavailable')) return true;
  return status >= 500 && (error === undefined || !nothingHappened.has(error.code));
}

/** A socket of a widget, and what the cashier knows about who connected it. */
import type { Acknowledgement, CallContext } from '@opencashier/contract/api';
import type { Server, Socket } from 'socket.io';
import { withErrorPage } from '../dispatch/api-error.ts';
import type { Outcome } from '../dispatch/dispatch.ts';
import type { Identity } from '../operators/identity.ts';

interface SocketData {
  address: string;
  identity: Identity;
  context: CallContext;
}

type NoEvents = Record<string, never>;

export type CashierSocket = Socket<NoEvents, NoEvents, NoEvents, SocketData>;
export type CashierSockets = Server<NoEvents, NoEvents, NoEvents, SocketData>;

/** The room that gets the pushes of a user. */
export function roomOf(operatorId: string, userId: string): string {
  return JSON.stringify([operatorId, userId]);
}

/**
 * @param serverTime ms since 1970
 * @param documentation the address of the documentation, to which an error links
 */
export function acknowledgementOf(outcome: Outcome, serverTime: number, documentation: string): Acknowledgement {
  const { status } = outcome;
  return 'error' in outcome
    ? { status, error: withErrorPage(outcome, documentation), serverTime }
    : { status, data: outcome.data, serverTime };
}

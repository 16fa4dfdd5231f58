/** A socket of a widget, and what the cashier knows about who connected it. */
import type { Acknowledgement, CallContext } from '@opencashier/contract/api';
import type { Server, Socket } from 'socket.io';
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

/** @param serverTime ms since 1970 */
export function acknowledgementOf(outcome: Outcome, serverTime: number): Acknowledgement {
  const { status } = outcome;
  return 'error' in outcome ? { status, error: outcome.error, serverTime } : { status, data: outcome.data, serverTime };
}

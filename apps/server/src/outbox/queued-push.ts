/** Pushes in the outbox, and how a transaction leases them to its own node. */

/** The row of a push. */
export interface QueuedPush {
  readonly id: bigint;
  readonly operatorId: string;
  readonly userId: string;
  readonly name: string;
  readonly body: unknown;
  /** How many leases the row has had, with this one. */
  readonly attempts: number;
}

/** For how long no other node sends a push that one node has leased. */
export const PUSH_LEASE_S = 10;

/** The part of this node that sends pushes. A push that its writer leases to this node needs no claim. */
export interface PushSender {
  /** Whether pushes may be leased to this node now: it runs, and has few in hand. */
  hasPlace(): boolean;
  /** Sends pushes after their commit, in their order. */
  take(pushes: readonly QueuedPush[]): void;
}

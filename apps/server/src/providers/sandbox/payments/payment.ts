/** A payment, as the sandbox company stores it. */
import type { ChainReport } from '@opencashier/core/payment/report';
import type { FlowName } from './flow-names.ts';
import type { Decision, Outcome } from './scenarios.ts';

/** An event of a payment. It has happened, or will happen when `at` is in the future. */
export interface Fact {
  /** Unique for ever. The same in callbacks and in inquiries. */
  readonly eventId: string;
  readonly outcome: Outcome;
  readonly paidMinor?: bigint;
  readonly reason?: string;
  /** Peer-to-peer: the company's own status word. */
  readonly remoteStatus?: string;
  readonly chain?: ChainReport;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Ends the reference of money that was won back. It is a payment of its own in the cashier, in reports and in the list. */
export const wonBack = ':returned';

export interface SandboxPayment {
  /** The sandbox's own id. It cannot be guessed, because anybody who knows it may open the pay page. */
  readonly ref: string;
  /** The cashier's id: the idempotency key of the create. */
  readonly depositId: string;
  readonly paymentMethod: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly returnUrl: string;
  /** The flow, which decides the form of the answer. */
  readonly flow: FlowName;
  /** The connection of an operator. Absent: the account in the settings of the server. It is not read back. */
  readonly account?: string;
  /** Crypto: the chosen network and the coin. */
  readonly network?: string;
  readonly coin?: string;
  readonly scenario: string;
  /** A form on the pay page must carry it. Another site can post a form, but does not know the token. */
  readonly formToken: string;
  /** `silent`: the company sends no callback and answers no inquiry any more. */
  readonly decision?: Decision | 'silent';
  /** In order of `at`. */
  readonly facts: readonly Fact[];
  /** What the payer typed into the fields of the answer. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A callback to send. Its body is written together with the fact, so that every retry sends the same. */
export interface OutgoingCallback {
  readonly eventId: string;
  readonly body: string;
  readonly isForged: boolean;
  readonly dueAt: number;
}

/** A changed payment, with the callbacks of the change. Both are stored together or not at all. */
export interface Change {
  readonly payment: SandboxPayment;
  readonly callbacks: readonly OutgoingCallback[];
  /** Event ids whose callbacks are still sent. Absent: all unsent callbacks are dropped. */
  readonly keptFacts?: readonly string[];
}

export type NewPayment = Pick<
  SandboxPayment,
  'depositId' | 'paymentMethod' | 'amountMinor' | 'currency' | 'returnUrl' | 'flow' | 'network' | 'coin'
>;

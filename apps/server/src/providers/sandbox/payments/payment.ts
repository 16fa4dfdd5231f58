/** A payment as the sandbox company keeps it. */
import type { ChainReport } from '@opencashier/core/payment/report';
import type { FlowName } from './flow-names.ts';
import type { Decision, Outcome } from './scenarios.ts';

/** Something that has happened or, while `at` lies ahead, will happen to a payment. */
export interface Fact {
  /** Unique for ever; names the fact in call-backs and in answers alike. */
  readonly eventId: string;
  readonly outcome: Outcome;
  readonly paidMinor?: bigint;
  readonly reason?: string;
  /** Peer-to-peer: this company's own word for it. */
  readonly remoteStatus?: string;
  readonly chain?: ChainReport;
  /** ms since epoch. */
  readonly at: number;
}

export interface SandboxPayment {
  /** The sandbox's own id; cannot be guessed, since whoever knows it may open the pay page. */
  readonly ref: string;
  /** The cashier's id: the idempotency key of the create. */
  readonly depositId: string;
  readonly paymentMethod: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly returnUrl: string;
  /** In which shape the create is answered. */
  readonly flow: FlowName;
  /** Crypto: the chosen network and the coin. */
  readonly network?: string;
  readonly coin?: string;
  readonly scenario: string;
  /** Must come back with a decision: another site can post a form, but cannot know this. */
  readonly formToken: string;
  /** `silent`: no report and no answer any more. */
  readonly decision?: Decision | 'silent';
  /** In order of `at`. */
  readonly facts: readonly Fact[];
  /** What the payer typed into the fields that the answer asked for. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A call-back to be sent: the body is fixed when the fact is, so that every retry says the same. */
export interface OutgoingCallback {
  readonly eventId: string;
  readonly body: string;
  readonly isForged: boolean;
  readonly dueAt: number;
}

/** A payment with the call-backs that its newest change causes. Both are stored together or not at all. */
export interface Change {
  readonly payment: SandboxPayment;
  readonly callbacks: readonly OutgoingCallback[];
  /** Facts that stand: their call-backs still leave. Absent: all that have not left are dropped. */
  readonly keptFacts?: readonly string[];
}

export type NewPayment = Pick<
  SandboxPayment,
  'depositId' | 'paymentMethod' | 'amountMinor' | 'currency' | 'returnUrl' | 'flow' | 'network' | 'coin'
>;

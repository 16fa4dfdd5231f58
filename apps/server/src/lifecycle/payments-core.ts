/** What the rooms of payments share. */
import type { Spans } from '../observability/spans.ts';
import type { PaymentsOptions } from '../payment-service/payments-engine.ts';

export interface PaymentsCore extends PaymentsOptions {
  readonly spans: Spans;
  /** Wakes the workers after a commit that left something to tell or to try again. */
  onChange(): void;
  /** Wakes the reader of call-backs: one has just been stored. */
  onCallback(): void;
}

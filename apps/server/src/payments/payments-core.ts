/** What the rooms of payments share. */
import type { PaymentsOptions } from './payments-engine.ts';

export interface PaymentsCore extends PaymentsOptions {
  /** Wakes the workers after a commit that left something to do. */
  onChange(): void;
}

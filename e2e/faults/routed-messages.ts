/** What the fault test of routes and the cashier that it kills (`apps/server/src/testing/routed-main.ts`) tell each other. */

/** What a company answers to its parent's cashier. Amounts are decimal strings of minor units. */
export type CompanyAnswer =
  | { readonly kind: 'created'; readonly ref: string }
  | { readonly kind: 'failed' | 'declined' }
  | { readonly kind: 'paid'; readonly ref: string; readonly amount: string }
  | { readonly kind: 'nothing' }
  /** The line broke, or the company died. */
  | { readonly kind: 'broken' };

/** A message of the parent process. */
export type ToCashier =
  /** Its modules are loaded, and it may begin. */
  | { readonly kind: 'start' }
  | { readonly kind: 'create'; readonly id: string; readonly userId: string; readonly amount: string }
  | {
      readonly kind: 'callback';
      readonly n: number;
      readonly company: string;
      readonly id: string;
      readonly ref: string;
      readonly amount: string;
    }
  | { readonly kind: 'answer'; readonly n: number; readonly answer: CompanyAnswer }
  | { readonly kind: 'audit' };

/** A message to the parent process. */
export type FromCashier =
  | { readonly kind: 'ready' }
  | { readonly kind: 'created'; readonly id: string; readonly code: string }
  | { readonly kind: 'received'; readonly n: number; readonly receipt: string }
  | {
      readonly kind: 'ask';
      readonly n: number;
      readonly company: string;
      readonly call: 'create' | 'inquire';
      readonly id: string;
      readonly amount: string;
    }
  /** `replayed`: the ids of the deposits whose stored decision gave the same order again. */
  | { readonly kind: 'audited'; readonly faults: readonly string[]; readonly replayed: readonly string[] };

/**
 * The states of a peer-to-peer invoice, as a pure state machine (DEP-11). Its events are reports of the server, presses of the
 * user and the end of the time. A move gives the state to show and the effects to run. Only a credit in the ledger is a success;
 * a proven payment beats every cancel.
 */
import type { Transaction } from '@opencashier/contract/api';
import type { PaidFault } from '@opencashier/core/deposit/paid-fault';
import { isFinishedRemotely, latestReport, statusOfCode, statusOfRemote } from '@opencashier/core/transaction/status';

/** How an invoice ended. `processed`: the ledger has credited it. `processing` and `late`: it is paid, but not credited yet. */
export type Outcome = 'processed' | 'processing' | 'late' | 'mistaked';

/** What can happen to an invoice now. */
export type InvoiceState =
  /** It can be paid. `refusedCode`: the server refused the last "I have paid". */
  (
    | { readonly at: 'open'; readonly refusedCode?: string }
    /** The user has pressed "I have paid", and the server has not answered yet. */
    | { readonly at: 'reporting-paid' }
    /**
     * The user has pressed "I have paid", and the server may not know it. The press can be repeated; the widget never cancels.
     * `isFromBefore`: the press was not made on this page, so nothing is known of its answer.
     */
    | { readonly at: 'unanswered'; readonly isFromBefore?: true }
    /** The user, or the end of the time, has asked to cancel; the server decides. */
    | { readonly at: 'cancelling'; readonly cause: CancelCause }
    /** The time is over, and whether a payment came is not known yet. */
    | { readonly at: 'expired' }
    /** The server knows that the user has paid. Its reports say what follows. */
    | { readonly at: 'reported-paid' }
    | { readonly at: 'finished'; readonly outcome: Outcome; readonly cause: CancelCause | undefined }
  ) & {
    /** The newest report of the server. */
    readonly report: Transaction | undefined;
  };

/** Who ended an unpaid invoice. */
export type CancelCause = 'person' | 'expiry';

export type InvoiceEvent =
  | { readonly type: 'reported'; readonly report: Transaction }
  /** `isPaidPressed`: the user has pressed "I have paid" before, perhaps before a reload. */
  | { readonly type: 'expired'; readonly isPaidPressed?: boolean }
  | { readonly type: 'cancel-pressed' }
  | { readonly type: 'cancelled'; readonly isCancelled: boolean; readonly report: Transaction | undefined }
  /** `isUnsent`: the cancel certainly never left this device. */
  | { readonly type: 'cancel-failed'; readonly isUnsent: boolean }
  | { readonly type: 'paid-pressed'; readonly confirmationId: string | undefined; readonly isOffline?: boolean }
  | { readonly type: 'paid-answered'; readonly report: Transaction }
  | { readonly type: 'paid-failed'; readonly fault: PaidFault };

export type InvoiceEffect =
  | { readonly type: 'cancel' }
  | { readonly type: 'complete'; readonly confirmationId: string | undefined }
  /** The cancel was not sent, or had no answer that says what came of it. */
  | { readonly type: 'say-no-connection' | 'say-unanswered' }
  /** The server did not cancel, because the deposit has already changed. */
  | { readonly type: 'say-not-cancelled' }
  /** The deposit changed before "I have paid" arrived. Its status says how. */
  | { readonly type: 'show-status' };

export interface InvoiceMove {
  readonly state: InvoiceState;
  readonly effects: readonly InvoiceEffect[];
}

export const openInvoice: InvoiceState = { at: 'open', report: undefined };

/**
 * How a report ends an invoice, or undefined while it does not. The ledger's credit comes first, then any proof of a payment, and
 * only then a cancel. So a report with a payment and a cancel counts as paid. An unknown outcome ends nothing.
 */
export function outcomeOf(report: Transaction | undefined): Outcome | undefined {
  if (report === undefined) return undefined;
  const status = statusOfCode(report.status);
  if (status === 'processed') return 'processed';
  if (report.isLate === true && status !== 'mistaked') return 'late';
  if (status === 'accepted') return 'processing';
  if (status === 'mistaked') return 'mistaked';
  if (report.isOutcomeUnknown === true || !isFinishedRemotely(report.remoteStatus)) return undefined;
  return statusOfRemote(report.remoteStatus) === 'accepted' ? 'processing' : 'mistaked';
}

/** The next state and effects after an event. Pure. An event that does not belong to the state changes nothing. */
export function moveInvoice(state: InvoiceState, event: InvoiceEvent): InvoiceMove {
  switch (event.type) {
    case 'reported':
      return stay(hear(state, event.report));
    case 'paid-answered':
      return stay(leaveReporting(hear(state, event.report), { at: 'reported-paid' }));
    case 'paid-failed':
      return paidFailed(state, event.fault);
    case 'cancelled':
      return cancelled(state, event);
    case 'cancel-failed':
      return cancelFailed(state, event.isUnsent);
    case 'expired':
      // After "I have paid" the widget never cancels the invoice; the server expires it by its own clock.
      if (state.at !== 'open') return stay(state);
      return event.isPaidPressed
        ? stay({ at: 'unanswered', isFromBefore: true, report: state.report })
        : cancel(state, 'expiry');
    case 'cancel-pressed':
      return state.at === 'open' ? cancel(state, 'person') : stay(state);
    case 'paid-pressed':
      if (state.at !== 'open' && state.at !== 'unanswered') return stay(state);
      if (event.isOffline) return stay({ at: 'unanswered', report: state.report });
      return {
        state: { at: 'reporting-paid', report: state.report },
        effects: [{ type: 'complete', confirmationId: event.confirmationId }],
      };
  }
}

const stay = (state: InvoiceState): InvoiceMove => ({ state, effects: [] });

function cancel({ report }: InvoiceState, cause: CancelCause): InvoiceMove {
  return { state: { at: 'cancelling', cause, report }, effects: [{ type: 'cancel' }] };
}

type AfterPaid =
  | { readonly at: 'reported-paid' | 'unanswered' }
  | { readonly at: 'open'; readonly refusedCode?: string };

function leaveReporting(state: InvoiceState, next: AfterPaid): InvoiceState {
  return state.at === 'reporting-paid' ? { ...next, report: state.report } : state;
}

/** Without an answer the payment is being checked, because the user may have paid. A refusal means that the server knows nothing. */
function paidFailed(state: InvoiceState, fault: PaidFault): InvoiceMove {
  if (fault.kind === 'unanswered') return stay(leaveReporting(state, { at: 'unanswered' }));
  return {
    state: leaveReporting(state, fault.kind === 'refused' ? { at: 'open', refusedCode: fault.code } : { at: 'open' }),
    effects: fault.kind === 'changed' && state.at === 'reporting-paid' ? [{ type: 'show-status' }] : [],
  };
}

/**
 * Applies a report of the server. An ended invoice stays ended; only a payment that is proven later changes the outcome (DEP-11).
 */
function hear(state: InvoiceState, incoming: Transaction): InvoiceState {
  const report = latestReport(state.report, incoming);
  const outcome = outcomeOf(report);
  if (state.at !== 'finished') {
    return outcome === undefined ? { ...state, report } : { at: 'finished', outcome, cause: causeOf(state), report };
  }
  const isProof = outcome !== undefined && rank[outcome] > rank[state.outcome];
  return isProof ? { ...state, outcome, report } : { ...state, report };
}

/** A higher outcome replaces a lower one, never the reverse. The complete screen shows a chargeback. */
const rank: Readonly<Record<Outcome, number>> = { mistaked: 0, late: 1, processing: 1, processed: 2 };

function causeOf(state: InvoiceState): CancelCause | undefined {
  if (state.at === 'cancelling') return state.cause;
  return state.at === 'expired' ? 'expiry' : undefined;
}

function cancelled(
  state: InvoiceState,
  { isCancelled, report }: Extract<InvoiceEvent, { type: 'cancelled' }>,
): InvoiceMove {
  const heard = report === undefined ? state : hear(state, report);
  if (heard.at !== 'cancelling') return stay(heard);
  if (isCancelled) {
    return stay({ at: 'finished', outcome: 'mistaked', cause: heard.cause, report: heard.report });
  }
  if (heard.cause === 'expiry') return stay({ at: 'expired', report: heard.report });
  return { state: { at: 'open', report: heard.report }, effects: [{ type: 'say-not-cancelled' }] };
}

/** The server may have the cancel or not. After the end of the time the poll will find out. Before it, the user may try again. */
function cancelFailed(state: InvoiceState, isUnsent: boolean): InvoiceMove {
  if (state.at !== 'cancelling') return stay(state);
  if (state.cause === 'expiry') return stay({ at: 'expired', report: state.report });
  const effects = [{ type: isUnsent ? 'say-no-connection' : 'say-unanswered' } as const];
  return { state: { at: 'open', report: state.report }, effects };
}

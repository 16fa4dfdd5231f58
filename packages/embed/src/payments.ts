/** A payment as a promise: opens the cashier for it and answers how it ended. Loaded with the first that is asked for. */

import type { CashierEvents, CashierProblem, Emitter } from './events.ts';
import type { HostPayloadInput } from './generated/host-types.ts';

/** What to begin with. Everything may be left out. */
export interface PaymentRequest {
  /** A decimal string of the session's currency, such as `25.00`. It stands in the form, and the person may change it. */
  amount?: string | undefined;
  /** The name of a method of the catalogue: its form is opened instead of the list. */
  method?: string | undefined;
}

/**
 * How the cashier ended, as a display hint. Credit a balance on the signed webhook alone.
 * - `processed`: the cashier has credited the deposit or paid out the withdrawal. Its receipt may still be on the screen.
 * - `declined`: the deposit or withdrawal failed, and the user left.
 * - `pending`: the user left while a payment may still come or is being checked. Never say that it failed.
 * - `closed`: no payment is known, but one may have been in progress. Only the webhook tells.
 * - `failed`: the cashier could not be started, so nothing was paid.
 */
export type PaymentOutcome<Id extends string> =
  | ({ readonly status: 'processed' | 'declined' | 'pending' } & { readonly [Name in Id]: string })
  | { readonly status: 'closed' }
  | { readonly status: 'failed'; readonly problem: CashierProblem };

export type DepositOutcome = PaymentOutcome<'depositId'>;
export type WithdrawalOutcome = PaymentOutcome<'withdrawalId'>;

export interface Start {
  readonly path: string;
  readonly start: NonNullable<HostPayloadInput['start']>;
}

/** Starts a new cashier. @returns how to take it away; `onEnd` is called when it is gone */
export type Begin = (wanted: Start, onEnd: () => void) => () => void;

interface Asked<Id> {
  readonly id: Id;
  /** As they are when it is asked for: the amount is of this currency, whatever a change of options names later. */
  readonly settings: { readonly path?: string | undefined; readonly payload: HostPayloadInput };
  readonly request: PaymentRequest;
}

/** How long the doctor may look for what is wrong. */
const diagnosisMs = 6_000;
/** A page without types can pass a number, which a pattern alone would take for its text. */
const isText = (value: unknown, form: RegExp): boolean => typeof value === 'string' && form.test(value);
const anyPath = /^(?:(\/[^/]+)(?=\/(?:deposit|withdrawal)))?.*/;

/** @throws TypeError for an amount or a method that is no text of that kind */
export function pay<Id extends 'depositId' | 'withdrawalId'>(
  cashier: Pick<Emitter, 'on'>,
  begin: Begin,
  { id, settings: { path, payload }, request: { amount, method } }: Asked<Id>,
): Promise<PaymentOutcome<Id>> {
  if (amount !== undefined && !isText(amount, /^\d{1,20}(?:\.\d{1,18})?$/)) {
    throw new TypeError('amount must be a decimal string such as "25.00"');
  }
  if (method !== undefined && !isText(method, /^[\w-]{1,100}$/))
    throw new TypeError('method must be the name of a payment method');
  const product = anyPath.exec(path ?? '')?.[1] ?? '';
  const direction = id === 'depositId' ? 'deposit' : 'withdrawal';
  const { currency } = payload;
  const start: Start['start'] = {
    direction,
    ...(currency !== undefined && { currency }),
    ...(amount !== undefined && { amount }),
    ...(method !== undefined && { method }),
  };
  return new Promise((resolve, reject) => {
    let last: { readonly event: CashierEvents['transaction']['event']; readonly id: string } | undefined;
    let problem: CashierProblem | undefined;
    let isFailed = false;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let leave = () => {};
    const end = (outcome: PaymentOutcome<Id>) => {
      clearTimeout(waiting);
      for (const stop of stops) stop();
      resolve(outcome);
    };
    const named = (status: 'processed' | 'declined' | 'pending', value: string) =>
      ({ status, [id]: value }) as unknown as PaymentOutcome<Id>;
    // Nothing can have been paid: the widget has had no token, or shows no form. It is taken away, so that nothing will be.
    const fail = () => {
      isFailed = true;
      if (problem) leave();
      else waiting = setTimeout(leave, diagnosisMs);
    };
    const stops = [
      cashier.on('transaction', (detail) => {
        const value = detail[id];
        if (value === undefined) return;
        last = { event: detail.event, id: value };
        if (detail.event !== 'success') return;
        // A cashier that starts again over the receipt must not ask for the same payment once more.
        delete start.amount;
        delete start.method;
        end(named('processed', value));
      }),
      cashier.on('problem', (found) => {
        problem = found;
        if (isFailed) leave();
      }),
      cashier.on('init', ({ success }) => {
        if (!success) return fail();
        // It came late, but it came.
        isFailed = false;
        clearTimeout(waiting);
      }),
      cashier.on('timeout', fail),
    ];
    const onEnd = () => {
      // What has moved is never "failed", whatever came after it.
      if (last) end(named(last.event === 'decline' ? 'declined' : 'pending', last.id));
      else if (isFailed) end({ status: 'failed', problem: problem ?? undiagnosed });
      else end({ status: 'closed' });
    };
    try {
      leave = begin({ path: `${product}/${direction}`, start }, onEnd);
    } catch (error) {
      for (const stop of stops) stop();
      reject(error);
    }
  });
}

const undiagnosed: CashierProblem = {
  code: 'not-started',
  message: 'The cashier did not start and no fault was found: look into the console of the frame.',
};

import type { FormField, PayeeCard, Requisite } from '@opencashier/contract/api';
import { DEFAULT_P2P_TIMEOUT_MIN } from '../time/countdown.ts';

/** The fields of a peer-to-peer create response that decide the next step. */
export interface P2pAnswer {
  readonly depositId: string;
  readonly card?: PayeeCard | null | undefined;
  readonly created?: string | null | undefined;
  readonly timeout_minutes?: number | null | undefined;
  readonly unifiedFlow?: boolean | undefined;
  readonly exists?: boolean | undefined;
  readonly isFieldsRequired?: boolean | undefined;
  readonly fields?: readonly FormField[] | undefined;
  readonly requisites?: readonly Requisite[] | undefined;
}

/** What the widget does after a peer-to-peer deposit was created: exactly one of these steps. */
export type P2pStep =
  | { readonly kind: 'fields'; readonly depositId: string; readonly fields: readonly FormField[] }
  | { readonly kind: 'unified-form'; readonly depositId: string; readonly isResumed: boolean }
  | {
      readonly kind: 'invoice';
      readonly depositId: string;
      readonly card: PayeeCard;
      /** Milliseconds since the epoch, by the server's clock. */
      readonly createdAt: number;
      readonly lifetimeS: number;
      /** The server found an open deposit, and the user continues with it. */
      readonly isResumed: boolean;
    }
  /** An invalid response, which the widget reports to the host. `missing` names the missing part. */
  | {
      readonly kind: 'invalid';
      readonly depositId: string | undefined;
      readonly missing: 'answer' | 'fields' | 'card' | 'timing';
    };

/**
 * Decides the step after `deposit-create-p2p` (DEP-11): more fields, the unified form, or the invoice.
 * A response without a card or without its times is invalid. A bank transfer without a timeout gets 15 minutes.
 */
export function p2pStep(answer: P2pAnswer | null | undefined): P2pStep {
  if (answer === null || answer === undefined) return { kind: 'invalid', depositId: undefined, missing: 'answer' };
  const { depositId, card } = answer;
  const isResumed = answer.exists === true;
  if (answer.isFieldsRequired === true) {
    if (answer.fields === undefined || answer.fields.length === 0)
      return { kind: 'invalid', depositId, missing: 'fields' };
    return { kind: 'fields', depositId, fields: answer.fields };
  }
  if (answer.unifiedFlow === true) return { kind: 'unified-form', depositId, isResumed };
  if (card === null || card === undefined) return { kind: 'invalid', depositId, missing: 'card' };
  const createdAt = Date.parse(answer.created ?? '');
  const minutes = answer.timeout_minutes ?? (card.bank_account === undefined ? undefined : DEFAULT_P2P_TIMEOUT_MIN);
  if (Number.isNaN(createdAt) || minutes === undefined || !(minutes > 0)) {
    return { kind: 'invalid', depositId, missing: 'timing' };
  }
  return { kind: 'invoice', depositId, card, createdAt, lifetimeS: minutes * 60, isResumed };
}

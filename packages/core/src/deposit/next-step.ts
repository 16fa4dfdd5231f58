import type { DepositData, DepositResponse, FormField, OnrampOffer, RedirectForm } from '@opencashier/contract/api';
import { type LinkPolicy, safeLink } from '../links/safe-link.ts';

/** Whether the widget has its own page for the `pageId` of a response (DEP-6). */
export type HasPage = (pageId: string) => boolean;

/** A redirect to the provider. A GET has everything in `href`; a POST submits `fields` as hidden inputs to `href`. */
export interface Redirect {
  readonly kind: 'redirect';
  readonly depositId: string;
  readonly href: string;
  readonly method: 'GET' | 'POST';
  readonly fields: Readonly<Record<string, string>>;
}

/** Why a response has no next step. */
export type NextStepFailure = 'data-null' | 'unsafe-link' | 'fields-missing';

/** What the widget does after a deposit was created: exactly one of these steps. */
export type NextStep =
  | { readonly kind: 'fields'; readonly depositId: string; readonly fields: readonly FormField[] }
  | Redirect
  | { readonly kind: 'unified-form'; readonly depositId: string; readonly data: DepositData }
  | {
      readonly kind: 'offers';
      readonly depositId: string;
      readonly offers: readonly OnrampOffer[];
      readonly data: DepositData;
    }
  | { readonly kind: 'host-to-host'; readonly depositId: string; readonly data: DepositData }
  | { readonly kind: 'custom-page'; readonly depositId: string; readonly page: string; readonly data: DepositData }
  /** The route of the flow itself, such as the crypto address or the complete screen. */
  | { readonly kind: 'own-route'; readonly depositId: string; readonly data: DepositData | undefined }
  | { readonly kind: 'failure'; readonly depositId: string | undefined; readonly reason: NextStepFailure };

/** The error message for a response without data (section 8). */
export const DATA_NULL_MESSAGE = 'Deposit data is null after creation.';

/**
 * Decides the step after a create call (DEP-3). The first match in the order of section 4 'Deposit creation' wins:
 * - fields required;
 * - a source;
 * - the unified form;
 * - offers;
 * - card, requisites or bank transfer;
 * - a custom page;
 * - the flow's own route.
 *
 * A response with both `source` and `unifiedFlow` therefore redirects.
 * Empty lists, empty texts and pages that this version does not know count as absent.
 * @param policy the links that the method may open (FORM-9)
 * @param hasPage whether a flow has the page
 */
export function nextStep(
  response: DepositResponse | null | undefined,
  policy: LinkPolicy = {},
  hasPage: HasPage = () => false,
): NextStep {
  const answer = response?.apiResponse;
  if (response === null || response === undefined || answer === null || answer === undefined) {
    return { kind: 'failure', depositId: undefined, reason: 'data-null' };
  }
  const { depositId, source, data } = answer;
  if (answer.isFieldsRequired === true) return fieldsStep(depositId, firstFilled(response.fields, data?.inputFields));
  if (source !== null && source !== undefined && source !== '')
    return redirectStep(depositId, source, answer.method, policy);
  const page = answer.pageType === 'offline' || !answer.pageId || !hasPage(answer.pageId) ? undefined : answer.pageId;
  if (data !== null && data !== undefined) return pageStep(depositId, data, page);
  if (data === null || page !== undefined) {
    return { kind: 'failure', depositId, reason: 'data-null' };
  }
  return { kind: 'own-route', depositId, data: undefined };
}

function pageStep(depositId: string, data: DepositData, page: string | undefined): NextStep {
  if (data.unifiedFlow === true) return { kind: 'unified-form', depositId, data };
  if (isFilled(data.paymentMethodOffers)) return { kind: 'offers', depositId, offers: data.paymentMethodOffers, data };
  if (data.card !== undefined || isFilled(data.requisites) || data.bankTransfer === true) {
    return { kind: 'host-to-host', depositId, data };
  }
  if (page !== undefined) return { kind: 'custom-page', depositId, page, data };
  return { kind: 'own-route', depositId, data };
}

function fieldsStep(depositId: string, fields: readonly FormField[] | undefined): NextStep {
  if (fields === undefined) return { kind: 'failure', depositId, reason: 'fields-missing' };
  return { kind: 'fields', depositId, fields };
}

function isFilled<Item>(list: readonly Item[] | null | undefined): list is readonly Item[] {
  return list !== null && list !== undefined && list.length > 0;
}

function firstFilled<Item>(...lists: (readonly Item[] | undefined)[]): readonly Item[] | undefined {
  return lists.find((list) => isFilled(list));
}

function redirectStep(
  depositId: string,
  source: string | RedirectForm,
  method: 'GET' | 'POST' | undefined,
  policy: LinkPolicy,
): NextStep {
  const form = typeof source === 'string' ? { action: source, method: method ?? 'GET', fields: {} } : source;
  const href = safeLink(form.action, policy);
  if (href === undefined) return { kind: 'failure', depositId, reason: 'unsafe-link' };
  if (form.method === 'POST') {
    // Only a web address can receive a form. An app link opens by its address alone.
    if (!/^https?:/.test(href)) return { kind: 'failure', depositId, reason: 'unsafe-link' };
    return { kind: 'redirect', depositId, href, method: 'POST', fields: form.fields };
  }
  return { kind: 'redirect', depositId, href: withQuery(href, form.fields), method: 'GET', fields: {} };
}

/** Adds the fields to the address, because a browser drops the query of a form's action on GET. */
function withQuery(href: string, fields: Readonly<Record<string, string>>): string {
  const entries = Object.entries(fields);
  if (entries.length === 0) return href;
  const url = new URL(href);
  for (const [name, value] of entries) url.searchParams.append(name, value);
  return url.href;
}

/** What the widget does after the continue call of an on-ramp. */
export type OnrampStep =
  | { readonly kind: 'complete'; readonly status: 'mistaked'; readonly error: string }
  | Redirect
  | { readonly kind: 'failure'; readonly depositId: string; readonly reason: NextStepFailure };

/**
 * Decides the step after `external-deposit-continue` (DEP-14).
 * An error goes to the complete screen as mistaked, with a way back to the on-ramp.
 * Otherwise the redirect opens, and the widget goes to the complete screen.
 */
export function onrampStep(
  depositId: string,
  response: { readonly redirect?: string | RedirectForm | undefined; readonly error?: string | undefined },
  policy: LinkPolicy = {},
): OnrampStep {
  if (response.error !== undefined && response.error !== '') {
    return { kind: 'complete', status: 'mistaked', error: response.error };
  }
  if (response.redirect === undefined || response.redirect === '')
    return { kind: 'failure', depositId, reason: 'data-null' };
  const step = redirectStep(depositId, response.redirect, undefined, policy);
  return step.kind === 'redirect' ? step : { kind: 'failure', depositId, reason: 'unsafe-link' };
}

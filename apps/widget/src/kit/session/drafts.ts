/**
 * What the user has typed. It is kept in memory while the widget runs, so that going back and forth loses nothing. It is never
 * stored.
 */
import type { Services } from './services.tsx';

export interface Draft {
  /** The typed amount; undefined: the user has not typed. */
  amount: string | undefined;
  isFromChip: boolean;
  fields: Record<string, string>;
  /** The chosen saved account; without an id the user types a new one. Absent: the user has not chosen. */
  account?: { readonly accountId: string | undefined };
}

const drafts = new WeakMap<Services, Map<string, Draft>>();

/** The draft of a method in a currency. The form on the screen changes it in place. */
export function draftOf(services: Services, method: string, currency: string): Draft {
  let ofWidget = drafts.get(services);
  if (!ofWidget) {
    ofWidget = new Map();
    drafts.set(services, ofWidget);
  }
  const key = `${method} ${currency}`;
  let draft = ofWidget.get(key);
  if (!draft) {
    draft = { amount: undefined, isFromChip: false, fields: {} };
    ofWidget.set(key, draft);
  }
  return draft;
}

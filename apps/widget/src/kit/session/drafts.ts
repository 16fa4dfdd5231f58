/** What a person has typed, kept while the widget runs, so that going back and forth loses nothing. Never stored. */
import type { Services } from './services.tsx';

export interface Draft {
  /** As the amount field shows it; undefined: never touched. */
  amount: string | undefined;
  isFromChip: boolean;
  fields: Record<string, string>;
  /** The kept account that was chosen; without an id another one is typed. Absent: nobody has chosen. */
  account?: { readonly accountId: string | undefined };
}

const drafts = new WeakMap<Services, Map<string, Draft>>();

/** The draft of a method in a currency: changed in place by the form that is on screen. */
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

import { type ReactNode, useMemo } from 'react';
import { type ReadableStore, type Services, ServicesProvider, type Texts, useServices } from './services.tsx';

interface Change {
  readonly currency: string;
  readonly boxId?: string | undefined;
  /** A prefix for the texts of shared screens inside: the text `words.key` replaces the text `key`, if there is one. */
  readonly words?: string | undefined;
}

/** One set of services for each scope, because drafts are kept by services. */
const scopes = new WeakMap<Services, Map<string, Services>>();

/** The screens inside use this currency instead of the user's own, because a coin box has its own price. */
export function SessionScope({ currency, boxId, words, children }: Change & { readonly children: ReactNode }) {
  const services = useServices();
  const inside = useMemo(() => servicesIn(services, { currency, boxId, words }), [services, currency, boxId, words]);
  return <ServicesProvider value={inside}>{children}</ServicesProvider>;
}

function servicesIn(services: Services, change: Change): Services {
  let ofServices = scopes.get(services);
  if (!ofServices) {
    ofServices = new Map();
    scopes.set(services, ofServices);
  }
  const key = JSON.stringify(change);
  let inside = ofServices.get(key);
  if (!inside) {
    const { currency, boxId, words } = change;
    const paid = boxId === undefined ? { currency } : { currency, boxId };
    inside = {
      ...services,
      session: derived(services.session, (session) => ({ ...session, ...paid })),
      ...(words !== undefined && { texts: derived(services.texts, (texts) => inWords(words, texts)) }),
    };
    ofServices.set(key, inside);
  }
  return inside;
}

function inWords(words: string, texts: Texts): Texts {
  const { has, translate } = texts;
  const own = (key: string) => `${words}.${key}`;
  return {
    ...texts,
    has: (key) => has(own(key)) || has(key),
    translate: (key, params) => translate(has(own(key)) ? own(key) : key, params),
  };
}

/** Answers the same object as long as the outer value is the same. A new object each time would make React draw forever. */
function derived<Value>(outer: ReadableStore<Value>, change: (value: Value) => Value): ReadableStore<Value> {
  let seen: Value | undefined;
  let inside: Value | undefined;
  return {
    subscribe: outer.subscribe,
    getState() {
      const now = outer.getState();
      if (inside === undefined || now !== seen) {
        seen = now;
        inside = change(now);
      }
      return inside;
    },
  };
}

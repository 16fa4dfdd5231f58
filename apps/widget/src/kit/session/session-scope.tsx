import { type ReactNode, useMemo } from 'react';
import { type ReadableStore, type Services, ServicesProvider, type Texts, useServices } from './services.tsx';

interface Change {
  readonly currency: string;
  readonly boxId?: string | undefined;
  /** What the screens inside are about, where they serve more than that: the text `words.key` stands for `key` if there is one. */
  readonly words?: string | undefined;
}

/** One set of services for each scope, since what a person has typed is kept by them. */
const scopes = new WeakMap<Services, Map<string, Services>>();

/** The screens inside pay, or are paid, in this currency, whichever the person's own is: a coin box has a price of its own. */
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

import { type ReactNode, useMemo } from 'react';
import { type ReadableStore, type Services, ServicesProvider, type Session, useServices } from './services.tsx';

type Change = Pick<Session, 'currency' | 'boxId'>;

/** One set of services for each scope, since what a person has typed is kept by them. */
const scopes = new WeakMap<Services, Map<string, Services>>();

/** The screens inside pay, or are paid, in this currency, whichever the person's own is: a coin box has a price of its own. */
export function SessionScope({ currency, boxId, children }: Change & { readonly children: ReactNode }) {
  const services = useServices();
  const inside = useMemo(
    () => servicesIn(services, { currency, ...(boxId === undefined ? {} : { boxId }) }),
    [services, currency, boxId],
  );
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
    inside = { ...services, session: sessionIn(services.session, change) };
    ofServices.set(key, inside);
  }
  return inside;
}

/** The same session object as long as the outer one is the same: a store that always answers anew would draw for ever. */
function sessionIn(session: ReadableStore<Session>, change: Change): ReadableStore<Session> {
  let seen: Session | undefined;
  let inside: Session | undefined;
  return {
    subscribe: session.subscribe,
    get() {
      const now = session.get();
      if (inside === undefined || now !== seen) {
        seen = now;
        inside = { ...now, ...change };
      }
      return inside;
    },
  };
}

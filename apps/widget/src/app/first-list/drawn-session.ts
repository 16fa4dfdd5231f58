/** The session as the server drew the page with it. React continues a drawn page only from the same values. */
import type { HostPayload } from '@opencashier/contract/host';
import type { FirstListFacts } from '@opencashier/contract/page';
import type { ReadableStore, Session } from '../../kit/session/services.tsx';

type Drawn = Pick<FirstListFacts, 'currency' | 'hasClose' | 'hasBonus'>;

/** A payload reduced to what the address of the page says. */
export function payloadAsDrawn<Payload extends Omit<HostPayload, 'token' | 'start'>>(
  payload: Payload,
  { currency, hasClose, hasBonus }: Drawn,
): Payload {
  return {
    ...payload,
    closingButton: hasClose,
    experiments: [],
    schema: { meta: {}, assets: {} },
    // Its currency alone is drawn: it keeps a place for the banner.
    bonusList: hasBonus ? [{ id: '', type: 'deposit', currency, content: { title: '' } }] : [],
  };
}

/** Whether the host has a bonus in the currency of the session. */
export function hasBonusNow({ payload, currency }: Pick<Session, 'payload' | 'currency'>): boolean {
  return payload.bonusList.some((bonus) => bonus.currency === currency);
}

/**
 * A store of the session that tells React the values of the drawing first. They are the session itself if
 * nothing that is drawn differs, so that nothing is drawn twice.
 */
export function withDrawnSession(store: ReadableStore<Session>, drawn: Drawn): ReadableStore<Session> {
  const session = store.getState();
  // The host's start amount is not in the address either.
  const { start, ...withoutStart } = session;
  const { closingButton, experiments } = session.payload;
  const hasBonus = hasBonusNow(session);
  const isSame = closingButton === drawn.hasClose && hasBonus === drawn.hasBonus && experiments.length === 0 && !start;
  const first: Session = isSame ? session : { ...withoutStart, payload: payloadAsDrawn(session.payload, drawn) };
  return { ...store, getServerState: () => first };
}

/** The first list of methods in the page, if the server has drawn it, and whether this session may continue from it. */
import type { FirstList } from '@opencashier/contract/page';
import { onThisDevice } from '../../api/device-wallets.ts';
import type { Session, Texts } from '../../kit/session/services.tsx';
import { isDrawnByServer } from '../../products/first-call.ts';

/**
 * Reads the list that the server wrote into the page, as this device can use it. It comes from the same build, in the page itself, so
 * it is not checked again.
 */
export function readFirstList(document: Pick<Document, 'getElementById'>): FirstList | undefined {
  const text = document.getElementById('first-list')?.textContent;
  if (text == null) return undefined;
  const drawn = JSON.parse(text) as FirstList;
  return { ...drawn, list: onThisDevice(drawn.list) };
}

/** Whether the drawing is of this session's region and product. The host's payload decides, not the address. */
export function isOfSession(
  { country, currency }: FirstList,
  session: Pick<Session, 'country' | 'currency' | 'boxId' | 'payload'>,
): boolean {
  return (
    session.country === country &&
    session.currency === currency &&
    session.boxId === undefined &&
    isDrawnByServer[session.payload.widgetViewType]
  );
}

/** Whether the drawing is in the language and with the numbers of these texts. */
export function isInTexts(drawn: FirstList, { locale, formatLocale }: Pick<Texts, 'locale' | 'formatLocale'>): boolean {
  return drawn.locale === locale && drawn.formatLocale === formatLocale;
}

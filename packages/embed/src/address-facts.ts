/** What the address of the frame says, so that the server can put the first list into the page (LIST-1). */
import type { HostPayloadInput } from './generated/host-types.ts';

/** The payload of `createCashier`: everything that `loaded` carries but the token, and what only an app can do. */
export type CashierPayload = Omit<HostPayloadInput, 'token' | 'nativeActions'>;

export interface FactSource {
  /** BCP 47 tag, such as `en` or `ar`. */
  locale?: string | undefined;
  theme?: 'light' | 'dark' | 'auto' | undefined;
  /**
   * Everything that the `loaded` message carries beside the token (HOST-2), but for what only an app can do. Copied when it is
   * given. The address says some of its facts, and none about a person.
   */
  payload?: CashierPayload | undefined;
}

/**
 * Facts by the names of their parameters; falsy where there is none. Addresses end up in logs. So no token, user, amount
 * or name is among the facts, and a value of the payload that looks wrong is left out.
 */
export function addressFacts({ locale, theme, payload = {} }: FactSource) {
  const { closingButton, bonusList, appearance, widgetViewType = 'main' } = payload;
  const currency = matching(payload.currency, /^[A-Z\d]{2,10}$/);
  return {
    locale: locale ?? matching(payload.locale, /^[a-z]{2,3}([-_][a-z\d]{1,8}){0,5}$/i),
    theme: theme ?? (matching(appearance?.theme, /^(light|dark|auto)$/) as FactSource['theme']),
    // Without a country the page has no list. Other kinds of widget begin with another screen, so a list of methods would flash.
    country: widgetViewType === 'main' && matching(payload.paymentGeo, /^[A-Z]{2}$/),
    currency,
    /** The widget shows no close button. */
    closing: closingButton === false && '0',
    /** The page keeps a place for the banner of a bonus. */
    bonuses: currency && bonusList?.some?.((bonus) => bonus?.currency === currency) && 1,
    /** The page waits for the look before it shows a list. An empty text, list or object changes no look. */
    look:
      Object.entries(appearance ?? {}).some(([name, value]) => name !== 'theme' && Object.keys(value ?? {}).length) &&
      1,
  };
}

/** A page without types may pass any value. */
function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}

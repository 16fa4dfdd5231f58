/** Opens the cashier with what was chosen. */
import { type Cashier, createCashier, type LoggedMessage } from '@opencashier/embed';
import { type Account, backend, type Site } from './backend.ts';
import type { Choices } from './choices.ts';
import { looks } from './looks.ts';

export type Direction = 'deposit' | 'withdrawal';

export interface LauncherEvents {
  onMessage: (message: LoggedMessage) => void;
  /** `dropped` so far; called after everything that may have changed it. */
  onDropped: (count: number) => void;
  /** What to tell the person; empty to tell nothing. */
  onNotice: (text: string) => void;
  onClose: () => void;
}

export interface Launch {
  readonly site: Site;
  readonly account: Account;
  readonly choices: Choices;
  readonly direction: Direction;
  /** Holds the inline cashier. */
  readonly place: HTMLElement;
  readonly events: LauncherEvents;
}

/**
 * @param prepared a cashier of the same launch; absent: a new one
 * @returns the opened cashier; the caller destroys it before it opens another
 */
export function launchCashier(launch: Launch, prepared?: Cashier): Cashier {
  const { choices, place } = launch;
  const isInline = choices.placement !== 'modal';
  place.hidden = !isInline;
  place.dataset['placement'] = choices.placement;
  const cashier = prepared ?? createDemoCashier(launch);
  cashier.open();
  if (isInline) place.scrollIntoView({ block: 'start' });
  return cashier;
}

/**
 * Creates a cashier. A modal stays closed; an inline one opens at once.
 *
 * @param onComplete called when the cashier has its bonuses, which its address depends on
 */
export function createDemoCashier(launch: Launch, onComplete?: (cashier: Cashier) => void): Cashier {
  const { site, account, choices, direction, place, events } = launch;
  const currency = choices.currency || account.user.currency;
  const country = choices.country || account.user.country;
  const { locale, theme, look, platform, transport, variant } = choices;
  const isInline = choices.placement !== 'modal';
  const cashier = createCashier({
    cashierUrl: site.cashierUrl,
    partner: site.partner,
    mode: isInline ? 'inline' : 'modal',
    autoHeight: choices.placement === 'fitted',
    container: place,
    path: variant === 'cryptobalance' ? `/cryptobalance/${direction}` : `/${direction}`,
    locale,
    theme,
    payload: {
      userId: account.user.id,
      partnerKey: site.partner,
      host: location.origin,
      currency,
      paymentGeo: country,
      locale,
      platform,
      transport,
      widgetViewType: variant,
      pwa: platform === 'pwa',
      isMobileApp: platform === 'android' || platform === 'ios',
      appearance: { theme, ...looks[look] },
      // The sandbox's own captcha; a real operator names the id of its geetest account.
      schema: { meta: { geetestCaptchaId: 'sandbox-captcha' }, assets: {} },
    },
    getToken: async () => (await backend.cashierToken({ currency, country, locale })).token,
    onMessage: (message) => {
      events.onMessage(message);
      events.onDropped(cashier.dropped);
    },
    // A hint to the user. The balance itself changes on the webhook alone.
    onTransaction: ({ event, withdrawalId }) => {
      const isPayout = withdrawalId !== undefined;
      if (event === 'success') {
        events.onNotice(isPayout ? 'Your money was paid out.' : 'Payment received. We are adding it to your balance.');
      }
      if (event === 'decline') {
        events.onNotice(
          isPayout
            ? 'Nothing was sent. The money returns to your balance.'
            : 'The payment was declined. Nothing was charged.',
        );
      }
    },
    // The site's own engineers read here what to fix.
    onProblem: ({ code, message }) => console.warn(`${code}: ${message}`),
    // A real site opens its chat here, with the payment that it is about.
    onSupport: ({ depositId }) => {
      events.onNotice(`Our support team would help you here with payment ${depositId.slice(0, 8).toUpperCase()}.`);
    },
    // What is said on the page is read on the page: an empty cashier is taken away first.
    onTimeout: () => {
      cashier.close();
      events.onNotice('The cashier does not answer. Try again in a moment.');
    },
    onTokenFailed: () => {
      cashier.close();
      events.onNotice('The cashier could not be started. Try again in a moment.');
    },
    onClose: () => {
      place.hidden = true;
      events.onClose();
    },
  });
  // Asked for beside the token: what comes before the cashier has started is there from its first screen on.
  void backend
    .bonuses({ currency, locale })
    .then(
      ({ bonuses }) => cashier.bonusesFetched({ success: true, bonusList: bonuses }),
      () => cashier.bonusesFetched({ success: false }),
    )
    .then(() => onComplete?.(cashier));
  return cashier;
}

/** What the developer drawer chooses. It lives in the page's address, so that a link shows exactly what its sender saw. */

export const choiceLists = {
  variant: ['main', 'cryptobalance', 'sweep'],
  locale: [
    ...[
      'en',
      'ar',
      'az',
      'bn',
      'de',
      'el',
      'es',
      'es-ES',
      'es-MX',
      'fil',
      'fr',
      'hi',
      'hi-IN',
      'hi-Latn-IN',
      'id',
      'it',
    ],
    ...[
      'ja',
      'kk',
      'ko',
      'ky',
      'mr',
      'ms',
      'pl',
      'pt',
      'pt-PT',
      'ro',
      'ru',
      'sw',
      'te',
      'tg',
      'th',
      'tr',
      'uk',
      'ur',
      'uz',
      'vi',
    ],
    'zh',
    'zh-Hant',
  ],
  currency: [
    '',
    'USD',
    'EUR',
    'GBP',
    'JPY',
    'CAD',
    'AUD',
    'INR',
    'BRL',
    'KZT',
    'RUB',
    'NGN',
    'MXN',
    'UZS',
    'BDT',
    'KGS',
    'USDT',
    'BTC',
    'ETH',
  ],
  country: ['', 'US', 'GB', 'FR', 'DE', 'JP', 'CA', 'AU', 'IN', 'BR', 'KZ', 'RU', 'NG', 'MX', 'UZ', 'BD', 'KG'],
  theme: ['auto', 'light', 'dark'],
  look: ['own', 'plum', 'paper'],
  platform: ['web', 'iframe', 'webview', 'pwa', 'android', 'ios'],
  transport: ['socket', 'http'],
  placement: ['modal', 'inline', 'fitted'],
} as const;

type Lists = typeof choiceLists;
export type ChoiceName = keyof Lists;

/** The first of each list is the default and stays out of the address. An empty currency or country is the user's own. */
export type Choices = { [Name in ChoiceName]: Lists[Name][number] } & {
  /** Who is signed in: empty for the first user, `none` for nobody, `new` for a fresh guest. */
  user: string;
};

export const choiceNames = Object.keys(choiceLists) as ChoiceName[];

/** Reads the query of an address; what is not on the lists takes its default. */
export function readChoices(query: string): Choices {
  const given = new URLSearchParams(query);
  const chosen = choiceNames.map((name) => {
    const list: readonly string[] = choiceLists[name];
    const value = given.get(name);
    return [name, value !== null && list.includes(value) ? value : list[0]];
  });
  const user = given.get('user') ?? '';
  return { ...Object.fromEntries(chosen), user: /^[a-z0-9-]{0,40}$/.test(user) ? user : '' } as Choices;
}

/** The query that stands for these choices: empty, or beginning with `?`. */
export function writeChoices(choices: Choices): string {
  const query = new URLSearchParams();
  for (const name of choiceNames) {
    if (choices[name] !== choiceLists[name][0]) query.set(name, choices[name]);
  }
  if (choices.user !== '') query.set('user', choices.user);
  return query.size === 0 ? '' : `?${query}`;
}

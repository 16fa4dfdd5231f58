/** What a host needs of its own site: who is signed in, and a user token for them from the site's own backend. */

import { type Account, backend, type Site } from '../src/page/backend.ts';
import { find, make } from '../src/page/elements.ts';

export interface Visitor {
  readonly site: Site;
  readonly user: Account['user'];
  getToken(): Promise<string>;
}

/** Signs in as the first user of the demonstration, or the one that the address names by `?user=`. */
export async function signedInVisitor(): Promise<Visitor> {
  const site = await backend.site();
  const { user } = await backend.signIn(new URLSearchParams(location.search).get('user') ?? site.users[0]?.id ?? '');
  return {
    site,
    user,
    getToken: async () => {
      const { currency, country } = user;
      return (await backend.cashierToken({ currency, country, locale: 'en' })).token;
    },
  };
}

/** Lists what the cashier said, on the page. Nothing secret is ever in it. */
export function note(messageType: string, payload: unknown): void {
  find('events', HTMLOListElement).append(make('li', {}, `${messageType} ${JSON.stringify(payload)}`));
}

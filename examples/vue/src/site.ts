/** What the page asks its own backend. */
export interface Site {
  readonly cashierUrl: string;
  readonly partner: string;
  readonly user: { readonly id: string; readonly currency: string; readonly country: string };
}

async function ask(path: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(path, init);
  // Without this check the text of an error would be taken for a token.
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer;
}

export const readSite = async (): Promise<Site> => (await ask('/api/site')).json();
export const getToken = async (): Promise<string> => (await ask('/api/cashier-token', { method: 'POST' })).text();
export async function readBalance(): Promise<string> {
  const { balance, currency } = await (await ask('/api/balance')).json();
  return `${balance} ${currency}`;
}

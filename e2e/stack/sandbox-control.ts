/** Actions of the provider, by the forms of the sandbox's control page (docs/sandbox.md). */
import type { Stack } from './stack.ts';

/** @param more further fields of the form, such as the amount of `pay-less` */
export async function atProvider(
  stack: Stack,
  depositId: string,
  action: string,
  more: Record<string, string> = {},
): Promise<void> {
  const found = await fetch(`${stack.cashierUrl}/sandbox/payments?depositId=${depositId}`, { redirect: 'manual' });
  const place = found.headers.get('location');
  if (found.status !== 303 || place === null) throw new Error(`The sandbox has no payment for ${depositId}.`);
  const address = new URL(place, stack.cashierUrl);
  const page = await (await fetch(address)).text();
  const token = /name="token" value="([0-9a-f]+)"/.exec(page)?.[1] ?? '';
  const body = new URLSearchParams({ token, action, ...more });
  const { status } = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  if (status !== 303) throw new Error(`The sandbox answered ${action} with ${status}.`);
}

/** Sets how the source of exchange rates behaves, by the form of the sandbox's page of rates. */
export async function setRates(
  stack: Stack,
  mood: 'fresh' | 'stopped' | 'down',
  { ageSeconds = 0 }: { readonly ageSeconds?: number } = {},
): Promise<void> {
  const address = `${stack.cashierUrl}/sandbox/rates`;
  const token = /name="token" value="([0-9a-f]+)"/.exec(await (await fetch(address)).text())?.[1] ?? '';
  const body = new URLSearchParams({ token, mood, age: String(ageSeconds) });
  const { status } = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  if (status !== 303) throw new Error(`The sandbox answered ${mood} with ${status}.`);
}

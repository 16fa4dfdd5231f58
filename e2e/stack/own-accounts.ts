/** Accounts of the demo operator's own at providers, made by the operator API (docs/connections.md). */
import { randomBytes } from 'node:crypto';
import type { Stack } from './stack.ts';

/** The environment of a stack whose operator may have accounts of its own: their secrets are sealed by a master key. */
export const sealedEnvironment = (): Record<string, string> => ({
  MASTER_KEY: `2026-11:${randomBytes(32).toString('base64')}`,
});

/** A secret that signs callbacks of a sandbox account. */
export const callbackSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Asks the operator API as the operator demo. @param path below `/operator/v1` */
export async function askOperator<Body>(stack: Stack, method: string, path: string, body?: object): Promise<Body> {
  const answer = await fetch(`${stack.cashierUrl}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${stack.operatorKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as Body;
}

interface OwnAccount {
  readonly provider: string;
  readonly name: string;
  readonly currency: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
}

/** Makes a disabled connection, and answers the function that enables it. */
export async function connect(stack: Stack, { currency, ...account }: OwnAccount): Promise<() => Promise<object>> {
  const { connectionId } = await askOperator<{ connectionId: string }>(stack, 'POST', '/connections', {
    ...account,
    mode: 'test',
    currencies: [currency],
    staff: 'maria',
  });
  return () => askOperator(stack, 'PATCH', `/connections/${connectionId}`, { isEnabled: true });
}

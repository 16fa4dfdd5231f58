/** A user with a balance, on the page of withdrawals. */
import { randomUUID } from 'node:crypto';
import type { Stack } from './stack.ts';

let people = 0;

/** A new user, with an amount that the operator put on the main account. */
export async function fundedUser(stack: Stack, currency: string, amount: string): Promise<string> {
  people += 1;
  const userId = `payee-${process.pid}x${people}`;
  await fund(stack, userId, currency, amount);
  return userId;
}

/** Puts an amount on a user's main account, as its operator. */
export async function fund(stack: Stack, userId: string, currency: string, amount: string): Promise<void> {
  const answer = await fetch(`${stack.cashierUrl}/operator/v1/users/${userId}/transfers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ transferId: randomUUID(), amount, currency, from: 'operator', to: 'main' }),
  });
  if (!answer.ok) throw new Error(`transfers answered ${answer.status}: ${await answer.text()}`);
}

/** The user's main balance, from the operator API. */
export async function mainBalance(stack: Stack, userId: string, currency: string): Promise<string | undefined> {
  const answer = await fetch(`${stack.cashierUrl}/operator/v1/users/${userId}/balances`, {
    headers: { authorization: `Bearer ${stack.operatorKey}` },
  });
  const { balances } = (await answer.json()) as { balances: { currency: string; amount: string }[] };
  return balances.find((balance) => balance.currency === currency)?.amount;
}

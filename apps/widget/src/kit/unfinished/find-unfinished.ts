/** Finds the deposit that this user has begun and not finished. This tab may remember it; otherwise the server is asked. */
import { depositCheck, depositStatus } from '@opencashier/contract/api';
import { countdown } from '@opencashier/core/time/countdown';
import { statusOfCode } from '@opencashier/core/transaction/status';
import { ClientError } from '../../api/client.ts';
import { lastIntent } from '../deposit/deposit-intent.ts';
import { completePath } from '../session/product-context.tsx';
import type { Services } from '../session/services.tsx';

export interface Unfinished {
  readonly depositId: string;
  readonly paymentMethod: string;
  readonly amount: string;
  readonly currency: string;
  /** ISO 8601, by the server's clock. */
  readonly created: string;
  readonly lifetime: number | undefined;
  /** The screen of the product that continues it. */
  readonly path: string;
}

/** Why there is nothing to show: the server knows of none, or could not be asked. */
export type NotFound = 'none' | 'unanswered';

/** What the list of methods knows about a method, by its name. */
export interface Offers {
  has(paymentMethod: string): boolean;
  isAddress(paymentMethod: string): boolean;
}

type Question = Pick<Services, 'api' | 'session' | 'clock'>;

/**
 * Asks the server, because what this tab has stored only says which deposit to ask about. A deposit that is paid, expired or of
 * unknown outcome is not unfinished.
 * @returns `none`: the server knows of no unfinished deposit. `unanswered`: nothing is known, so the caller keeps showing what it
 *   found before. A user who no longer saw the deposit would pay a second one
 * @param offers the methods on offer. A deposit that only shows an address is unfinished once something was sent to it
 * @param lastMethod the method used last on this device, for a new tab
 */
export async function findUnfinished(
  services: Question,
  tree: string,
  offers: Offers,
  lastMethod: string | undefined,
  signal: AbortSignal,
): Promise<Unfinished | NotFound> {
  try {
    const found = (await ofThisTab(services, tree, signal)) ?? (await ofServer(services, tree, lastMethod, signal));
    if (found === undefined || !offers.has(found.paymentMethod)) return 'none';
    if (offers.isAddress(found.paymentMethod) && !(await isSeen(services, found, signal))) return 'none';
    const { api, clock } = services;
    const { expired } = countdown({
      createdAt: Date.parse(found.created),
      now: clock.now() + api.serverOffsetMs(),
      lifetimeS: found.lifetime,
    });
    return expired ? 'none' : found;
  } catch (error) {
    if (error instanceof ClientError || signal.aborted) return 'unanswered';
    throw error;
  }
}

async function ofThisTab(
  { api, session }: Question,
  tree: string,
  signal: AbortSignal,
): Promise<Unfinished | undefined> {
  const intent = lastIntent();
  if (intent?.path === undefined || !intent.path.startsWith(`${tree}/`)) return undefined;
  if (intent.userId !== session.getState().payload.userId) return undefined;
  const { depositId, path, method } = intent;
  const request = { depositId, ...(method === undefined ? {} : { paymentMethod: method }) };
  try {
    const { status, isOutcomeUnknown, paymentMethod, amount, currency, created, lifetime } = await api.call(
      depositStatus,
      request,
      { signal },
    );
    if (statusOfCode(status) !== 'waiting' || isOutcomeUnknown === true) return undefined;
    return {
      depositId,
      paymentMethod,
      amount,
      currency,
      created,
      lifetime,
      path,
    };
  } catch (error) {
    if (error instanceof ClientError && error.code === 'not-found') return undefined;
    throw error;
  }
}

/** Whether the chain has shown anything sent to the deposit's address. */
async function isSeen(
  { api }: Question,
  { depositId, paymentMethod }: Unfinished,
  signal: AbortSignal,
): Promise<boolean> {
  const { txid, confirmations, receivedAmount } = await api.call(
    depositStatus,
    { depositId, paymentMethod },
    { signal },
  );
  return txid !== undefined || confirmations !== undefined || receivedAmount !== undefined;
}

async function ofServer(
  { api, session }: Question,
  tree: string,
  paymentMethod: string | undefined,
  signal: AbortSignal,
): Promise<Unfinished | undefined> {
  if (paymentMethod === undefined) return undefined;
  const selectedCountry = session.getState().country;
  const open = await api.call(depositCheck, { paymentMethod, selectedCountry }, { signal });
  const { exists, depositId, amount, currency, created, lifetime } = open;
  if (!exists || depositId === undefined || amount === undefined || currency === undefined || created === undefined) {
    return undefined;
  }
  return {
    depositId,
    paymentMethod,
    amount,
    currency,
    created,
    lifetime,
    path: completePath(tree, depositId, paymentMethod),
  };
}

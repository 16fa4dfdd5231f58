/**
 * What a tab keeps of the deposit that it has created last: the answer in memory, and in the storage what a repeat needs to be the
 * same intent (NAV-7). Apart from the asking again, which only the pages of a payment by hand do.
 */
import type { DepositData } from '@opencashier/contract/api';
import type { QueryClient } from '@tanstack/react-query';
import { readStored, store } from '../session/browser-storage.ts';

/** Under which the cache keeps the answer of a create. */
export const answerKey = (depositId: string | undefined) => ['deposit-answer', depositId] as const;
const intentKey = 'cashier.deposit-intent';

/** The parts of a create call that tell two intents apart and that its status does not name. Nothing that was typed. */
export interface StoredIntent {
  readonly depositId: string;
  readonly method?: string | undefined;
  /** The screen inside the product on which the person goes on with it. */
  readonly path?: string | undefined;
  /** Whose it is: another person of this device must not meet it. */
  readonly userId?: string | undefined;
  readonly selectedCountry?: string | undefined;
  readonly bonusId?: string | undefined;
  /** The coin box that is bought. */
  readonly boxId?: string | undefined;
}

/** Keeps the answer of a create for the page that shows it; `intent` is what a repeat needs to be the same. */
export function rememberAnswer(queries: QueryClient, data: DepositData | undefined, intent: StoredIntent): void {
  if (data) queries.setQueryData(answerKey(intent.depositId), data);
  store('sessionStorage', intentKey, JSON.stringify(intent));
}

/** What is stored of the last deposit of this tab. */
export function lastIntent(): StoredIntent | undefined {
  const text = readStored('sessionStorage', intentKey);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const word = (name: string) => {
      const found: unknown = Reflect.get(value, name);
      return typeof found === 'string' ? found : undefined;
    };
    const depositId = word('depositId');
    if (depositId === undefined) return undefined;
    const [method, path, userId] = [word('method'), word('path'), word('userId')];
    return {
      depositId,
      method,
      path,
      userId,
      selectedCountry: word('selectedCountry'),
      bonusId: word('bonusId'),
      boxId: word('boxId'),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What is stored of this very deposit. */
export function intentOf(depositId: string): StoredIntent | undefined {
  const intent = lastIntent();
  return intent?.depositId === depositId ? intent : undefined;
}

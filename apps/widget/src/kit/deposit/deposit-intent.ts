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
  /** The screen of the product that continues the deposit. */
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

const intentParts = ['depositId', 'method', 'path', 'userId', 'selectedCountry', 'bonusId', 'boxId'] as const;

/** The last deposit of this tab, as it was stored. What is not a text is left out: a person or an extension may have changed it. */
export function lastIntent(): StoredIntent | undefined {
  const stored = storedValue();
  if (typeof stored !== 'object' || stored === null) return undefined;
  const texts: Partial<Record<(typeof intentParts)[number], string>> = {};
  for (const part of intentParts) {
    const value: unknown = Reflect.get(stored, part);
    if (typeof value === 'string') texts[part] = value;
  }
  const { depositId } = texts;
  return depositId === undefined ? undefined : { ...texts, depositId };
}

function storedValue(): unknown {
  try {
    return JSON.parse(readStored('sessionStorage', intentKey) ?? 'null');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What is stored of one deposit; undefined when the tab has created another one since. */
export function intentOf(depositId: string): StoredIntent | undefined {
  const intent = lastIntent();
  return intent?.depositId === depositId ? intent : undefined;
}

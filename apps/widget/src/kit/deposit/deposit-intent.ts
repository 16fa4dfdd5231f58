/**
 * What a tab keeps of its last deposit (NAV-7). The answer is in memory. The storage has what a repeated create needs to be the
 * same intent. The repeat is in another file, because only the pages of manual payments load it.
 */
import type { DepositData } from '@opencashier/contract/api';
import type { QueryClient } from '@tanstack/react-query';
import { readStored, store } from '../session/browser-storage.ts';

/** The key of a create's answer in the query cache. */
export const answerKey = (depositId: string | undefined) => ['deposit-answer', depositId] as const;
const intentKey = 'cashier.deposit-intent';

/** The parts of a create call that tell two intents apart and that the deposit's status does not name. Nothing typed is stored. */
export interface StoredIntent {
  readonly depositId: string;
  readonly method?: string | undefined;
  /** The screen of the product that continues the deposit. */
  readonly path?: string | undefined;
  /** The user of the deposit: another user of this device must not see it. */
  readonly userId?: string | undefined;
  readonly selectedCountry?: string | undefined;
  readonly bonusId?: string | undefined;
  /** The coin box that is bought. */
  readonly boxId?: string | undefined;
}

/** Keeps the answer of a create for the page that shows it. A repeat needs `intent`. */
export function rememberAnswer(queries: QueryClient, data: DepositData | undefined, intent: StoredIntent): void {
  if (data) queries.setQueryData(answerKey(intent.depositId), data);
  store('sessionStorage', intentKey, JSON.stringify(intent));
}

const intentParts = ['depositId', 'method', 'path', 'userId', 'selectedCountry', 'bonusId', 'boxId'] as const;

/**
 * The last deposit of this tab, as it was stored. Values that are not strings are left out, because a user or an extension may
 * have changed them.
 */
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

/** The stored intent of one deposit; undefined when the tab has created another deposit since. */
export function intentOf(depositId: string): StoredIntent | undefined {
  const intent = lastIntent();
  return intent?.depositId === depositId ? intent : undefined;
}

import { useState } from 'react';
import type { Fields } from '../form/field-state.ts';

/** The field that has the payee's name, in every method of the catalogue. */
export const PAYEE_FIELD = 'fullName';

export interface PayeeName {
  /** The name by which the bank knows the account, while the user must choose. Undefined: there is no question. */
  readonly suggested: string | undefined;
  /** What the create call says of a nearly equal name. Undefined: the form has no name. */
  readonly choice: 'ask' | 'keep' | undefined;
  /** How often the bank has asked. */
  readonly times: number;
  /** The bank knows the account under this name. */
  ask(suggested: string): void;
  /** The user keeps the typed name. */
  keep(): void;
}

/** The bank's question about the payee's name (WD-2). It is about all values of the form, so any change of them ends it. */
export function usePayeeName({ values }: Fields): PayeeName {
  const now = JSON.stringify(values);
  const [asked, setAsked] = useState<{ readonly suggested: string; readonly of: string; readonly times: number }>();
  const [kept, setKept] = useState<string>();
  const isOfNow = asked?.of === now && kept !== now;
  return {
    suggested: isOfNow ? asked.suggested : undefined,
    choice: values[PAYEE_FIELD] === undefined ? undefined : kept === now ? 'keep' : 'ask',
    times: asked?.times ?? 0,
    ask(suggested) {
      setAsked((before) => ({ suggested, of: now, times: (before?.times ?? 0) + 1 }));
      setKept(undefined);
    },
    keep: () => setKept(now),
  };
}

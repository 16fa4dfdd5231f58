import { type RefObject, useEffect, useState } from 'react';

/**
 * Moves the focus to the first field in `place` that is marked as wrong. It waits until React has drawn every fault of this turn.
 * A fixed delay would not do, because an answer of the server is drawn later than a press.
 */
export function useLeadToFault(place: RefObject<HTMLElement | null>): () => void {
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (asked > 0) place.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [asked, place]);
  return () => setAsked((times) => times + 1);
}

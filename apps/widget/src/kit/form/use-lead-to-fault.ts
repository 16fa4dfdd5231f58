import { type RefObject, useEffect, useState } from 'react';

/**
 * Leads the person to the first field in `place` that is marked as wrong, after everything that was said in the same turn has
 * been drawn: an answer of the server is drawn later than a press is, and no frame knows when.
 */
export function useLeadToFault(place: RefObject<HTMLElement | null>): () => void {
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (asked > 0) place.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [asked, place]);
  return () => setAsked((times) => times + 1);
}

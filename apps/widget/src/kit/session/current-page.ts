import { useCallback, useEffect, useRef } from 'react';

/**
 * Tells whether the address is still that of the page that asks. A page stays on the screen while the file of the next one is
 * being fetched; whatever it hears meanwhile, it must not lead the person elsewhere any more (NAV-7).
 */
export function useIsCurrentPage(): () => boolean {
  const path = useRef<string>(undefined);
  useEffect(() => {
    path.current = location.pathname;
  }, []);
  return useCallback(() => location.pathname === path.current, []);
}

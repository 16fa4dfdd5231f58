import { useCallback, useEffect, useRef } from 'react';

/**
 * Whether the address still belongs to the page that asks. A page stays on the screen while the next page is loading. Meanwhile
 * it must not lead the user to a third page (NAV-7).
 */
export function useIsCurrentPage(): () => boolean {
  const path = useRef<string>(undefined);
  useEffect(() => {
    path.current = location.pathname;
  }, []);
  return useCallback(() => location.pathname === path.current, []);
}

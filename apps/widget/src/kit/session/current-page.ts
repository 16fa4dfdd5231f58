import { useCallback, useEffect, useRef } from 'react';

/**
 * Whether the page that asks is still the page of the user: it is on the screen, and the address still belongs to it. A page stays
 * on the screen while the next page is loading. Meanwhile it must not lead the user to a third page (NAV-7). Ask after every wait.
 */
export function useIsCurrentPage(): () => boolean {
  const path = useRef<string>(undefined);
  useEffect(() => {
    path.current = location.pathname;
    // A user who has left and come back has another page with the same address.
    return () => {
      path.current = undefined;
    };
  }, []);
  return useCallback(() => location.pathname === path.current, []);
}

import { useCallback, useRef, useState } from 'react';

/**
 * Announces to screen readers that the shown address has changed. Otherwise a blind user would send to the old one (WCAG 4.1.3).
 * @param name the announced name of the value shown now, such as coin and network
 */
export function useAnnouncedChange(name: string) {
  const [announced, setAnnounced] = useState('');
  const last = useRef<string>(undefined);
  const onShown = useCallback(
    (value: string) => {
      const shown = `${name} ${value}`;
      if (last.current !== undefined && last.current !== shown) setAnnounced(name);
      last.current = shown;
    },
    [name],
  );
  return { announced, onShown };
}

import { useCallback, useRef, useState } from 'react';

/**
 * Another address than before is said aloud by its name: whoever does not see it would send to the old one (WCAG 4.1.3).
 * @param name of what is shown now, with what it depends on
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

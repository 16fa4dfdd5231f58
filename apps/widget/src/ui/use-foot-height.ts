import { type RefObject, useEffect } from 'react';

/** Keeps what has the focus above something that stays at the foot of the window, however high it is (WCAG 2.4.11). */
export function useFootHeight(foot: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--foot', `${foot.current?.offsetHeight}px`));
    if (foot.current) observer.observe(foot.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--foot');
    };
  }, [foot]);
}

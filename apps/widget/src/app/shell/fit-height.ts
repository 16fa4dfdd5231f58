/** Reports the height of the current screen to the host, for a frame that grows with it (UI-4). Loaded when the host asks for it. */
import type { WidgetMessage } from '@opencashier/contract/host';

interface Ports {
  readonly page: HTMLElement;
  /** The element that holds the screen. `data-fit` on the page makes its height independent of the window. */
  readonly screen: HTMLElement;
  readonly post: (message: WidgetMessage) => void;
}

/**
 * Reports each change of the screen's height, in whole pixels and rounded up, at most once an animation frame. The height of
 * the host's frame does not change the measured height, so no loop can start.
 *
 * @returns stops the reports
 */
export function reportHeight({ page, screen, post }: Ports): () => void {
  page.dataset['fit'] = '';
  let reported = 0;
  let next: number | undefined;
  const report = (): void => {
    next = undefined;
    const height = Math.ceil(screen.getBoundingClientRect().height);
    // Between two screens the height may be 0 for a moment.
    if (height === reported || height === 0) return;
    reported = height;
    post({ messageType: 'resize', payload: { height } });
  };
  const observer = new ResizeObserver(() => {
    next ??= requestAnimationFrame(report);
  });
  observer.observe(screen);
  // The frame may be much higher than the host's window. A sheet opens near the last press, not at the end of the frame.
  const notePress = (event: Event): void => {
    const place = event instanceof MouseEvent ? event.clientY : document.activeElement?.getBoundingClientRect().top;
    page.style.setProperty('--press', `${Math.round(place ?? 0)}px`);
  };
  screen.addEventListener('pointerdown', notePress, true);
  screen.addEventListener('keydown', notePress, true);
  return () => {
    observer.disconnect();
    screen.removeEventListener('pointerdown', notePress, true);
    screen.removeEventListener('keydown', notePress, true);
    if (next !== undefined) cancelAnimationFrame(next);
  };
}

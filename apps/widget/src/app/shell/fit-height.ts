/** Tells the host how high the current screen is, for a frame that grows with it (UI-4). Loaded only where the host asked for it. */
import type { WidgetMessage } from '@opencashier/contract/host';

interface Ports {
  readonly page: HTMLElement;
  /** What holds the screen. Its own height must not hang on that of the window: `data-fit` on the page sees to it. */
  readonly screen: HTMLElement;
  readonly post: (message: WidgetMessage) => void;
}

/**
 * From now on a change of the screen's height is told once a frame at most, in whole pixels and rounded up. A host that gives the
 * frame the told height changes nothing that is measured here, so telling comes to an end.
 *
 * @returns how to stop
 */
export function tellHeight({ page, screen, post }: Ports): () => void {
  page.dataset['fit'] = '';
  let told = 0;
  let next: number | undefined;
  const tell = (): void => {
    next = undefined;
    const height = Math.ceil(screen.getBoundingClientRect().height);
    // Between two screens there may be nothing for a moment.
    if (height === told || height === 0) return;
    told = height;
    post({ messageType: 'resize', payload: { height } });
  };
  const observer = new ResizeObserver(() => {
    next ??= requestAnimationFrame(tell);
  });
  observer.observe(screen);
  // The frame may be much higher than the window of its host: a sheet opens where the person is, not at the frame's far end.
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

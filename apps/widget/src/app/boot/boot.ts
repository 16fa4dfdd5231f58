/**
 * Starts the widget before React is there. Order: greet the host, fetch texts and the rest of the code; when the host has
 * answered, open the transport and ask for methods; when all of it is in, mount. No module of this file's chunk may import
 * React (build/chunks.ts).
 */
import { steadyClock } from '@opencashier/core/time/clock';
import { observeFaults } from '../telemetry/telemetry-page.ts';
import { type Build, WidgetStart } from './widget-start.ts';

/** Boots into `root`. Runs once a page. */
export function boot(root: HTMLElement, build: Build): void {
  observeFaults(window, steadyClock, build.base);
  const start = new WidgetStart(root, build, steadyClock);
  start.greetHost();
  start.fetchCode();
}

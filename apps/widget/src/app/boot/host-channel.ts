/** The channel to the host of this page: the window around it, the page that opened it, or an app. */
import type { Clock } from '@opencashier/core/time/clock';
import { type ChannelEvents, createHostChannel, type HostChannel } from '../../host/channel.ts';
import { chooseOutlet } from '../../host/outlet.ts';
import { hostWindowOf, isTopLevel, listenToHost } from '../../host/post-message.ts';
import { pollWindowProperty } from '../../host/window-property.ts';

/**
 * The host channel of this page, not started yet.
 *
 * @param allowedOrigins origins of the operator's pages; messages of other origins are dropped (HOST-7)
 * @param waitsForHost whether the host answers only when the user opens the cashier
 */
export function hostChannelOf(
  page: Window,
  allowedOrigins: readonly string[],
  waitsForHost: boolean,
  clock: Clock,
  events: ChannelEvents,
): HostChannel {
  // Only a page that no window shows can be in an app, which sets a property on it (HOST-5).
  const isInApp = isTopLevel(page) && hostWindowOf(page) === undefined;
  return createHostChannel({
    outlet: chooseOutlet(page, page.document.referrer, allowedOrigins),
    inlets: {
      listen: (deliver, drop) => listenToHost(page, allowedOrigins, deliver, drop),
      ...(isInApp && {
        poll: (found: (payload: unknown) => void, missing: () => void) =>
          pollWindowProperty(page, clock, found, missing),
      }),
    },
    clock,
    events,
    // Only an SDK around this page can answer later.
    waitsForHost: waitsForHost && !isInApp,
  });
}

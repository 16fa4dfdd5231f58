/** A host channel on a fake window, with the events that it passed to the widget. */
import type { HostPayloadInput } from '@opencashier/contract/host';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { vi } from 'vitest';
import { type ChannelEvents, createHostChannel, type HostChannel } from '../channel.ts';
import { chooseOutlet } from '../outlet.ts';
import { hostWindowOf, isTopLevel, listenToHost } from '../post-message.ts';
import { pollWindowProperty } from '../window-property.ts';
import { type FakeWindow, hostOrigin } from './fake-window.ts';

export const otherOrigin = 'https://other-shop.example';
export const allowed = [hostOrigin, otherOrigin];
export const bonus = { id: 'b1', type: 'deposit', currency: 'INR', content: { title: 'Double' } } as const;

export interface ChannelBench {
  readonly clock: TestClock;
  readonly events: { readonly [Name in keyof ChannelEvents]: ReturnType<typeof vi.fn<ChannelEvents[Name]>> };
  open(window: FakeWindow, options?: { referrer?: string; origins?: string[]; waitsForHost?: boolean }): HostChannel;
}

export function channelBench(): ChannelBench {
  const clock = createTestClock();
  const events = {
    loaded: vi.fn(),
    renewed: vi.fn(),
    bonuses: vi.fn(),
    appearance: vi.fn(),
    close: vi.fn(),
    failed: vi.fn(),
  };
  return {
    clock,
    events,
    open(window, { referrer = '', origins = allowed, waitsForHost = false } = {}) {
      const channel = createHostChannel({
        outlet: chooseOutlet(window, referrer, origins),
        inlets: {
          listen: (deliver, drop) => listenToHost(window, origins, deliver, drop),
          ...(isTopLevel(window) &&
            hostWindowOf(window) === undefined && {
              poll: (found: (payload: unknown) => void, missing: () => void) =>
                pollWindowProperty(window, clock, found, missing),
            }),
        },
        clock,
        events,
        waitsForHost,
      });
      channel.start();
      return channel;
    },
  };
}

export const loaded = (payload: HostPayloadInput = {}) => ({ messageType: 'loaded', payload });
export const posted = (window: FakeWindow, messageType: string) =>
  window.posted.filter(({ message }) => message.messageType === messageType);

/**
 * Where each message goes, for every page that can be around the widget. Two channels of an app are each absent, sound or
 * unusable. The page is a frame, a pop-up or alone. The host has answered or not. 3 × 3 × 3 × 2 = 54.
 */
import { platforms, type WidgetMessage, type WidgetMessageType } from '@opencashier/contract/host';
import { beforeEach, expect, test } from 'vitest';
import { allowed, type ChannelBench, channelBench, loaded } from './testing/channel-bench.ts';
import { type FakeWindow, fakeWindow, hostOrigin } from './testing/fake-window.ts';

const states = ['absent', 'sound', 'unusable'] as const;
type State = (typeof states)[number];
const places = ['framed', 'pop-up', 'alone'] as const;
const moments = ['before the host answers', 'after it'] as const;

interface Combination {
  readonly webkit: State;
  readonly bridge: State;
  readonly place: (typeof places)[number];
  readonly moment: (typeof moments)[number];
}

const combinations: Combination[] = states.flatMap((webkit) =>
  states.flatMap((bridge) => places.flatMap((place) => moments.map((moment) => ({ webkit, bridge, place, moment })))),
);

/** One message of each type, so that a new type cannot be left out. */
const everyMessage: { readonly [Type in WidgetMessageType]: Extract<WidgetMessage, { messageType: Type }> } = {
  Loaded: { messageType: 'Loaded', payload: { version: 'v1.0.477', protocol: 1 } },
  init: { messageType: 'init', payload: { success: true } },
  close: { messageType: 'close', payload: {} },
  'token-expired': { messageType: 'token-expired', payload: {} },
  transaction: { messageType: 'transaction', payload: { event: 'success', depositId: 'd-1' } },
  metric: { messageType: 'metric', payload: { key: 'k', value: 1, timestamp: 0 } },
  error: { messageType: 'error', payload: { code: 'unexpected', message: 'm' } },
  onLocaleError: { messageType: 'onLocaleError', payload: { message: 'm' } },
  support: { messageType: 'support', payload: { depositId: 'd-1', paymentMethod: 'card' } },
  copy: { messageType: 'copy', payload: { text: 't' } },
  share: { messageType: 'share', payload: { title: 't', text: 't' } },
  resize: { messageType: 'resize', payload: { height: 1 } },
};
const failedInit: WidgetMessage = { messageType: 'init', payload: { success: false, error: 'e' } };

let bench: ChannelBench;
beforeEach(() => {
  bench = channelBench();
});

/** The messages that arrived, and their way: `webkit`, `bridge`, or the target origin of a window. */
interface Arrival {
  readonly at: string;
  readonly message: unknown;
}

function pageOf({ webkit, bridge, place }: Combination): {
  window: FakeWindow;
  arrivals: () => Arrival[];
  clear(): void;
} {
  const native: Arrival[] = [];
  const take = (at: string) => (json: string) => void native.push({ at, message: JSON.parse(json) as unknown });
  const window = fakeWindow({
    topLevel: place !== 'framed',
    ...(place === 'pop-up' && { opener: 'host' }),
  });
  if (webkit !== 'absent') {
    const cashier = webkit === 'sound' ? { postMessage: take('webkit') } : { postMessage: 'no function' };
    Object.assign(window, { webkit: { messageHandlers: { cashier } } });
  }
  if (bridge === 'sound') Object.assign(window, { cashierBridge: take('bridge') });
  if (bridge === 'unusable') Object.assign(window, { cashierBridge: { id: 'an element' } });
  return {
    window,
    arrivals: () => [...native, ...window.posted.map(({ message, origin }) => ({ at: origin, message }))],
    clear() {
      native.length = 0;
      window.posted.length = 0;
    },
  };
}

/** The ways of a message by HOST-6 and HOST-7, written independently of the code. */
function expectedWays({ webkit, bridge, place, moment }: Combination): readonly string[] {
  if (place !== 'framed' && webkit === 'sound') return ['webkit'];
  if (place !== 'framed' && bridge === 'sound') return ['bridge'];
  if (place === 'alone') return [];
  return moment === 'after it' ? [hostOrigin] : allowed;
}

test('[HOST-6] there are 54 combinations of outgoing channels', () => {
  expect(new Set(combinations.map((combination) => JSON.stringify(combination))).size).toBe(54);
});

test.each(combinations.map((combination) => [Object.values(combination).join(', '), combination] as const))(
  '[HOST-6] [HOST-7] webkit, bridge, place and moment: %s',
  (_name, combination) => {
    const ways = expectedWays(combination);
    for (const platform of platforms) {
      const { window, arrivals, clear } = pageOf(combination);
      if (combination.place === 'alone') Object.assign(window, { cashierPayload: { token: 't', platform } });
      const channel = bench.open(window, { origins: [...allowed, '*', 'null'] });
      expect(arrivals()).toEqual(
        ways.length === 0 ? [] : waysOfLoaded(combination).map((at) => ({ at, message: everyMessage.Loaded })),
      );
      const isAnswered = combination.moment === 'after it';
      if (isAnswered && combination.place === 'alone') bench.clock.advance(10);
      else if (isAnswered) window.receive(loaded({ token: 't', platform }));
      expect(channel.state).toBe(isAnswered ? 'pinned' : 'waiting');
      for (const message of [...Object.values(everyMessage), failedInit]) {
        clear();
        const mayGo = isAnswered || message === failedInit || message.messageType === 'Loaded';
        expect(channel.post(message)).toBe(mayGo && ways.length > 0);
        expect(arrivals()).toEqual(mayGo ? ways.map((at) => ({ at, message })) : []);
      }
      channel.stop();
    }
  },
);

/** `Loaded` is posted before the host has answered. */
const waysOfLoaded = (combination: Combination) => expectedWays({ ...combination, moment: 'before the host answers' });

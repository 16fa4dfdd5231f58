import type { HostPayloadInput } from '@opencashier/contract/host';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ChannelEvents, createHostChannel, type HostChannel } from './channel.ts';
import { chooseOutlet } from './outlet.ts';
import { hostWindowOf, isTopLevel, listenToHost } from './post-message.ts';
import { type FakeWindow, fakeWindow, hostOrigin } from './testing/fake-window.ts';
import { pollWindowProperty } from './window-property.ts';

const otherOrigin = 'https://other-shop.example';
const allowed = [hostOrigin, otherOrigin];
const bonus = { id: 'b1', type: 'deposit', currency: 'INR', content: { title: 'Double' } } as const;

let clock: TestClock;
let events: { [Name in keyof ChannelEvents]: ReturnType<typeof vi.fn<ChannelEvents[Name]>> };

beforeEach(() => {
  clock = createTestClock();
  events = { loaded: vi.fn(), renewed: vi.fn(), bonuses: vi.fn(), close: vi.fn(), failed: vi.fn() };
});

function open(window: FakeWindow, { referrer = '', origins = allowed } = {}): HostChannel {
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
  });
  channel.start();
  return channel;
}

const loaded = (payload: HostPayloadInput = {}) => ({ messageType: 'loaded', payload });
const posted = (window: FakeWindow, messageType: string) =>
  window.posted.filter(({ message }) => message.messageType === messageType);
const jwt = (claims: object) => `h.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.s`;

describe('greeting', () => {
  test('[HOST-1] posts Loaded with the version at once, again after 1, 3 and 7 seconds, and no more', async () => {
    const window = fakeWindow();
    open(window, { origins: [hostOrigin] });
    expect(window.posted).toEqual([
      { message: { messageType: 'Loaded', payload: { version: 'v1.0.477', protocol: 1 } }, origin: hostOrigin },
    ]);
    const after = [];
    for (let second = 1; second <= 9; second += 1) {
      clock.advance(1000);
      after.push(posted(window, 'Loaded').length);
    }
    expect(after).toEqual([2, 2, 3, 3, 3, 3, 4, 4, 4]);
  });

  test('[HOST-7] greets the page that the referrer names, else every allowed origin, and never a wildcard', () => {
    const named = fakeWindow();
    open(named, { referrer: `${otherOrigin}/shop?x=1` });
    expect(named.posted.map(({ origin }) => origin)).toEqual([otherOrigin]);
    const unnamed = fakeWindow();
    open(unnamed, { referrer: 'https://evil.example/', origins: [...allowed, '*', 'null'] });
    expect(unnamed.posted.map(({ origin }) => origin)).toEqual(allowed);
  });

  test('[HOST-12] a host that stays silent for ten seconds fails the start', () => {
    const window = fakeWindow();
    const channel = open(window, { origins: [hostOrigin] });
    clock.advance(9999);
    expect(events.failed).not.toHaveBeenCalled();
    clock.advance(1);
    expect(events.failed).toHaveBeenCalledExactlyOnceWith('The host did not answer');
    expect(window.posted.at(-1)).toEqual({
      message: { messageType: 'init', payload: { success: false, error: 'The host did not answer' } },
      origin: hostOrigin,
    });
    expect(channel.state).toBe('failed');
    expect(clock.pending()).toBe(0);
  });
});

describe('loaded', () => {
  test('[HOST-2] reads the payload with its defaults, drops unknown fields and reports fields of a wrong type', () => {
    const window = fakeWindow();
    open(window);
    window.receive(
      loaded({ token: 't', currency: 7, hack: 1, closingButton: 'no', locale: 'ar' } as unknown as HostPayloadInput),
    );
    expect(events.loaded).toHaveBeenCalledOnce();
    const [payload] = events.loaded.mock.calls[0] ?? [];
    expect(payload).toMatchObject({
      token: 't',
      locale: 'ar',
      closingButton: true,
      paymentGeo: 'RU',
      transport: 'socket',
    });
    expect(payload).not.toHaveProperty('currency');
    expect(payload).not.toHaveProperty('hack');
    expect(posted(window, 'error')).toEqual([
      {
        message: {
          messageType: 'error',
          payload: {
            code: 'host-field-defaulted',
            message: expect.stringMatching(/closingButton.*currency|currency.*closingButton/),
          },
        },
        origin: hostOrigin,
      },
    ]);
  });

  test('[HOST-2] [HOST-12] without a payload the start fails with Incorrect data from host, told to the sender alone', () => {
    const window = fakeWindow();
    open(window);
    window.receive({ messageType: 'loaded' });
    expect(events.failed).toHaveBeenCalledExactlyOnceWith('Incorrect data from host');
    expect(posted(window, 'init')).toEqual([
      {
        message: { messageType: 'init', payload: { success: false, error: 'Incorrect data from host' } },
        origin: hostOrigin,
      },
    ]);
    window.receive(loaded({ token: 't' }));
    expect(events.loaded).not.toHaveBeenCalled();
  });

  test('[HOST-7] pins its sender: afterwards every message goes to that origin and another allowed one is not heard', () => {
    const window = fakeWindow();
    const channel = open(window);
    window.receive(loaded({ token: 't' }), { origin: otherOrigin });
    channel.post({ messageType: 'metric', payload: { key: 'k', value: 1, timestamp: 0 } });
    expect(posted(window, 'metric').map(({ origin }) => origin)).toEqual([otherOrigin]);
    window.receive({ messageType: 'close' }, { origin: hostOrigin });
    expect(events.close).not.toHaveBeenCalled();
    expect(channel.counters.pin).toBe(1);
    window.receive({ messageType: 'close' }, { origin: otherOrigin });
    expect(events.close).toHaveBeenCalledOnce();
  });

  test('[HOST-7] before it nothing but the greeting and a failed start is posted', () => {
    const window = fakeWindow();
    const channel = open(window);
    const before = window.posted.length;
    channel.post({ messageType: 'metric', payload: { key: 'k', value: 1, timestamp: 0 } });
    channel.post({ messageType: 'init', payload: { success: true } });
    channel.post({ messageType: 'token-expired', payload: {} });
    expect(window.posted).toHaveLength(before);
  });

  test.each([
    ['another window', { source: {} }, 'source'],
    ['no window', { source: null }, 'source'],
    ['a strange origin', { origin: 'https://evil.example' }, 'origin'],
    ['an origin that only looks alike', { origin: `${hostOrigin}.evil.example` }, 'origin'],
    ['the null origin', { origin: 'null' }, 'origin'],
  ] as const)('[HOST-7] is not heard from %s', (_who, from, reason) => {
    const window = fakeWindow();
    const channel = open(window, { origins: [...allowed, 'null'] });
    const before = window.posted.length;
    window.receive(loaded({ token: 't' }), from);
    expect(channel.state).toBe('waiting');
    expect(channel.counters[reason]).toBe(1);
    expect(window.posted).toHaveLength(before);
  });
});

describe('a second loaded', () => {
  test.each([
    ['the same user id', { userId: 'u1', token: 'a' }, { userId: 'u1', token: 'b' }],
    ['the same subject', { token: jwt({ sub: 'u1' }) }, { token: jwt({ sub: 'u1', n: 2 }) }],
    ['a subject that is the user id', { userId: 'u1', token: 'opaque' }, { token: jwt({ sub: 'u1' }) }],
    ['a user where none was named', { token: 'opaque' }, { token: 'fresh' }],
  ])('[HOST-11] with %s replaces the token', (_what, first, second) => {
    const window = fakeWindow();
    open(window);
    window.receive(loaded(first));
    window.receive(loaded(second));
    expect(events.loaded).toHaveBeenCalledOnce();
    expect(events.renewed).toHaveBeenCalledExactlyOnceWith(second.token);
  });

  test.each([
    ['another user id', { userId: 'u1', token: 'a' }, { userId: 'u2', token: 'b' }],
    ['another subject', { token: jwt({ sub: 'u1' }) }, { token: jwt({ sub: 'u2' }) }],
    [
      'another subject under the same user id',
      { userId: 'u1', token: jwt({ sub: 's1' }) },
      { userId: 'u1', token: jwt({ sub: 's2' }) },
    ],
    ['nobody who could be compared', { userId: 'u1', token: 'a' }, { token: 'opaque' }],
  ])('[HOST-11] with %s is refused and reported', (_what, first, second) => {
    const window = fakeWindow();
    open(window);
    window.receive(loaded(first));
    window.receive(loaded(second));
    expect(events.renewed).not.toHaveBeenCalled();
    expect(posted(window, 'error').map(({ message }) => message.payload)).toEqual([
      { code: 'other-user-refused', message: expect.any(String) },
    ]);
  });
});

describe('bonuses and closing', () => {
  test('[HOST-3] a failed fetch is only reported; an updated list replaces ours', () => {
    const window = fakeWindow();
    open(window);
    window.receive(loaded({ token: 't' }));
    window.receive({ messageType: 'bonus-list-fetched', payload: { success: false, bonusList: [bonus] } });
    expect(events.bonuses).not.toHaveBeenCalled();
    expect(posted(window, 'error').map(({ message }) => message.payload)).toMatchObject([
      { code: 'bonus-list-failed' },
    ]);
    window.receive({ messageType: 'bonus-list-updated', payload: { bonusList: [bonus, { id: 'broken' }] } });
    expect(events.bonuses).toHaveBeenCalledExactlyOnceWith([bonus]);
  });

  test('[HOST-3] bonuses that come before loaded wait for it, twenty of them at most', () => {
    const window = fakeWindow();
    const channel = open(window);
    for (let sent = 0; sent < 25; sent += 1) {
      window.receive({ messageType: 'bonus-list-updated', payload: { bonusList: [] } });
    }
    expect(events.bonuses).not.toHaveBeenCalled();
    window.receive(loaded({ token: 't' }));
    expect(events.bonuses).toHaveBeenCalledTimes(20);
    expect(channel.counters.queue).toBe(5);
  });

  test('[HOST-4] close reaches the handler at any time, also before loaded', () => {
    const window = fakeWindow();
    open(window);
    window.receive({ messageType: 'close' });
    window.receive(loaded({ token: 't' }));
    window.receive({ messageType: 'close', payload: {} });
    expect(events.close).toHaveBeenCalledTimes(2);
  });
});

describe('bounds', () => {
  test('over fifty messages a second are dropped, with one report a minute', () => {
    const window = fakeWindow();
    const channel = open(window);
    window.receive(loaded({ token: 't' }));
    const flood = (): void => {
      for (let sent = 0; sent < 100; sent += 1) window.receive({ messageType: 'close' });
    };
    flood();
    expect(events.close).toHaveBeenCalledTimes(49);
    expect(channel.counters.rate).toBe(51);
    clock.advance(1000);
    flood();
    expect(events.close).toHaveBeenCalledTimes(99);
    expect(posted(window, 'error')).toHaveLength(1);
    clock.advance(60_000);
    flood();
    expect(posted(window, 'error')).toHaveLength(2);
  });

  test('a message over the limit of size is dropped, counted and reported', () => {
    const window = fakeWindow();
    const channel = open(window);
    window.receive(loaded({ token: 't' }));
    window.receive({ messageType: 'bonus-list-updated', payload: { bonusList: [{ id: 'x'.repeat(70_000) }] } });
    expect(events.bonuses).not.toHaveBeenCalled();
    expect(channel.counters.oversize).toBe(1);
    expect(posted(window, 'error').map(({ message }) => message.payload)).toMatchObject([{ code: 'host-flood' }]);
  });

  const cyclic: Record<string, unknown> = { messageType: 'bonus-list-updated', payload: {} };
  (cyclic['payload'] as Record<string, unknown>)['bonusList'] = [cyclic];
  const throwing = {
    get messageType(): string {
      throw new Error('got me');
    },
  };
  const hostile = fc.oneof(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
    }),
    fc.constantFrom(
      cyclic,
      throwing,
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('trap');
          },
        },
      ),
    ),
    fc.record({
      messageType: fc.constantFrom(
        'bonus-list-updated',
        'bonus-list-fetched',
        'Loaded',
        'init',
        '__proto__',
        'constructor',
      ),
      payload: fc.anything(),
    }),
    fc.constant(JSON.parse('{"messageType":"foreign","payload":{},"__proto__":{"messageType":"loaded"}}') as unknown),
  );

  test('[HOST-7] 10,000 messages of anything from anyone throw nothing, pin nothing and pollute nothing', () => {
    const window = fakeWindow();
    const channel = open(window);
    fc.assert(
      fc.property(
        hostile,
        fc.constantFrom({ source: {} }, { origin: 'https://evil.example' }, { origin: 'null' }, {}),
        (data, from) => {
          clock.skew(1000);
          window.receive(data, from);
          expect(channel.state).toBe('waiting');
        },
      ),
      { numRuns: 10_000 },
    );
    expect(events.loaded).not.toHaveBeenCalled();
    expect(({} as Record<string, unknown>)['messageType']).toBeUndefined();
    expect(new Set(window.posted.map(({ message }) => message.messageType))).toEqual(new Set(['Loaded']));
  });

  test('[HOST-7] well-formed messages from the wrong window or origin change nothing either', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(loaded({ token: 't' }), { messageType: 'loaded' }, { messageType: 'close' }),
        fc.oneof(
          fc.record({ source: fc.anything().filter((source) => source !== undefined) }),
          fc.record({ origin: fc.oneof(fc.webUrl(), fc.string()).filter((origin) => !allowed.includes(origin)) }),
        ),
        (message, from) => {
          const window = fakeWindow();
          const channel = open(window);
          window.receive(message, from);
          expect(channel.state).toBe('waiting');
          expect(events.close).not.toHaveBeenCalled();
          channel.stop();
        },
      ),
    );
  });
});

describe('in an app', () => {
  test('[HOST-5] the payload is polled every 10 ms, read once and taken away', () => {
    const window = fakeWindow({ topLevel: true });
    open(window);
    clock.advance(4980);
    Object.assign(window, { cashierPayload: { token: 't', currency: 'INR' } });
    clock.advance(10);
    expect(events.loaded).toHaveBeenCalledOnce();
    expect(events.loaded.mock.calls[0]?.[0]).toMatchObject({ token: 't', currency: 'INR' });
    expect(window).not.toHaveProperty('cashierPayload');
    expect(clock.pending()).toBe(0);
  });

  test('[HOST-5] JSON text is read as well', () => {
    const window = Object.assign(fakeWindow({ topLevel: true }), { cashierPayload: '{"token":"t"}' });
    open(window);
    clock.advance(10);
    expect(events.loaded.mock.calls[0]?.[0]).toMatchObject({ token: 't' });
  });

  test.each([
    ['an element of that name', new (class HTMLElement {})()],
    ['a broken text', '{'],
    ['a number', 5],
    ['nothing', undefined],
  ])('[HOST-5] [HOST-12] %s ends in five seconds with the message of the specification', (_what, cashierPayload) => {
    const window = Object.assign(fakeWindow({ topLevel: true }), { cashierPayload });
    const sent: string[] = [];
    Object.assign(window, { cashierBridge: (json: string) => sent.push(json) });
    open(window);
    clock.advance(4990);
    expect(events.failed).not.toHaveBeenCalled();
    clock.advance(10);
    expect(events.failed).toHaveBeenCalledExactlyOnceWith("Can't find a property in window");
    expect(sent.map((json) => JSON.parse(json) as unknown).at(-1)).toEqual({
      messageType: 'init',
      payload: { success: false, error: "Can't find a property in window" },
    });
  });

  test('[HOST-6] the webkit handler comes before the bridge, and the bridge before a window', () => {
    const webkit: string[] = [];
    const bridge: string[] = [];
    const app = fakeWindow({ topLevel: true, opener: 'host' });
    const cashierBridge = (json: string) => bridge.push(json);
    Object.assign(app, { cashierBridge });
    open(app);
    expect([bridge.length, app.posted.length]).toEqual([1, 0]);
    Object.assign(app, {
      webkit: { messageHandlers: { cashier: { postMessage: (json: string) => webkit.push(json) } } },
    });
    open(app);
    expect([webkit.length, bridge.length, app.posted.length]).toEqual([1, 1, 0]);
    expect(JSON.parse(webkit[0] ?? '')).toEqual({
      messageType: 'Loaded',
      payload: { version: 'v1.0.477', protocol: 1 },
    });
  });

  test('[HOST-6] the choice is made once: a bridge that appears later is not used', () => {
    const window = fakeWindow({ topLevel: true, opener: 'host' });
    const channel = open(window, { origins: [hostOrigin] });
    const late = vi.fn();
    Object.assign(window, { cashierBridge: late });
    clock.advance(1000);
    expect(late).not.toHaveBeenCalled();
    expect(posted(window, 'Loaded')).toHaveLength(2);
    channel.stop();
  });

  test('[HOST-6] a framed page uses neither: the page around it could have put them there', () => {
    const window = fakeWindow();
    const bridge = vi.fn();
    Object.assign(window, { cashierBridge: bridge, webkit: { messageHandlers: { cashier: { postMessage: bridge } } } });
    open(window, { origins: [hostOrigin] });
    expect(bridge).not.toHaveBeenCalled();
    expect(window.posted).toHaveLength(1);
  });

  test('[HOST-6] getters that throw are no channel', () => {
    const window = fakeWindow({ topLevel: true });
    Object.defineProperty(window, 'webkit', {
      get: () => {
        throw new Error('no');
      },
    });
    Object.defineProperty(window, 'cashierBridge', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(chooseOutlet(window, '', []).kind).toBe('none');
  });

  test('a bridge that throws takes nothing down with it', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const window = fakeWindow({ topLevel: true });
    Object.assign(window, {
      cashierBridge: () => {
        throw new Error('gone');
      },
    });
    expect(() => open(window)).not.toThrow();
    expect(warn).toHaveBeenCalled();
  });

  test('[HOST-11] after token-expired a new property of the same user renews the token', () => {
    const window = Object.assign(fakeWindow({ topLevel: true }), {
      cashierBridge: () => {},
      cashierPayload: { token: 'a', userId: 'u1' },
    });
    const channel = open(window);
    clock.advance(10);
    channel.post({ messageType: 'token-expired', payload: {} });
    Object.assign(window, { cashierPayload: { token: 'b', userId: 'u1' } });
    clock.advance(10);
    expect(events.renewed).toHaveBeenCalledExactlyOnceWith('b');
  });

  test('[HOST-4] an app speaks into its own page; a script of another origin does not', () => {
    const window = Object.assign(fakeWindow({ topLevel: true }), { cashierPayload: { token: 'a' } });
    const channel = open(window);
    clock.advance(10);
    window.receive({ messageType: 'close' }, { source: window, origin: 'https://pay.example' });
    expect(events.close).toHaveBeenCalledOnce();
    window.receive({ messageType: 'close' }, { source: {}, origin: 'https://pay.example' });
    expect(events.close).toHaveBeenCalledOnce();
    expect(channel.counters.source).toBe(1);
  });
});

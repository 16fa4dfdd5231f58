import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { chooseOutlet } from './outlet.ts';
import { allowed, type ChannelBench, channelBench, loaded, posted } from './testing/channel-bench.ts';
import { fakeWindow, hostOrigin } from './testing/fake-window.ts';

let clock: ChannelBench['clock'];
let events: ChannelBench['events'];
let open: ChannelBench['open'];

beforeEach(() => {
  ({ clock, events, open } = channelBench());
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

  test('[HOST-7] whoever speaks in whatever order, nothing is posted but to allowed origins, and after loaded to the pinned one', () => {
    const message = fc.oneof(
      hostile,
      fc.constantFrom<unknown>(
        loaded({ token: 't', userId: 'u-1' }),
        loaded({ token: 't', userId: 'mallory' }),
        { messageType: 'loaded' },
        { messageType: 'bonus-list-fetched', payload: { success: false } },
        { messageType: 'bonus-list-updated', payload: { bonusList: ['x'.repeat(300_000)] } },
        { messageType: 'appearance-updated', payload: { variables: { accent: 'url(https://evil.example)' } } },
      ),
    );
    const origin = fc.constantFrom(...allowed, 'https://evil.example', 'null', '*', `${hostOrigin}.evil.example`);
    fc.assert(
      fc.property(fc.array(fc.tuple(message, origin), { maxLength: 30 }), (said) => {
        const window = fakeWindow();
        const channel = open(window);
        let pinned: string | undefined;
        for (const [data, from] of said) {
          window.receive(data, { origin: from });
          if (channel.state === 'pinned') pinned ??= from;
          channel.post({ messageType: 'transaction', payload: { event: 'success', depositId: 'd-1' } });
        }
        for (const { message: told, origin: to } of window.posted) {
          expect(allowed).toContain(to);
          if (pinned !== undefined && told.messageType === 'transaction') expect(to).toBe(pinned);
        }
        if (channel.state === 'waiting') expect(posted(window, 'transaction')).toEqual([]);
        channel.stop();
      }),
    );
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

  test('[HOST-6] a page alone finds a bridge that its app puts there after the first words', () => {
    const window = fakeWindow({ topLevel: true });
    open(window);
    const sent: string[] = [];
    Object.assign(window, { cashierBridge: (json: string) => sent.push(json) });
    clock.advance(1000);
    expect(sent.map((json) => JSON.parse(json) as unknown)).toMatchObject([{ messageType: 'Loaded' }]);
  });

  test('[HOST-6] a bridge may be an object with postMessage, as Android and Flutter make it', () => {
    const sent: string[] = [];
    const cashierBridge = {
      postMessage(this: unknown, json: string) {
        if (this === cashierBridge) sent.push(json);
      },
    };
    open(Object.assign(fakeWindow({ topLevel: true }), { cashierBridge }));
    expect(sent.map((json) => JSON.parse(json) as unknown)).toMatchObject([{ messageType: 'Loaded' }]);
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
    expect(chooseOutlet(window, '', []).send({ messageType: 'close', payload: {} }, { kind: 'native' })).toBe(false);
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

import type { HostPayloadInput } from '@opencashier/contract/host';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  allowed,
  bonus,
  type ChannelBench,
  channelBench,
  loaded,
  otherOrigin,
  posted,
} from './testing/channel-bench.ts';
import { fakeWindow, hostOrigin } from './testing/fake-window.ts';

let clock: ChannelBench['clock'];
let events: ChannelBench['events'];
let open: ChannelBench['open'];

beforeEach(() => {
  ({ clock, events, open } = channelBench());
});

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

  test('[HOST-1] [HOST-12] in a page that was loaded beforehand it posts Loaded once, and waits without giving up', () => {
    const window = fakeWindow();
    const channel = open(window, { origins: [hostOrigin], waitsForHost: true });
    clock.advance(20 * 60_000);
    expect(posted(window, 'Loaded')).toHaveLength(1);
    expect(window.posted).toHaveLength(1);
    expect(events.failed).not.toHaveBeenCalled();
    window.receive(loaded({ userId: 'u1' }));
    expect(events.loaded).toHaveBeenCalledOnce();
    expect(channel.state).toBe('pinned');
    expect(clock.pending()).toBe(0);
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

  test('[HOST-2] [BON-1] bonuses that cannot be read are named to the host, and the others are there', () => {
    const window = fakeWindow();
    open(window);
    const good = { id: 'good', type: 'deposit' as const, currency: 'INR', content: { title: 'Good' } };
    const bad = { ...good, id: 'bad', currency: 'rupees' };
    window.receive(loaded({ token: 't', bonusList: [bad, good] }));
    window.receive({ messageType: 'bonus-list-updated', payload: { bonusList: [good, bad] } });
    expect(events.loaded.mock.calls[0]?.[0].bonusList).toEqual([good]);
    expect(events.bonuses).toHaveBeenCalledExactlyOnceWith([good]);
    expect(posted(window, 'error').map(({ message }) => message.payload)).toEqual([
      { code: 'host-field-defaulted', message: 'Bonuses were skipped: bonusList.0.currency.' },
      { code: 'host-field-defaulted', message: 'Bonuses were skipped: bonusList.1.currency.' },
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

  test('[UI-9] another look reaches an open widget, and only from its host', () => {
    const window = fakeWindow();
    const channel = open(window);
    const look = { messageType: 'appearance-updated', payload: { theme: 'dark', variables: { accent: '#9f1239' } } };
    window.receive(look);
    expect(events.appearance).not.toHaveBeenCalled();
    window.receive(loaded({ token: 't' }));
    window.receive({ messageType: 'appearance-updated', payload: { variables: { accent: 1 } } });
    window.receive(look);
    expect(events.appearance).toHaveBeenCalledExactlyOnceWith(look.payload);
    expect(channel.counters.foreign).toBe(1);
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

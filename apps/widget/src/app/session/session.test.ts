import { readPayload } from '@opencashier/contract/host';
import { describe, expect, test, vi } from 'vitest';
import { installDebugHooks } from '../boot/debug-hooks.ts';
import { callContextOf, createSession } from './session.ts';
import { createSessionMemory } from './session-storage.ts';

const start = (input: Record<string, unknown>, extra: Partial<Parameters<typeof createSession>[0]> = {}) =>
  createSession({
    payload: readPayload(input).payload,
    basePath: '/cashier',
    direction: 'deposit',
    forceLogging: false,
    ...extra,
  });

function fakeStorage(initial: Record<string, string> = {}) {
  const held = new Map(Object.entries(initial));
  return {
    held,
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
  };
}

describe('session', () => {
  test('[NAV-7] [LIST-3] a chosen region survives a reload, as long as the host’s own is the same', () => {
    const storage = fakeStorage();
    const regions = createSessionMemory(() => storage);
    const host = { currency: 'INR', paymentGeo: 'IN' };
    const before = start(host, { regions });
    expect(before.store.getState()).toMatchObject({ country: 'IN', currency: 'INR' });
    before.chooseRegion({ country: 'DE', currency: 'EUR' });
    expect(before.store.getState()).toMatchObject({ country: 'DE', currency: 'EUR' });
    expect(start(host, { regions }).store.getState()).toMatchObject({ country: 'DE', currency: 'EUR' });
    expect(start({ ...host, paymentGeo: 'BR' }, { regions }).store.getState()).toMatchObject({ country: 'BR' });
    storage.setItem('region', 'IN INR <script> EUR');
    expect(start(host, { regions }).store.getState()).toMatchObject({ country: 'IN', currency: 'INR' });
  });

  test('holds everything of the payload but the token', () => {
    const session = start({
      token: 'secret-token',
      currency: 'INR',
      paymentGeo: 'IN',
      platform: 'ios',
    }).store.getState();
    expect(JSON.stringify(session)).not.toContain('secret-token');
    expect(session).toMatchObject({ country: 'IN', currency: 'INR', isNative: true, basePath: '/cashier' });
  });

  test('the currency of the account comes from the host, else from the token, else from the specification', () => {
    expect(start({ currency: 'INR' }, { tokenCurrency: 'EUR' }).store.getState().currency).toBe('INR');
    expect(start({}, { tokenCurrency: 'EUR' }).store.getState().currency).toBe('EUR');
    expect(start({}).store.getState().currency).toBe('MXN');
  });

  describe('[HOST-2] what the host wants to begin with', () => {
    const wanted = { method: 'card', amount: '25.00' };
    const startOf = (input: object, extra: Parameters<typeof start>[1] = {}) =>
      start({ start: wanted, ...input }, extra).store.getState().start;

    test('is of the currency that the host names with it, else of the payload, else of the account', () => {
      expect(startOf({ currency: 'EUR' })).toEqual({ ...wanted, currency: 'EUR', direction: 'deposit' });
      expect(startOf({ currency: 'EUR', start: { ...wanted, currency: 'USD' } })?.currency).toBe('USD');
      expect(startOf({}, { tokenCurrency: 'INR' })?.currency).toBe('INR');
      expect(start({}).store.getState().start).toBeUndefined();
    });

    test('is of no currency while nobody has named one, until the account is known', () => {
      const session = start({ start: wanted });
      expect(session.store.getState()).toMatchObject({ currency: 'MXN', start: { currency: undefined } });
      session.mergeLogin({ currency: 'EUR' });
      expect(session.store.getState()).toMatchObject({ currency: 'EUR', start: { currency: 'EUR' } });
    });

    test('keeps its currency when the person, or a push, chooses another', () => {
      const session = start({ start: wanted, currency: 'EUR' });
      session.chooseRegion({ country: 'IN', currency: 'INR' });
      expect(session.store.getState()).toMatchObject({ currency: 'INR', start: { currency: 'EUR' } });
      session.mergeLogin({ currency: 'USD' });
      expect(session.store.getState().start?.currency).toBe('EUR');
      const kept = createSessionMemory(() => fakeStorage({ region: 'DE EUR IN INR' }));
      const host = { paymentGeo: 'DE', currency: 'EUR' };
      expect(start({ start: wanted, ...host }, { regions: kept }).store.getState()).toMatchObject({
        currency: 'INR',
        start: { currency: 'EUR' },
      });
    });

    test('is of the direction that the host names, else of the one that the address begins with', () => {
      expect(startOf({}, { direction: 'withdrawal' })?.direction).toBe('withdrawal');
      expect(startOf({ start: { ...wanted, direction: 'deposit' } }, { direction: 'withdrawal' })?.direction).toBe(
        'deposit',
      );
    });
  });

  test('[HOST-3] the list of the host replaces ours, and whoever looks hears it', () => {
    const session = start({ userId: 'u1' });
    const heard = vi.fn();
    session.store.subscribe(heard);
    session.setBonuses([{ id: 'b', type: 'deposit', currency: 'INR', content: { title: 't' } }]);
    expect(session.store.getState().payload.bonusList.map(({ id }) => id)).toEqual(['b']);
    expect(heard).toHaveBeenCalledOnce();
  });

  test('a push of another user is not merged', () => {
    const session = start({ userId: 'u1', currency: 'INR' });
    session.mergeLogin({ id: 'u2', currency: 'USD' });
    expect(session.store.getState().currency).toBe('INR');
    session.mergeLogin({ id: 'u1', currency: 'EUR' });
    expect(session.store.getState().currency).toBe('EUR');
  });

  test('[HOST-16] what accompanies a call is what the host said', () => {
    const session = start({
      partnerKey: 'p',
      userId: 'u',
      xOrigin: 'x',
      pwa: true,
      isMobileApp: true,
      platform: 'android',
    });
    expect(callContextOf(session.store.getState(), 'ar', 'from-address')).toEqual({
      partnerKey: 'p',
      userId: 'u',
      xOrigin: 'x',
      language: 'ar',
      platform: 'android',
      isNative: true,
      pwa: true,
      isMobileApp: true,
    });
    expect(callContextOf(start({}).store.getState(), 'en', 'from-address').partnerKey).toBe('from-address');
  });
});

describe('session storage', () => {
  test('[HOST-9] logging is off unless it was forced', () => {
    expect(createSessionMemory(() => fakeStorage()).forceLogging()).toBe(false);
    expect(createSessionMemory(() => fakeStorage({ force_logging: '0' })).forceLogging()).toBe(false);
    expect(createSessionMemory(() => fakeStorage({ force_logging: '1' })).forceLogging()).toBe(true);
  });

  test('[HOST-9] only the two transports are read', () => {
    const read = (transport: string) => createSessionMemory(() => fakeStorage({ transport })).transport();
    expect(['socket', 'http', 'HTTP', 'polling', ''].map(read)).toEqual([
      'socket',
      'http',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('[HOST-9] the user is JSON; broken JSON is no user', () => {
    expect(createSessionMemory(() => fakeStorage({ user: '{"id":"u1","currency":"INR"}' })).user()).toEqual({
      id: 'u1',
      currency: 'INR',
    });
    expect(createSessionMemory(() => fakeStorage({ user: '{' })).user()).toBeUndefined();
    expect(createSessionMemory(() => fakeStorage({ user: '[1]' })).user()).toEqual({});
  });

  test('[HOST-10] no token and nothing personal is stored', () => {
    const storage = fakeStorage();
    createSessionMemory(() => storage).setUser({
      id: 'u1',
      token: 'secret',
      email: 'a@b.c',
      name: 'Ann',
      currency: 'INR',
      platform: 'web',
    });
    expect(JSON.parse(storage.held.get('user') ?? '')).toEqual({ id: 'u1', currency: 'INR', platform: 'web' });
  });

  test('a browser that refuses storage leaves every value at its default', () => {
    const memory = createSessionMemory(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect([memory.forceLogging(), memory.transport(), memory.user()]).toEqual([false, undefined, undefined]);
    expect(() => memory.setTransport('http')).not.toThrow();
  });
});

describe('console hooks', () => {
  interface Hooks {
    forceLogging(on: unknown): void;
    setUser(user: unknown): void;
    setTransport(transport: unknown): void;
  }

  function install() {
    const storage = fakeStorage();
    const global: Record<string, unknown> = {};
    const document = { cookie: '' };
    const reload = vi.fn();
    installDebugHooks(
      { global, document, reload },
      createSessionMemory(() => storage),
      '/cashier',
    );
    return { hooks: global['cashier'] as Hooks, storage, document, reload };
  }

  test('[HOST-10] each stores its value and reloads', () => {
    const { hooks, storage, document, reload } = install();
    hooks.forceLogging(true);
    hooks.setTransport('http');
    hooks.setUser({ id: 'u1', token: 'secret' });
    expect(Object.fromEntries(storage.held)).toEqual({ force_logging: '1', transport: 'http', user: '{"id":"u1"}' });
    expect(document.cookie).toBe('cashier_user=%7B%22id%22%3A%22u1%22%7D; Path=/cashier; SameSite=Strict; Secure');
    expect(reload).toHaveBeenCalledTimes(3);
  });

  test('[HOST-10] a wrong value changes nothing', () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const { hooks, storage, reload } = install();
    hooks.setTransport('pigeon');
    hooks.setUser('u1');
    expect(storage.held.size).toBe(0);
    expect(reload).not.toHaveBeenCalled();
  });
});

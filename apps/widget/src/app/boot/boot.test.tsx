// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServicesFromBoot } from '../../kit/session/services.tsx';

const mount = vi.fn<(root: HTMLElement, services: ServicesFromBoot) => Promise<void>>();
vi.mock('../shell/app.tsx', () => ({ mount }));

const methods = { country: 'IN', currency: 'INR', groups: [], methods: [] };
const posted: { messageType: string; payload: Record<string, unknown> }[] = [];
const asked: { address: string; init: RequestInit | undefined }[] = [];
/** Ends what the boots of earlier tests still listen to. */
let page: AbortController;
let answer: (address: string) => { status?: number; body: unknown };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'Date'] });
  vi.resetModules();
  mount.mockReset();
  posted.length = 0;
  asked.length = 0;
  sessionStorage.clear();
  answer = (address) => (address.includes('/locales/') ? { body: { hi: 'x' } } : { body: methods });
  page = new AbortController();
  const listen = window.addEventListener;
  vi.spyOn(window, 'addEventListener').mockImplementation(
    (type: string, listener: EventListenerOrEventListenerObject | null) => {
      if (listener) listen.call(window, type, listener, { signal: page.signal });
    },
  );
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    asked.push({ address, init });
    const { status = 200, body } = answer(address);
    return new Response(JSON.stringify(body), { status });
  });
  vi.stubGlobal('cashierBridge', (json: string) => void posted.push(JSON.parse(json)));
  history.replaceState(null, '', '/cashier/deposit');
  document.body.innerHTML = '<div id="root"></div>';
});
afterEach(() => {
  page.abort();
  vi.useRealTimers();
  Reflect.deleteProperty(window, 'cashierPayload');
  Reflect.deleteProperty(window, 'cashier');
});

async function boot(payload: object | undefined, config = {}): Promise<HTMLElement> {
  document.head.innerHTML = `<script type="application/json" id="boot-config">${JSON.stringify({ partner: 'demo', allowedOrigins: [], ...config })}</script>`;
  if (payload) Object.assign(window, { cashierPayload: payload });
  const root = document.getElementById('root') as HTMLElement;
  const { boot: start } = await import('./boot.ts');
  start(root, { base: '/cashier/', locales: 'h1 en ar ur es es-MX' });
  await vi.advanceTimersByTimeAsync(payload ? 50 : 5000);
  // The lazily loaded parts come by real time.
  await vi.waitFor(() => expect(mount.mock.calls.length + root.children.length).toBeGreaterThan(0));
  await vi.dynamicImportSettled();
  return root;
}

const services = (): ServicesFromBoot => mount.mock.calls[0]?.[1] as ServicesFromBoot;
const payload = {
  token: 'secret',
  currency: 'INR',
  paymentGeo: 'IN',
  transport: 'http',
  locale: 'ar-EG',
  userId: 'u1',
};

describe('boot', () => {
  test('[HOST-1] [HOST-12] greets, asks for methods with the token, mounts and says that the widget can be used', async () => {
    const root = await boot(payload);
    expect(mount).toHaveBeenCalledOnce();
    expect(mount.mock.calls[0]?.[0]).toBe(root);
    expect(posted.map(({ messageType }) => messageType)).toEqual(['Loaded', 'init']);
    expect(posted[1]?.payload).toEqual({ success: true });
    const call = asked.find(({ address }) => address.endsWith('/api/BANKING/methods-payment-v5'));
    expect(JSON.parse(String(call?.init?.body))).toMatchObject({ country: 'IN', currency: 'INR' });
    expect(call?.init?.headers).toMatchObject({ authorization: 'Bearer secret' });
  });

  test.each([
    ['the host’s', 'DE', 'DE'],
    ['Russia where the host names none', undefined, 'RU'],
    ['Russia where the host names no country', 'Germany', 'RU'],
  ])('[LIST-3] the first region is %s', async (_which, paymentGeo, country) => {
    await boot({ ...payload, paymentGeo });
    const call = asked.find(({ address }) => address.endsWith('/api/BANKING/methods-payment-v5'));
    expect(JSON.parse(String(call?.init?.body))).toMatchObject({ country });
    expect(services().session.getState()).toMatchObject({ country });
  });

  test('the screen finds the method list on its way under its own key', async () => {
    await boot(payload);
    const { methodsQueryKey } = await import('../../api/fetch-methods.ts');
    const key = methodsQueryKey('deposit', services().session.getState());
    await vi.waitFor(() => expect(services().queries.getQueryData(key)).toMatchObject(methods));
    expect(asked.filter(({ address }) => address.includes('methods-payment'))).toHaveLength(1);
  });

  test.each([
    ['ar-EG', 'ar', 'rtl'],
    ['ur-PK', 'ur', 'rtl'],
    ['es_mx', 'es-MX', 'ltr'],
  ])('[HOST-8] [UI-2] shows the language of the host on the page: %s', async (locale, lang, dir) => {
    await boot({ ...payload, locale });
    expect(services().texts.getState().locale).toBe(lang);
    expect([document.documentElement.lang, document.documentElement.dir]).toEqual([lang, dir]);
  });

  test('[HOST-8] the host’s word counts before that of the address', async () => {
    history.replaceState(null, '', '/cashier/deposit?partner=demo&locale=ar');
    await boot({ ...payload, locale: 'ur' });
    expect(document.documentElement.lang).toBe('ur');
  });

  test('[HOST-8] a language in the address is fetched at once, counts while the host names none, and leaves the address', async () => {
    history.replaceState(null, '', '/cashier/deposit?partner=demo&locale=ar#x');
    await boot({ ...payload, locale: undefined });
    expect(location.href).toMatch(/\/cashier\/deposit\?partner=demo#x$/);
    expect(services().texts.getState().locale).toBe('ar');
    expect(asked.map(({ address }) => address)).not.toContain('/cashier/static/locales/en.h1.json');
  });

  test('[ERR-6] the host hears of texts that failed before it had answered', async () => {
    history.replaceState(null, '', '/cashier/deposit?partner=demo&locale=ar');
    answer = (address) => (address.includes('/texts/') ? { status: 404, body: {} } : { body: methods });
    const said = () => posted.filter(({ messageType }) => messageType === 'onLocaleError');
    setTimeout(() => {
      expect(asked.map(({ address }) => address)).toContain('/cashier/static/locales/ar.h1.json');
      expect(said()).toEqual([]);
      Object.assign(window, { cashierPayload: payload });
    }, 30);
    await boot(undefined, { texts: 'texts/demo/7-3f9a1c2b' });
    expect(said().map((message) => message.payload)).toEqual([{ message: 'Own texts receiving error ar' }]);
  });

  test('[HOST-12] a page that was loaded beforehand says so once: a reload is a usual start', async () => {
    history.replaceState(null, '', '/cashier/deposit?partner=demo&theme=dark&preload=1');
    await boot(payload);
    expect(location.search).toBe('?partner=demo&theme=dark');
    // Only an SDK can answer later; an app has set its property.
    expect(mount).toHaveBeenCalledOnce();
  });

  test('[HOST-9] a stored transport counts before that of the host', async () => {
    sessionStorage.setItem('transport', 'http');
    await boot({ ...payload, transport: 'socket' });
    expect(asked.some(({ address }) => address.includes('/api/BANKING/'))).toBe(true);
  });

  test('[HOST-10] the console hooks exist only where the operator allows debugging', async () => {
    await boot(payload);
    expect(window).not.toHaveProperty('cashier');
  });

  test('[HOST-10] and there they are', async () => {
    await boot(payload, { debug: true });
    await vi.waitFor(() =>
      expect(Object.keys((window as unknown as { cashier: object }).cashier)).toEqual([
        'forceLogging',
        'setUser',
        'setTransport',
      ]),
    );
  });

  test('no token ends in storage, in the session or on the page', async () => {
    await boot(payload);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('secret');
    expect(JSON.stringify(services().session.getState())).not.toContain('secret');
    expect(document.documentElement.outerHTML).not.toContain('secret');
    expect(JSON.stringify(posted)).not.toContain('secret');
  });

  test('[HOST-4] close from the app runs the last handler, and without one answers close', async () => {
    await boot(payload);
    const close = (): void => {
      const message = new MessageEvent('message', {
        data: { messageType: 'close' },
        origin: location.origin,
        source: window,
      });
      window.dispatchEvent(message);
    };
    close();
    expect(posted.at(-1)).toEqual({ messageType: 'close', payload: {} });
    const handle = vi.fn();
    const takeBack = services().onHostClose(handle);
    close();
    expect(handle).toHaveBeenCalledOnce();
    expect(posted.filter(({ messageType }) => messageType === 'close')).toHaveLength(1);
    takeBack();
    close();
    expect(handle).toHaveBeenCalledOnce();
  });

  test('[HOST-11] a refused token is told to the host, and the fresh one repeats the call', async () => {
    let token = '';
    answer = (address) =>
      address.includes('/locales/')
        ? { body: {} }
        : { status: 401, body: { error: { code: 'token-expired', message: '' } } };
    await boot(payload);
    await vi.waitFor(() => expect(posted.map(({ messageType }) => messageType)).toContain('token-expired'));
    answer = () => ({ body: methods });
    Object.assign(window, { cashierPayload: { ...payload, token: 'fresh' } });
    await vi.advanceTimersByTimeAsync(20);
    await vi.waitFor(() => {
      const calls = asked.filter(({ address }) => address.includes('methods-payment'));
      token = String((calls.at(-1)?.init?.headers as Record<string, string> | undefined)?.['authorization']);
      expect(calls).toHaveLength(2);
    });
    expect(token).toBe('Bearer fresh');
  });

  test('[HOST-5] [HOST-12] without a payload the error page is shown and the app is told', async () => {
    await boot(undefined);
    expect(posted.at(-1)).toEqual({
      messageType: 'init',
      payload: { success: false, error: "Can't find a property in window" },
    });
    expect(location.pathname).toBe('/cashier/error');
    expect(JSON.stringify(history.state)).toContain("Can't find a property in window");
    expect(mount).toHaveBeenCalledOnce();
    expect(asked.filter(({ address }) => address.includes('/api/'))).toEqual([]);
  });

  test('[HOST-12] when the rest of the code fails there are plain words and a way to try again', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    mount.mockImplementation(() => {
      throw new Error('chunk is gone');
    });
    const root = await boot(payload);
    await vi.waitFor(() => expect(root.querySelector('[role=alert]')?.textContent).toContain('chunk is gone'));
    expect(root.querySelector('button')?.textContent).toBe('Refresh');
    expect(posted.at(-1)).toEqual({ messageType: 'init', payload: { success: false, error: 'chunk is gone' } });
  });
});

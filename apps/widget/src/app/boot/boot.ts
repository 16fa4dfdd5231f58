/**
 * Starts the widget before React is there. Order: greet the host, fetch texts and the rest of the code; when the host has
 * answered, open the transport and ask for methods; when all of it is in, mount. No module of this file's chunk may import
 * React (build/chunks.ts).
 */

import { events } from '@opencashier/contract/api';
import { type Appearance, type HostPayload, readPayload } from '@opencashier/contract/host';
import { steadyClock as clock } from '@opencashier/core/time/clock';
import type { ApiClient } from '../../api/client.ts';
import { createClient, type ManagedClient } from '../../api/create-client.ts';
import { fetchMethods, methodsQueryKey } from '../../api/fetch-methods.ts';
import { createHttpTransport, withClosingCallOverHttp } from '../../api/http-transport.ts';
import type { EarlyAnswer } from '../../api/query-client.ts';
import { RequestTimeout, requestGroup } from '../../api/request-group.ts';
import { createSocketTransport } from '../../api/socket-transport.ts';
import type { Identity } from '../../api/transport.ts';
import { type ChannelEvents, createHostChannel } from '../../host/channel.ts';
import { namedPlaces } from '../../host/channel-reports.ts';
import { tokenClaims } from '../../host/host-user.ts';
import { chooseOutlet } from '../../host/outlet.ts';
import { hostWindowOf, isTopLevel, listenToHost } from '../../host/post-message.ts';
import { pollWindowProperty } from '../../host/window-property.ts';
import { beginsWithMethods } from '../../products/first-call.ts';
import { createLocale } from '../locale/locale.ts';
import { fallbackLocale } from '../locale/locale-name.ts';
import { applyTheme, chooseTheme } from '../look/theme.ts';
import { callContextOf, createSession, type SessionControl } from '../session/session.ts';
import { createSessionMemory } from '../session/session-storage.ts';
import { createTelemetry, failureText } from '../telemetry/telemetry.ts';
import { observeFaults, observePageLoad } from '../telemetry/telemetry-page.ts';
import { takeAddressOptions } from './boot-address.ts';
import { readBootConfig } from './boot-config.ts';
import { clientOfFailedStart, showBootFailure } from './boot-failure.ts';

/** Payload's `locale` when the host names none; then the address may (§7). */
const defaultPayloadLocale = 'en-US';

/** What the build knows. */
export interface Build {
  /** `/cashier/` */
  readonly base: string;
  /** The hash of all languages, then their names. */
  readonly locales: string;
}

/** Boots into `root`. Runs once a page. */
export function boot(root: HTMLElement, { base, locales }: Build): void {
  observeFaults(window, clock, base);
  const config = readBootConfig(document);
  const memory = createSessionMemory(() => window.sessionStorage);
  const basePath = base.replace(/\/$/, '');
  const address = takeAddressOptions(window);
  const isWithdrawal = location.pathname.includes('/withdrawal');
  if (config.debug) {
    const global = window as unknown as Record<string, unknown>;
    void import('./debug-hooks.ts').then(({ installDebugHooks }) =>
      installDebugHooks({ global, document, reload: () => location.reload() }, memory, basePath),
    );
  }

  const themePage = { root: document.documentElement, prefersDark: matchMedia('(prefers-color-scheme: dark)') };
  let stopTheme = applyTheme(themePage, address.theme ?? 'light');
  let stopLook = (): void => {};
  let wantedLook: Appearance | undefined;

  let session: SessionControl | undefined;
  let client: ManagedClient | undefined;
  // The token lives here and in what reads it for a request; nowhere else.
  let token: string | undefined;
  const closeHandlers: (() => void)[] = [];

  const channelEvents: ChannelEvents = {
    loaded: (payload) => void start(payload).catch(failToStart),
    renewed(fresh) {
      if (fresh === undefined) return;
      token = fresh;
      client?.tokenRenewed();
    },
    bonuses: (list) => session?.setBonuses(list),
    appearance: (appearance) => void showLook(appearance),
    close() {
      const handle = closeHandlers.at(-1);
      if (handle) handle();
      else channel.post({ messageType: 'close', payload: {} });
    },
    failed: (message) => void showError(message),
  };
  const showsProperty = isTopLevel(window) && hostWindowOf(window) === undefined;
  const channel = createHostChannel({
    outlet: chooseOutlet(window, document.referrer, config.allowedOrigins),
    inlets: {
      listen: (deliver, drop) => listenToHost(window, config.allowedOrigins, deliver, drop),
      ...(showsProperty && {
        poll: (found: (payload: unknown) => void, missing: () => void) =>
          pollWindowProperty(window, clock, found, missing),
      }),
    },
    clock,
    events: channelEvents,
  });
  channel.start();

  const locale = createLocale({
    built: locales,
    base,
    fetch: (file) => fetch(file),
    report: (message) => channel.post({ messageType: 'onLocaleError', payload: { message } }),
  });
  const showTexts = async (asked: string): Promise<void> => {
    await locale.show(asked);
    const { locale: shown, direction } = locale.texts.get();
    document.documentElement.lang = shown;
    document.documentElement.dir = direction;
  };
  let texts = address.locale === undefined ? undefined : showTexts(address.locale);
  const app = Promise.all([import('../shell/app.tsx'), import('../../api/query-client.ts')]);
  // Where it is needed it is awaited; here the failure is only kept from being reported as unhandled.
  void Promise.allSettled([app]);

  const identity = (): Identity => {
    const { store } = session ?? prepareSession(readPayload({}).payload);
    return { token, context: callContextOf(store.get(), locale.asked(), config.partner) };
  };

  const telemetry = createTelemetry({
    clock,
    postMetric: ({ key, value, timestamp }) =>
      channel.post({ messageType: 'metric', payload: { key, value, timestamp } }),
    send: (batch) => (client ? client.call(events, { events: batch }) : Promise.resolve()),
    // A socket that is being closed with its page delivers nothing; a request with keepalive does.
    sendLast: (batch) =>
      void createHttpTransport({ server: location.origin, clock, identity }).exchange(events, { events: batch }),
  });

  function prepareSession(payload: HostPayload): SessionControl {
    const storedUser = config.debug ? memory.user() : undefined;
    const tokenCurrency = tokenClaims(payload.token)?.currency;
    return createSession({
      payload,
      basePath,
      direction: isWithdrawal ? 'withdrawal' : 'deposit',
      forceLogging: memory.forceLogging(),
      tokenCurrency,
      storedUser,
      regions: memory,
    });
  }

  let isRefusalTold = false;

  function openClient(name: 'socket' | 'http'): ManagedClient {
    const options = { server: location.origin, clock, identity };
    const overHttp = createHttpTransport(options);
    const opened = createClient({
      transport: name === 'http' ? overHttp : withClosingCallOverHttp(createSocketTransport(options), overHttp),
      clock,
      onTokenExpired: () => channel.post({ messageType: 'token-expired', payload: {} }),
      onFailure(call, failure) {
        if (failure.status === 401 && !isRefusalTold) {
          isRefusalTold = true;
          // The message is the server's cause, in words for engineers.
          channel.report('token-refused', `${failure.code}: ${failure.message}`);
        }
        // A failure to report failures must not report itself.
        if (call !== events.name) telemetry.note(`call-failed.${call}`, failureText(failure));
      },
      onSkipped: (call, places) =>
        channel.report('invalid-response', `Items of ${call} were skipped: ${namedPlaces(places)}.`),
    });
    opened.onPush('login.token', (login) => {
      if (login.token !== undefined) channelEvents.renewed(login.token);
      session?.mergeLogin(login);
    });
    return opened;
  }

  async function start(payload: HostPayload): Promise<void> {
    token = payload.token;
    session = prepareSession(payload);
    const { store } = session;
    const look = showLook(payload.appearance);
    if (payload.locale !== defaultPayloadLocale || texts === undefined) texts = showTexts(payload.locale);
    const { userId, currency, locale: asked, platform } = store.get().payload;
    memory.setUser({ id: userId, currency, locale: asked, platform });

    client = openClient(memory.transport() ?? payload.transport);
    const early: EarlyAnswer[] = [];
    if (beginsWithMethods[payload.widgetViewType] && !isWithdrawal) {
      const methods = fetchMethods(client, clock, 'deposit', store.get(), new AbortController().signal);
      void Promise.allSettled([methods]);
      early.push({ key: methodsQueryKey('deposit', store.get()), answer: methods });
    }
    if (address.autoHeight)
      void import('../shell/fit-height.ts').then(({ tellHeight }) =>
        tellHeight({ page: themePage.root, screen: root, post: channel.post }),
      );
    // Before the first screen, which would be seen to change its colours.
    await look;
    await mount(client, session, early);
    channel.post({ messageType: 'init', payload: { success: true } });
    window.addEventListener('pagehide', () => telemetry.leave());
    observePageLoad(window, clock, telemetry, base);
  }

  async function showLook(appearance: Appearance | undefined): Promise<void> {
    stopTheme();
    stopTheme = applyTheme(themePage, chooseTheme(session?.store.get().isNative === true, appearance, address.theme));
    stopLook();
    wantedLook = appearance;
    const { theme: _, variables, darkVariables, ...more }: Partial<Appearance> = appearance ?? {};
    const hasParts = Object.keys(more).length > 0;
    if (!hasParts && Object.keys({ ...variables, ...darkVariables }).length === 0) return;
    try {
      const [{ showAppearance }, parts] = await Promise.all([
        import('../look/appearance.ts'),
        hasParts ? import('../look/look-parts.ts') : undefined,
      ]);
      // Another may have come while this was fetched.
      if (appearance && wantedLook === appearance)
        stopLook = showAppearance(
          themePage.root,
          parts ? parts.withPreset(appearance) : appearance,
          channel.report,
          parts?.createLookParts(appearance, (message) => channel.report('host-field-defaulted', message)),
        );
    } catch (error) {
      // Our own look pays as well.
      channel.report('unexpected', `The appearance could not be loaded: ${error}`);
    }
  }

  async function mount(api: ApiClient, { store, chooseRegion }: SessionControl, early: EarlyAnswer[]): Promise<void> {
    const [[page, { createQueryClient }]] = await requestGroup(clock, () => Promise.all([app, texts]));
    await page.mount(root, {
      session: store,
      chooseRegion,
      texts: locale.texts,
      api,
      queries: createQueryClient(early),
      clock,
      onHostClose(handle) {
        closeHandlers.push(handle);
        return () => void closeHandlers.splice(closeHandlers.indexOf(handle) >>> 0, 1);
      },
      post: channel.post,
      metric: telemetry.note,
    });
  }

  /** The finished error page where it can be had, else plain words: never a blank page. */
  async function showError(errorMessage: string, stacktrace?: string): Promise<void> {
    try {
      texts ??= showTexts(fallbackLocale);
      session ??= prepareSession(readPayload({}).payload);
      const api =
        client ??
        clientOfFailedStart(
          () => location.pathname !== `${basePath}/error`,
          () => location.reload(),
        );
      history.replaceState(
        { errorMessage, ...(stacktrace !== undefined && { stacktrace }) },
        '',
        `${basePath}/error${location.search}`,
      );
      await mount(api, session, []);
    } catch (error) {
      console.error(error);
      failPlainly(errorMessage);
    }
  }

  function failPlainly(message: string): void {
    showBootFailure(root, message, () => location.assign(`${basePath}/${location.search}`));
  }

  function failToStart(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    console.error(error);
    channel.report('unexpected', message);
    channel.post({ messageType: 'init', payload: { success: false, error: message } });
    // The rest of the code or the texts have not come: the finished error page would wait for them as well.
    if (error instanceof RequestTimeout) failPlainly(message);
    else void showError(message, error instanceof Error ? error.stack : undefined);
  }
}

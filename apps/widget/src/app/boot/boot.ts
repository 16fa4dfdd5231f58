/**
 * Starts the widget before React is there, from the greeting of the host to the first screen or to the page of a failed start.
 * No module of this file's chunk may import React (build/chunks.ts).
 */
import type { PushBody } from '@opencashier/contract/api';
import { type Appearance, type HostPayload, readPayload } from '@opencashier/contract/host';
import type { FirstList } from '@opencashier/contract/page';
import { fallbackLocale } from '@opencashier/core/locale/text-locale';
import { type Clock, steadyClock } from '@opencashier/core/time/clock';
import type { ApiClient, ManagedClient } from '../../api/client.ts';
import { fetchMethods, methodsQueryKey } from '../../api/fetch-methods.ts';
import type { EarlyAnswer } from '../../api/query-client.ts';
import { RequestTimeout, requestGroup } from '../../api/request-group.ts';
import type { Identity } from '../../api/transport.ts';
import type { HostChannel } from '../../host/channel.ts';
import { tokenClaims } from '../../host/host-user.ts';
import type { ServicesFromBoot } from '../../kit/session/services.tsx';
import { beginsWithMethods } from '../../products/first-call.ts';
import { withDrawnSession } from '../first-list/drawn-session.ts';
import { carryOutTap, dropTap, reveal, tapForNewPage, tapKeptSoFar } from '../first-list/early-tap.ts';
import { isInTexts, isOfSession, readFirstList } from '../first-list/read-first-list.ts';
import { createLocale, type Locale } from '../locale/locale.ts';
import { callContextOf, createSession, type SessionControl } from '../session/session.ts';
import { createSessionMemory } from '../session/session-storage.ts';
import type { FirstScreen } from '../shell/app.tsx';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { observeFaults, observePageLoad } from '../telemetry/telemetry-page.ts';
import { takeAddressOptions } from './boot-address.ts';
import { readBootConfig } from './boot-config.ts';
import { clientOfFailedStart, showBootFailure } from './boot-failure.ts';
import { hostChannelOf } from './host-channel.ts';
import { createPageLook, type PageLook } from './page-look.ts';
import { createPageTelemetry, fetchClientCode, openClient, type ServerAddress } from './server-link.ts';

/** The payload's `locale` when the host names none. The locale of the address then counts (§7). */
const defaultPayloadLocale = 'en-US';

/** Values that the build writes into the code. */
interface Build {
  /** `/cashier/` */
  readonly base: string;
  /** The hash of all languages, then their names. */
  readonly locales: string;
}

/**
 * Boots into `root`. Runs once a page. It greets the host first, then fetches code and texts; the rest follows when the host
 * has answered.
 */
export function boot(root: HTMLElement, build: Build): void {
  observeFaults(window, steadyClock, build.base);
  const start = new WidgetStart(root, build, steadyClock);
  start.greetHost();
  start.fetchCode();
}

class WidgetStart {
  readonly #root: HTMLElement;
  readonly #base: string;
  /** The base without its last slash. */
  readonly #basePath: string;
  readonly #clock: Clock;
  readonly #config = readBootConfig(document);
  readonly #memory = createSessionMemory(() => window.sessionStorage);
  readonly #address = takeAddressOptions(window);
  readonly #isWithdrawal = location.pathname.includes('/withdrawal');
  /** The list that the server drew into the page. */
  readonly #drawn = readFirstList(document);
  readonly #channel: HostChannel;
  readonly #look: PageLook;
  readonly #locale: Locale;
  readonly #server: ServerAddress;
  readonly #telemetry: Telemetry;
  readonly #closeHandlers: (() => void)[] = [];
  /** The server's drawing has been taken over, so the client may be loaded. */
  #whenTakenOver: () => void = () => {};
  readonly #takenOver = new Promise<void>((resolve) => {
    this.#whenTakenOver = resolve;
  });
  #app: ReturnType<typeof loadApp> | undefined;
  /** Reports about texts from before the host's answer. The channel posts none of them until then. */
  readonly #earlyReports: string[] = [];
  /** Settles when the texts of the latest requested language are shown. */
  #texts: Promise<void> | undefined;
  #session: SessionControl | undefined;
  #client: ManagedClient | undefined;
  /** The only copy of the token. Every request reads it here. */
  #token: string | undefined;

  constructor(root: HTMLElement, { base, locales }: Build, clock: Clock) {
    this.#root = root;
    this.#base = base;
    this.#basePath = base.replace(/\/$/, '');
    this.#clock = clock;
    this.#channel = hostChannelOf(window, this.#config.allowedOrigins, this.#address.isPreloaded, clock, {
      loaded: (payload) => void this.#start(payload).catch((error: unknown) => this.#failToStart(error)),
      renewed: (token) => this.#renewToken(token),
      bonuses: (list) => this.#session?.setBonuses(list),
      appearance: (appearance) => void this.#showLook(appearance),
      close: () => this.#closeFromHost(),
      failed: (message) => void this.#showError(message),
    });
    const prefersDark = matchMedia('(prefers-color-scheme: dark)');
    this.#look = createPageLook(
      { root: document.documentElement, prefersDark },
      this.#address.theme,
      this.#channel.report,
    );
    this.#locale = createLocale({
      built: locales,
      base,
      ownTexts: this.#config.texts,
      fetch: (file) => fetch(file),
      report: (message) => this.#reportTexts(message),
    });
    this.#server = { server: location.origin, clock, identity: () => this.#identity() };
    this.#telemetry = createPageTelemetry(this.#server, this.#channel, () => this.#client);
  }

  greetHost(): void {
    this.#channel.start();
  }

  /** Fetches the code, the texts of the address and the debug hooks, which do not depend on the host's answer. */
  fetchCode(): void {
    if (this.#address.locale !== undefined) this.#texts = this.#showTexts(this.#address.locale);
    this.#app = loadApp();
    // A list in the page needs no call yet, and the code of its first taps comes before the client's.
    if (this.#drawn === undefined) fetchClientCode();
    if (this.#config.debug) {
      const global = window as unknown as Record<string, unknown>;
      void import('./debug-hooks.ts').then(({ installDebugHooks }) =>
        installDebugHooks({ global, document, reload: () => location.reload() }, this.#memory, this.#basePath),
      );
    }
  }

  /** Opens the client and mounts the first screen. Runs when the host has answered. */
  async #start(payload: HostPayload): Promise<void> {
    this.#token = payload.token;
    for (const message of this.#earlyReports.splice(0)) this.#reportTexts(message);
    const session = this.#sessionOf(payload);
    this.#session = session;
    const look = this.#showLook(payload.appearance);
    if (payload.locale !== defaultPayloadLocale || this.#texts === undefined) {
      this.#texts = this.#showTexts(payload.locale);
    }
    const { userId, currency, locale, platform } = session.store.getState().payload;
    this.#memory.setUser({ id: userId, currency, locale, platform });

    const client = openClient(this.#memory.transport() ?? payload.transport, this.#server, {
      channel: this.#channel,
      telemetry: this.#telemetry,
      onLogin: (login) => this.#takeLogin(login),
      start: this.#drawn && this.#takenOver,
    });
    this.#client = client;
    const early = this.#askEarly(client, session, payload);
    if (this.#address.autoHeight) this.#reportHeight();
    // Wait for the look, or the person would see the first screen change its colours.
    await look;
    reveal(this.#root);
    await this.#showFirstScreen(client, session, early);
    this.#channel.post({ messageType: 'init', payload: { success: true } });
    window.addEventListener('pagehide', () => this.#telemetry.leave());
    observePageLoad(window, this.#clock, this.#telemetry, this.#base);
  }

  /** Asks for the method list of the first screen while React is still being fetched (LIST-1). */
  #askEarly(client: ApiClient, { store }: SessionControl, { widgetViewType }: HostPayload): EarlyAnswer[] {
    // The screen asks for the user's own list as soon as the drawn one answers taps.
    if (this.#drawn !== undefined && isOfSession(this.#drawn, store.getState())) return [];
    if (!beginsWithMethods[widgetViewType] || this.#isWithdrawal) return [];
    const answer = fetchMethods(client, this.#clock, 'deposit', store.getState(), new AbortController().signal);
    // The screen handles a failure. This only keeps the browser from reporting it as unhandled.
    void Promise.allSettled([answer]);
    return [{ key: methodsQueryKey('deposit', store.getState()), answer }];
  }

  #reportHeight(): void {
    const { documentElement: page } = document;
    void import('../shell/fit-height.ts').then(({ reportHeight }) =>
      reportHeight({ page, screen: this.#root, post: this.#channel.post }),
    );
  }

  /** Continues from the server's drawing if the host's payload agrees with it. Otherwise the page is drawn again. */
  async #showFirstScreen(api: ApiClient, session: SessionControl, early: EarlyAnswer[]): Promise<void> {
    const [app] = await this.#loaded();
    const drawn = this.#drawn;
    const isContinued =
      drawn !== undefined &&
      isOfSession(drawn, session.store.getState()) &&
      isInTexts(drawn, this.#locale.texts.getState()) &&
      // The drawing has the own texts.
      !this.#locale.isOwnLost();
    const tapped = tapForNewPage(this.#root);
    const shown = await requestGroup(this.#clock, () =>
      this.#mount(app, api, session, early, isContinued ? drawn : undefined),
    );
    if (shown !== 'tapped page') carryOutTap(this.#root, shown === 'as drawn', this.#clock, tapped);
    this.#whenTakenOver();
  }

  /** Code and texts of the first screen. @throws RequestTimeout */
  #loaded() {
    return requestGroup(this.#clock, () => Promise.all([this.#app ?? loadApp(), this.#texts]));
  }

  async #mount(
    [page, { createQueryClient }]: Awaited<ReturnType<typeof loadApp>>,
    api: ApiClient,
    { store, chooseRegion }: SessionControl,
    early: EarlyAnswer[],
    drawn?: FirstList,
  ): Promise<FirstScreen> {
    const key = drawn && methodsQueryKey(drawn.direction, store.getState());
    const services: ServicesFromBoot = {
      session: drawn === undefined ? store : withDrawnSession(store, drawn),
      chooseRegion,
      texts: this.#locale.texts,
      api,
      queries: createQueryClient(early, key && { key, data: drawn.list }),
      clock: this.#clock,
      onHostClose: (handle) => this.#onHostClose(handle),
      post: this.#channel.post,
      metric: this.#telemetry.note,
    };
    return page.mount(this.#root, services, drawn && { ...drawn, tapped: () => tapKeptSoFar(this.#root) });
  }

  #sessionOf(payload: HostPayload): SessionControl {
    return createSession({
      payload,
      basePath: this.#basePath,
      direction: this.#isWithdrawal ? 'withdrawal' : 'deposit',
      forceLogging: this.#memory.forceLogging(),
      tokenCurrency: tokenClaims(payload.token)?.currency,
      storedUser: this.#config.debug ? this.#memory.user() : undefined,
      regions: this.#memory,
    });
  }

  /** The current caller. Before the host has answered, the defaults of a payload are used. */
  #identity(): Identity {
    const { store } = this.#session ?? this.#sessionOf(readPayload({}).payload);
    return {
      token: this.#token,
      context: callContextOf(store.getState(), this.#locale.asked(), this.#config.partner),
    };
  }

  #takeLogin(login: PushBody<'login.token'>): void {
    this.#renewToken(login.token);
    this.#session?.mergeLogin(login);
  }

  #renewToken(token: string | undefined): void {
    if (token === undefined) return;
    this.#token = token;
    this.#client?.tokenRenewed();
  }

  #showLook(appearance: Appearance | undefined): Promise<void> {
    return this.#look.show(appearance, this.#session?.store.getState().isNative === true);
  }

  #reportTexts(message: string): void {
    if (this.#channel.state === 'waiting') this.#earlyReports.push(message);
    else this.#channel.post({ messageType: 'onLocaleError', payload: { message } });
  }

  async #showTexts(asked: string): Promise<void> {
    await this.#locale.show(asked);
    const { locale, direction } = this.#locale.texts.getState();
    document.documentElement.lang = locale;
    document.documentElement.dir = direction;
  }

  /** HOST-4: runs the handler that was registered last; without a handler the widget answers at once. */
  #closeFromHost(): void {
    const handle = this.#closeHandlers.at(-1);
    if (handle) handle();
    else this.#channel.post({ messageType: 'close', payload: {} });
  }

  #onHostClose(handle: () => void): () => void {
    const handlers = this.#closeHandlers;
    handlers.push(handle);
    return () => void handlers.splice(handlers.indexOf(handle) >>> 0, 1);
  }

  #failToStart(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    console.error(error);
    this.#channel.report('unexpected', message);
    this.#channel.post({ messageType: 'init', payload: { success: false, error: message } });
    // The code or the texts did not arrive in time. The finished error page needs both, so it would wait, too.
    if (error instanceof RequestTimeout) this.#failPlainly(message);
    else void this.#showError(message, error instanceof Error ? error.stack : undefined);
  }

  /** Shows the finished error page, or plain words when its code cannot be loaded: never a blank page. */
  async #showError(errorMessage: string, stacktrace?: string): Promise<void> {
    dropTap(this.#root);
    try {
      this.#texts ??= this.#showTexts(fallbackLocale);
      this.#session ??= this.#sessionOf(readPayload({}).payload);
      const page = `${this.#basePath}/error`;
      const api =
        this.#client ??
        clientOfFailedStart(
          () => location.pathname !== page,
          () => location.reload(),
        );
      const state = { errorMessage, ...(stacktrace !== undefined && { stacktrace }) };
      history.replaceState(state, '', `${page}${location.search}`);
      const [app] = await this.#loaded();
      await this.#mount(app, api, this.#session, []);
    } catch (error) {
      console.error(error);
      this.#failPlainly(errorMessage);
    }
  }

  #failPlainly(message: string): void {
    dropTap(this.#root);
    showBootFailure(this.#root, message, () => location.assign(`${this.#basePath}/${location.search}`));
  }
}

/** Fetches React, the shell and the query cache. */
function loadApp() {
  const app = Promise.all([import('../shell/app.tsx'), import('../../api/query-client.ts')]);
  // Mounting handles a failure. This only keeps the browser from reporting it as unhandled.
  void Promise.allSettled([app]);
  return app;
}

/** Services from plain values. So a test can render a screen without a host, a server or a clock. */
import type { CallDefinition, PushBody, PushName, RequestOf, ResponseOf } from '@opencashier/contract/api';
import type { HostPayload, WidgetMessage } from '@opencashier/contract/host';
import { compileRule } from '@opencashier/core/fields/regex-rule';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { compileMessage } from '@opencashier/messages/icu';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ApiClient, CallOptions } from '../../api/client.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { provideFieldCode } from '../form/field-code.ts';
import { FieldList } from '../form/field-list.tsx';
import { readFields, startOf } from '../form/field-reading.ts';
import { formatMessage } from '../format/message.ts';
import type { ServicesFromBoot, Session, Texts } from './services.tsx';
// Code that a form loads when it is on the screen. Most tests do not wait for files, only for what is done with them.
import '../../api/method-calls.ts';
import '../deposit/deposit-run.ts';
import '../deposit/press-outcome.tsx';
import '../bonus/bonus-choice.tsx';
import '../method/guide.tsx';

provideFieldCode({ FieldList, readFields, startOf, compileRule });

const messageFiles = import.meta.glob<Readonly<Record<string, string>>>('../../**/messages.en.json', {
  eager: true,
  import: 'default',
});

/** Every English text of the widget, by its key. */
export const englishMessages: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(messageFiles));

/** English texts; a key that no file has throws, so that a test sees it. */
export function createTexts(
  more: Partial<Texts> = {},
  messages: Readonly<Record<string, string>> = englishMessages,
): Texts {
  const { locale = 'en', formatLocale = 'en-IN' } = more;
  return {
    locale,
    direction: 'ltr',
    formatLocale,
    translate(key, params = {}) {
      const text = messages[key];
      if (text === undefined) throw new Error(`No text for ${key}`);
      return formatMessage(compileMessage(text), params, locale, formatLocale);
    },
    has: (key) => messages[key] !== undefined,
    pick: (texts) => texts?.[locale] ?? texts?.['en'] ?? '',
    ...more,
  };
}

export function createSession(more: Partial<Session> = {}, payload: Partial<HostPayload> = {}): Session {
  return {
    country: 'IN',
    currency: 'INR',
    isNative: false,
    basePath: '/cashier',
    forceLogging: false,
    payload: {
      bonusList: [],
      closingButton: true,
      experiments: [],
      schema: { meta: {}, assets: {} },
      widgetViewType: 'main',
      transport: 'http',
      platformVersion: 'redesign',
      pwa: false,
      isMobileApp: false,
      paymentGeo: 'IN',
      platform: 'web',
      nativeActions: [],
      locale: 'en-US',
      userId: 'user-1',
      ...payload,
    },
    ...more,
  };
}

/** What a call answers in a test: a value, or a function of the request that may throw or wait. */
export type Answers = Readonly<Record<string, unknown>>;

export interface MadeCall {
  readonly name: string;
  readonly request: unknown;
  readonly options: CallOptions | undefined;
}

export interface FixtureServices extends ServicesFromBoot {
  readonly clock: TestClock;
  readonly made: MadeCall[];
  /** The host sends `close`. */
  closeFromHost(): void;
  readonly posted: WidgetMessage[];
  readonly metrics: [key: string, value: number | boolean | string][];
  readonly session: StoreApi<Session>;
  readonly texts: StoreApi<Texts>;
  answer(name: string, answer: unknown): void;
  push<Name extends PushName>(name: Name, body: PushBody<Name>): void;
  /** Requests of one call, in order. */
  requestsOf(name: string): unknown[];
}

/** @param answers by the name of the call; a call without an answer never settles */
export function createFixtureServices(
  answers: Answers = {},
  more: { session?: Session; texts?: Texts } = {},
): FixtureServices {
  const known = new Map(Object.entries(answers));
  const made: MadeCall[] = [];
  const posted: WidgetMessage[] = [];
  const metrics: FixtureServices['metrics'] = [];
  const pushes = new Set<{ name: PushName; listen: (body: never) => void }>();
  const api: ApiClient = {
    async call<Call extends CallDefinition>(call: Call, request: RequestOf<Call>, options?: CallOptions) {
      made.push({ name: call.name, request, options });
      const answer = known.get(call.name);
      if (answer === undefined) return new Promise<ResponseOf<Call>>(() => undefined);
      return (typeof answer === 'function' ? await answer(request, options) : answer) as ResponseOf<Call>;
    },
    onPush(name, listen) {
      const entry = { name, listen };
      pushes.add(entry);
      return () => pushes.delete(entry);
    },
    serverOffsetMs: () => 0,
  };
  let closeHandler: (() => void) | undefined;
  const session = createStore(() => more.session ?? createSession());
  return {
    chooseRegion: (region) => session.setState(region),
    api,
    queries: createQueryClient(),
    onHostClose(handle) {
      closeHandler = handle;
      return () => {
        closeHandler = undefined;
      };
    },
    closeFromHost: () => closeHandler?.(),
    clock: createTestClock(),
    session,
    texts: createStore(() => more.texts ?? createTexts()),
    post: (message) => posted.push(message) > 0,
    metric: (key, value) => metrics.push([key, value]),
    made,
    posted,
    metrics,
    answer: (name, answer) => known.set(name, answer),
    push(name, body) {
      for (const entry of pushes) if (entry.name === name) entry.listen(body as never);
    },
    requestsOf: (name) => made.filter((call) => call.name === name).map(({ request }) => request),
  };
}

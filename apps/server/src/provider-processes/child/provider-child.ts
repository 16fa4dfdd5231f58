/**
 * The program of a provider's process. It loads one package, and answers the cashier's calls over the pipe 3. It ends when the pipe
 * closes, so a cashier that dies leaves no process behind.
 */
import { Socket } from 'node:net';
import {
  checkProvider,
  type ListAnswer,
  type ListQuery,
  type Provider,
  type ProviderDeposit,
  type ProviderSetup,
  type ProviderWithdrawal,
  type RawCallback,
  readListAnswer,
  readManifest,
} from '@opencashier/provider-kit';
import { type CallAccount, type FromChild, lineReader, type ToChild, toLine } from '../wire.ts';
import { guardNetwork } from './network-guard.ts';

const pipe = new Socket({ fd: 3, readable: true, writable: true });
const running = new Map<number, AbortController>();
const asking = new Map<number, (answer: Extract<ToChild, { kind: 'answer' }>) => void>();
let asks = 0;
let provider: Provider | undefined;
/** Makes the provider of an operator's account, once the process has started. */
let open: ((account: CallAccount) => Promise<Provider>) | undefined;
/** Providers of operators' accounts, the one used last at the end. */
const opened = new Map<string, Promise<Provider>>();
/** Each is small and is made again when it is needed. */
const MOST_OPENED = 500;

function tell(message: FromChild): void {
  pipe.write(toLine(message));
}

async function start({
  entry,
  manifest,
  secrets,
  settings,
  hosts,
}: Extract<ToChild, { kind: 'start' }>): Promise<void> {
  guardNetwork(hosts);
  try {
    const code: { readonly createProvider?: (setup: ProviderSetup) => Provider | Promise<Provider> } = await import(
      entry
    );
    if (typeof code.createProvider !== 'function') throw new Error('The package has no export createProvider.');
    const { createProvider } = code;
    const make = async (account: CallAccount): Promise<Provider> => {
      const made = await createProvider({
        secrets: account.secrets,
        settings: { ...settings, ...account.settings },
        now: () => Date.now(),
      });
      checkProvider(readManifest(manifest), made);
      return made;
    };
    provider = await make({ secrets, settings: {} });
    open = make;
    tell({ kind: 'ready' });
  } catch (error) {
    console.error(error);
    pipe.end(toLine({ kind: 'failed', error: wordsOf(error) }), () => process.exit(1));
  }
}

/** Asks the cashier during a call. @throws what the cashier could not do */
function ask(id: number, what: 'keep-request' | 'report', value: unknown): Promise<unknown> {
  asks += 1;
  const own = asks;
  return new Promise((resolve, reject) => {
    asking.set(own, ({ value: answer, error }) => {
      asking.delete(own);
      if (error === undefined) resolve(answer);
      else reject(new Error(error));
    });
    tell({ kind: 'ask', ask: own, id, what, value });
  });
}

/** @throws what `createProvider` throws for the values of the account; nothing was sent to the company then */
function providerOf(account: CallAccount | undefined): Provider | Promise<Provider> {
  if (provider === undefined || open === undefined) throw new Error('The provider has not started.');
  if (account === undefined) return provider;
  const key = JSON.stringify([account.secrets, account.settings]);
  const one = opened.get(key) ?? open(account);
  opened.delete(key);
  opened.set(key, one);
  one.catch(() => opened.delete(key));
  const [oldest] = opened.keys();
  if (opened.size > MOST_OPENED && oldest !== undefined) opened.delete(oldest);
  return one;
}

async function answer({ id, method, query, account }: Extract<ToChild, { kind: 'call' }>): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const made = providerOf(account);
    // Without a pause where there is a provider: an abort that comes with the call must find the call's listeners.
    const one = made instanceof Promise ? await made : made;
    tell({ kind: 'result', id, value: await call(one, method, query, { id, signal: stop.signal }) });
  } catch (error) {
    tell({ kind: 'error', id, error: wordsOf(error) });
  } finally {
    running.delete(id);
  }
}

interface CreateQuery {
  readonly deposit: Omit<ProviderDeposit, 'signal' | 'keepRequest'>;
  readonly keepsRequests: boolean;
}

interface CallContext {
  readonly id: number;
  readonly signal: AbortSignal;
}

/** Calls a method by its name on the wire. Bodies of callbacks arrive as base64. */
function call(one: Provider, method: string, query: unknown, { id, signal }: CallContext): unknown {
  // The cashier sends what each method takes, and nobody else can write to the pipe.
  const taken = <Taken>() => query as Taken;
  const raw = () => Buffer.from(taken<{ readonly rawBody: string }>().rawBody, 'base64');
  const keepRequest = async (request: string) => String(await ask(id, 'keep-request', request));
  const report = (told: unknown) => ask(id, 'report', told);
  switch (method) {
    case 'create': {
      const { deposit, keepsRequests } = taken<CreateQuery>();
      return one.create({ ...deposit, signal, ...(keepsRequests && { keepRequest }) });
    }
    case 'inquire':
      return one.inquire(taken());
    case 'verify':
      return one.verify({ ...taken<Omit<RawCallback, 'rawBody'>>(), rawBody: raw() });
    case 'read':
      return one.read(raw());
    case 'cancel':
      return one.cancel?.(taken());
    case 'takeInputs':
      return one.takeInputs?.(taken());
    case 'refund':
      return one.refund?.(taken());
    case 'continue':
      return one.continue?.(taken());
    case 'watch':
      return one.watch?.round(report);
    case 'list':
      return list(one, { ...taken<Omit<ListQuery, 'signal'>>(), signal });
    case 'withdraw':
      return one.withdrawals?.withdraw({ ...taken<Omit<ProviderWithdrawal, 'signal'>>(), signal });
    case 'withdraw-inquire':
      return one.withdrawals?.inquire(taken());
    case 'withdraw-read':
      return one.withdrawals?.read(raw());
    default:
      throw new Error(`The provider's process does not know the method ${method}.`);
  }
}

/** A page that breaks a rule fails here, with the words for its author: a line that is too long would end the whole process. */
async function list(one: Provider, query: ListQuery): Promise<ListAnswer> {
  if (one.list === undefined) throw new Error('The provider has no list.');
  return readListAnswer(await one.list(query), query);
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}

function take(message: ToChild): void {
  if (message.kind === 'start') void start(message);
  else if (message.kind === 'call') void answer(message);
  else if (message.kind === 'abort') running.get(message.id)?.abort();
  else if (message.kind === 'answer') asking.get(message.ask)?.(message);
  else tell({ kind: 'pong' });
}

// The terminal sends its signals to every process. The cashier decides when this one ends: it closes the pipe.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
pipe.on(
  'data',
  lineReader((message) => take(message as ToChild)),
);
pipe.on('close', () => process.exit(0));
pipe.on('end', () => process.exit(0));
pipe.on('error', () => process.exit(0));

/**
 * A network that delays, doubles, reorders and drops calls and answers, and a server behind it. The server keeps the contract's
 * promises about keys (SRV-6). The same key gets the same answer, a void key refuses every create, and `ifUnknown` never cancels
 * a known payment.
 */
import type { CallDefinition } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import fc from 'fast-check';
import type { ManagedClient } from '../../api/client.ts';
import { createClient } from '../../api/create-client.ts';
import type { Exchange, Transport } from '../../api/transport.ts';

/** How one attempt of one call ends. */
export interface Fate {
  /** When each copy reaches the server, in ms; none: it never does. */
  readonly arrivals: readonly number[];
  /** The index of a copy that the server refuses for now, as a rate limit or a stopping node would. */
  readonly refusedCopy: number | undefined;
  /** What the widget hears. `unsent`: no copy leaves the device, and the widget knows it. */
  readonly answer: 'true' | 'gateway-504' | 'page-502' | 'page-404' | 'fault-500' | 'shapeless' | 'cut' | 'unsent';
  readonly answerAtMs: number;
}

export const anyFate: fc.Arbitrary<Fate> = fc.record({
  arrivals: fc.array(fc.constantFrom(20, 900, 4000, 9000, 30_000), { maxLength: 2 }),
  refusedCopy: fc.constantFrom(undefined, undefined, 0, 1),
  answer: fc.constantFrom('true', 'gateway-504', 'page-502', 'fault-500', 'page-404', 'shapeless', 'cut', 'unsent'),
  answerAtMs: fc.constantFrom(50, 2000),
});

const honest: Fate = { arrivals: [20], refusedCopy: undefined, answer: 'true', answerAtMs: 50 };
/** After this time the widget stops waiting (NET-3). */
const attemptMs = 20_000;

type Answer = Exchange & { kind: 'answer' };
type Request = Readonly<Record<string, unknown>>;

interface Kept {
  readonly body: string;
  /** When the create that made it left the device, in ms. */
  readonly leftAt: number;
  status: number;
}

export interface UnreliableNetwork {
  readonly client: ManagedClient;
  /** Keys under which a payment is possible. */
  alive(): string[];
  /** When the create that made the payment of a key left the device, in ms. */
  leftAt(key: string): number | undefined;
}

interface Options {
  readonly clock: Clock;
  readonly transport: Transport['name'];
  /** How the first attempts end, in order. Later attempts reach the server and get its true answer. */
  readonly fates: readonly Fate[];
  /** The provider charges at the create, so nothing can be cancelled later. */
  readonly chargesAtOnce: boolean;
}

export function createUnreliableNetwork({ clock, transport: name, fates, chargesAtOnce }: Options): UnreliableNetwork {
  const waiting = [...fates];
  const server = createServer(clock, chargesAtOnce);
  const transport: Transport = {
    name,
    exchange: (call, request) =>
      new Promise((resolve) => {
        const fate = waiting.shift() ?? honest;
        const leftAt = clock.now();
        const arrivals = fate.answer === 'unsent' ? [] : fate.arrivals;
        for (const [copy, arrival] of arrivals.entries()) {
          clock.setTimer(() => {
            const isRefused = fate.refusedCopy === copy;
            const truth = isRefused
              ? refused(429, 'rate-limited')
              : server.serve(call, (request ?? {}) as Request, leftAt);
            if (fate.answer === 'true') clock.setTimer(() => resolve(truth), fate.answerAtMs);
          }, arrival);
        }
        const { answer } = fate;
        if (answer !== 'true') clock.setTimer(() => resolve(lie(answer)), fate.answerAtMs);
        clock.setTimer(() => resolve({ kind: 'lost', sent: true, reason: 'timeout' }), attemptMs);
      }),
    onPush: () => () => {},
    renew() {},
    close() {},
  };
  return {
    client: createClient({ transport, clock, onTokenExpired: () => {} }),
    alive: server.alive,
    leftAt: server.leftAt,
  };
}

const refused = (status: number, code: string): Answer =>
  ({ kind: 'answer', status, error: { code, message: code } }) as Answer;

function lie(answer: Exclude<Fate['answer'], 'true'>): Exchange {
  const status = { 'gateway-504': 504, 'page-502': 502, 'fault-500': 500, 'page-404': 404, shapeless: 200 };
  if (answer === 'unsent') return { kind: 'lost', sent: false, reason: 'cut' };
  if (answer === 'cut') return { kind: 'lost', sent: true, reason: 'cut' };
  if (answer === 'fault-500') return refused(500, 'internal');
  return { kind: 'answer', status: status[answer], ...(answer === 'shapeless' && { data: { hello: 'world' } }) };
}

/** A server that keeps the contract's promises about keys (SRV-6). */
function createServer(clock: Clock, chargesAtOnce: boolean) {
  const known = new Map<string, Kept | 'void'>();

  const create = (call: string, key: string, request: Request, leftAt: number): Answer => {
    const found = known.get(key);
    const body = JSON.stringify([request['amount'], request['paymentType'] ?? request['paymentMethod']]);
    if (found === 'void') return refused(409, 'state-conflict');
    if (found !== undefined && found.body !== body) return refused(422, 'idempotency-conflict');
    if (found?.status === 2) return refused(409, 'state-conflict');
    const kept = found ?? { body, leftAt, status: chargesAtOnce && call.startsWith('deposit') ? 1 : 0 };
    known.set(key, kept);
    if (call === 'withdrawal-create') return { kind: 'answer', status: 200, data: viewOf(clock, key, kept) };
    const data = { depositId: key, source: 'https://psp.example/pay', ...(call === 'deposit-create-p2p' && p2pAnswer) };
    return { kind: 'answer', status: 200, data: call === 'deposit-create-p2p' ? data : { apiResponse: data } };
  };

  const cancel = (call: string, key: string, ifUnknown: boolean): Answer => {
    const found = known.get(key) ?? 'void';
    known.set(key, found);
    const isSubmitted = found !== 'void' && found.status === 3;
    if (isSubmitted && !ifUnknown) return refused(409, 'state-conflict');
    if (found !== 'void' && !ifUnknown && found.status === 0) found.status = 2;
    const isVoided = found === 'void';
    const data =
      call === 'deposit-cancel'
        ? {
            depositId: key,
            isCancelled: found === 'void' || found.status === 2,
            ...(found !== 'void' && { transaction: viewOf(clock, key, found) }),
          }
        : { withdrawalId: key, status: found === 'void' ? 2 : found.status, ...(ifUnknown && { isVoided }) };
    return { kind: 'answer', status: 200, data };
  };

  return {
    serve({ name: call }: CallDefinition, request: Request, leftAt: number): Answer {
      const key = String(request['depositId'] ?? request['withdrawalId']);
      if (call.includes('-create')) return create(call, key, request, leftAt);
      if (call.endsWith('-cancel')) return cancel(call, key, request['ifUnknown'] === true);
      const found = known.get(key);
      if (found === undefined || found === 'void') return refused(404, 'not-found');
      if (call === 'withdrawal-confirm' && found.status === 2) return refused(409, 'state-conflict');
      if (call === 'withdrawal-confirm') found.status = 3;
      return { kind: 'answer', status: 200, data: viewOf(clock, key, found) };
    },
    leftAt(key: string): number | undefined {
      const found = known.get(key);
      return found === 'void' ? undefined : found?.leftAt;
    },
    /** Keys under which a payment is possible. */
    alive: (): string[] => [...known].flatMap(([key, kept]) => (kept !== 'void' && kept.status !== 2 ? key : [])),
  };
}

function viewOf(clock: Clock, id: string, kept: Kept) {
  const now = new Date(clock.now()).toISOString();
  return {
    depositId: id,
    withdrawalId: id,
    paymentMethod: 'card',
    accountType: 'main',
    status: kept.status,
    amount: '10.00',
    currency: 'USD',
    fee: '0.00',
    receives: '10.00',
    created: now,
    expires: new Date(clock.now() + 900_000).toISOString(),
    serverTime: now,
    canCancel: kept.status === 0,
  };
}

const p2pAnswer = {
  card: { number: '2200000000000000', bank: 'Bank' },
  timeout_minutes: 10,
};

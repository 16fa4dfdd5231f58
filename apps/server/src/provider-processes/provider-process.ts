/**
 * One process for one provider. It is started again with growing pauses when it ends or hangs. Nothing here knows money: the proxy
 * (`packaged-provider.ts`) says what a lost call means.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { SuspectKey } from '@opencashier/core/connections/crash-quarantine';
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import type { Logger } from '../observability/logger.ts';
import { type Caller, INSTALLATION, keyOf } from './caller.ts';
import { CallsInHand, type PendingCall } from './calls-in-hand.ts';
import { logOutput, withoutSecrets } from './child-output.ts';
import { childProgram } from './child-program.ts';
import { FairPlaces } from './fair-places.ts';
import { flagsFor } from './process-rights.ts';
import type { ProviderPackage } from './provider-file.ts';
import { type StrayAnswer, StrayAnswers } from './stray-answers.ts';
import { type CallAccount, type FromChild, lineReader, type ToChild, toLine } from './wire.ts';

/** Nothing was sent to the provider, so nothing can have happened. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** The call was sent and has no answer: the provider may have done it. */
export class LostCall extends Error {
  override readonly name = 'LostCall';
}

/** Bytes that wait for a process that does not read, calls and answers together. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
/** What the process asks for at the same time, for all operators. Each may write to the database. */
const MOST_ASKS = 1_000;
/** Of the words of a process that could not start. */
const MOST_ERROR_LENGTH = 500;
const START_WITHIN_MS = 20_000;
const PING_EVERY_MS = 5_000;
/** A process that answers no ping for so long hangs, such as in an endless loop. */
const HANGS_AFTER_MS = 15_000;
/** A process that ran so long starts again without a pause. */
const STEADY_AFTER_MS = 60_000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 60_000];
const STOP_WITHIN_MS = 1_000;
/** Secrets of operators' accounts that are taken out of what the process prints. The oldest are forgotten. */
const MOST_HIDDEN = 2_000;

/** Suspects that the log names after a crash. */
const MOST_NAMED = 20;

interface AskingCall extends PendingCall {
  readonly onAsk: Asked | undefined;
}

/** Does what the provider asks for during a call. */
export type Asked = (what: 'keep-request' | 'report', value: unknown) => Promise<unknown>;

export interface CallOptions {
  /** Absent: no limit but the life of the process. ms. */
  readonly withinMs?: number;
  readonly signal?: AbortSignal;
  readonly onAsk?: Asked;
  /** Absent: the account of the installation. */
  readonly account?: CallAccount;
  /** Whose share it takes, and who is a suspect after a crash. Absent: the installation. */
  readonly caller?: Caller;
}

export interface ProviderProcess {
  /** Starts it, and waits until the provider is ready or has failed. Never throws: the pauses begin. */
  start(): Promise<void>;
  isUp(): boolean;
  /** How often it has been started. */
  starts(): number;
  /** The last error of a start, or how the process ended. Undefined: none yet. */
  lastError(): string | undefined;
  /** Whether it has no calls in progress. */
  isIdle(): boolean;
  /** How many answers no call waited for. */
  strayAnswers(): Readonly<Record<StrayAnswer, number>>;
  /** @throws NotSent, LostCall, or an Error with the words that the provider threw */
  call(method: string, query: unknown, options?: CallOptions): Promise<unknown>;
  stop(): Promise<void>;
}

export interface ProcessPorts {
  /** The machine's time, since the process has no other. */
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * The process has ended, and not by `stop`.
   * @param suspects whose calls may have ended it
   * @returns whether the cause is away, so that the next start is soon
   */
  readonly onCrash?: (suspects: readonly SuspectKey[]) => boolean;
}

export function createProviderProcess(from: ProviderPackage, ports: ProcessPorts): ProviderProcess {
  return new SupervisedProcess(from, ports);
}

class SupervisedProcess implements ProviderProcess {
  readonly #from: ProviderPackage;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #calls: CallsInHand<AskingCall>;
  readonly #strays: StrayAnswers;
  readonly #onCrash: NonNullable<ProcessPorts['onCrash']>;
  readonly #accountSecrets = new Set<string>();
  #child: { readonly process: ChildProcess; readonly pipe: Duplex } | undefined;
  #state: 'down' | 'starting' | 'up' = 'down';
  readonly #asks = new FairPlaces(MOST_ASKS);
  /** Whose calls made the cashier end the process. Undefined: nobody knows. */
  #culprit: SuspectKey | undefined;
  #starts = 0;
  /** Ends since the last steady run. */
  #failures = 0;
  #lastError: string | undefined;
  #isStopped = false;
  #lastPong = 0;
  #timers: Cancel[] = [];
  #onSettled: () => void = () => undefined;

  constructor(from: ProviderPackage, { clock, logger, onCrash = () => false }: ProcessPorts) {
    this.#from = from;
    this.#clock = clock;
    this.#logger = logger;
    this.#onCrash = onCrash;
    this.#calls = new CallsInHand(() => clock.now());
    this.#strays = new StrayAnswers({ clock, logger, provider: from.name });
  }

  async start(): Promise<void> {
    const settled = new Promise<void>((resolve) => {
      this.#onSettled = resolve;
    });
    await this.#launch();
    await settled;
  }

  isUp(): boolean {
    return this.#state === 'up';
  }

  starts(): number {
    return this.#starts;
  }

  lastError(): string | undefined {
    return this.#lastError;
  }

  isIdle(): boolean {
    return this.#calls.isEmpty();
  }

  strayAnswers(): Readonly<Record<StrayAnswer, number>> {
    return this.#strays.counts();
  }

  call(method: string, query: unknown, options: CallOptions = {}): Promise<unknown> {
    const { withinMs, signal, onAsk, account, caller = INSTALLATION } = options;
    const { pipe } = this.#child ?? {};
    if (this.#state !== 'up' || pipe === undefined) return Promise.reject(new NotSent('down'));
    const leave = this.#calls.enter(caller, method);
    if (leave === undefined) return Promise.reject(new NotSent('busy'));
    const id = this.#calls.nextId();
    const line = toLine({ kind: 'call', id, method, query, ...(account && { account }) });
    const isRead = this.#calls.write(caller, method, Buffer.byteLength(line));
    if (isRead === undefined) {
      leave();
      return Promise.reject(new NotSent('busy'));
    }
    return new Promise((resolve, reject) => {
      const giveUp = (why: string) => (): void => {
        if (this.#calls.givenUp(id) === undefined) return;
        this.#send({ kind: 'abort', id });
        reject(new LostCall(why));
      };
      const cancel = withinMs === undefined ? undefined : this.#clock.setTimer(giveUp('timeout'), withinMs);
      const onAbort = giveUp('aborted');
      signal?.addEventListener('abort', onAbort, { once: true });
      const forget = (): void => {
        leave();
        cancel?.();
        signal?.removeEventListener('abort', onAbort);
      };
      this.#calls.add(id, { caller, resolve, reject, onAsk, forget });
      for (const secret of Object.values(account?.secrets ?? {})) this.#hide(secret);
      pipe.write(line, isRead);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimers();
    if (this.#child === undefined) return;
    const { process: ending, pipe } = this.#child;
    const gone = new Promise<void>((resolve) => ending.once('close', () => resolve()));
    pipe.end();
    const cancel = this.#clock.setTimer(() => ending.kill('SIGKILL'), STOP_WITHIN_MS);
    await gone;
    cancel();
  }

  async #launch(): Promise<void> {
    const program = await childProgram();
    if (this.#isStopped) return;
    const startedAt = this.#clock.now();
    this.#lastError = undefined;
    this.#state = 'starting';
    this.#starts += 1;
    const { name, entry, manifestText: manifest, secrets, settings, hosts, folder } = this.#from;
    const spawned = spawn(process.execPath, [...flagsFor(program, this.#from), program], {
      // Nothing of the cashier's environment: neither its database nor its keys. Secrets travel over the pipe.
      env: {},
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    const pipe = spawned.stdio[3] as Duplex;
    this.#child = { process: spawned, pipe };
    logOutput(spawned, { logger: this.#logger, provider: name, secrets: () => this.#secrets() });
    this.#readFrom(pipe);
    spawned.once('error', (error) => this.#ended(spawned, error.message, startedAt));
    // After the last line of the pipe, unlike `exit`.
    spawned.once('close', (code, signal) => this.#ended(spawned, signal ?? `exit code ${code}`, startedAt));
    this.#watchOver(startedAt);
    this.#send({ kind: 'start', entry, manifest, secrets, settings, hosts });
  }

  /** What the process knows by now, and no log may hold. */
  #secrets(): readonly string[] {
    return [...Object.values(this.#from.secrets), ...this.#accountSecrets];
  }

  #hide(secret: string): void {
    this.#accountSecrets.delete(secret);
    this.#accountSecrets.add(secret);
    const [oldest] = this.#accountSecrets;
    if (this.#accountSecrets.size > MOST_HIDDEN && oldest !== undefined) this.#accountSecrets.delete(oldest);
  }

  #readFrom(pipe: Duplex): void {
    const read = lineReader((message) => this.#take(message as FromChild));
    pipe.on('data', (piece: Buffer) => {
      try {
        read(piece);
      } catch (error) {
        this.#logger.error({ provider: this.#from.name, err: error }, 'a provider sent a message without sense');
        this.#kill('it sent a message without sense');
      }
    });
    // The end of the process says the same, and says it once.
    pipe.on('error', () => undefined);
  }

  #take(message: FromChild): void {
    switch (message.kind) {
      case 'ready':
        if (this.#state !== 'starting') throw new Error('A second message that it is ready');
        this.#state = 'up';
        this.#logger.info(
          { provider: this.#from.name, package: this.#from.packageName, pid: this.#child?.process.pid },
          'the process of a provider is up',
        );
        this.#onSettled();
        return;
      case 'failed':
        this.#lastError = withoutSecrets(String(message.error), this.#secrets()).slice(0, MOST_ERROR_LENGTH);
        return;
      case 'pong':
        this.#lastPong = this.#clock.now();
        return;
      case 'result':
        this.#answered(message.id)?.resolve(message.value);
        return;
      case 'error':
        this.#answered(message.id)?.reject(new Error(String(message.error)));
        return;
      case 'ask':
        void this.#answerAsk(message);
        return;
      default:
        throw new Error('A message of an unknown kind');
    }
  }

  async #answerAsk({ ask, id, what, value }: Extract<FromChild, { kind: 'ask' }>): Promise<void> {
    const { onAsk, caller = INSTALLATION } = this.#calls.find(id) ?? {};
    const isAnswered = this.#asks.take(caller.operatorId);
    const isUnread = (this.#child?.pipe.writableLength ?? 0) > MOST_WAITING_BYTES;
    if (isAnswered === undefined || isUnread) {
      isAnswered?.();
      // Its owner has half of everything that is asked for. Who does not read is not known.
      if (!isUnread) this.#culprit ??= keyOf(caller);
      this.#kill('it asks for more than it waits for');
      return;
    }
    try {
      if (onAsk === undefined) throw new Error('The call has ended');
      this.#send({ kind: 'answer', ask, value: await onAsk(what, value) });
    } catch (error) {
      this.#send({ kind: 'answer', ask, error: error instanceof Error ? error.message : 'failed' });
    } finally {
      isAnswered();
    }
  }

  /** Ends a process that does not start in time, or that hangs. */
  #watchOver(startedAt: number): void {
    this.#lastPong = startedAt;
    const look = (): void => {
      const now = this.#clock.now();
      const isStarting = this.#state === 'starting';
      if (isStarting && now - startedAt > START_WITHIN_MS) this.#kill('it did not start in time');
      else if (!isStarting && now - this.#lastPong > HANGS_AFTER_MS) this.#kill('it hangs');
      else this.#send({ kind: 'ping' });
    };
    this.#timers.push(this.#clock.setRepeating(look, PING_EVERY_MS));
  }

  #ended(spawned: ChildProcess, how: string, startedAt: number): void {
    if (this.#child?.process !== spawned) return;
    this.#child = undefined;
    this.#state = 'down';
    this.#cancelTimers();
    const { name } = this.#from;
    const { calls, suspects: inHand } = this.#calls.lose();
    const suspects = this.#culprit === undefined ? inHand : [this.#culprit];
    this.#culprit = undefined;
    for (const { reject } of calls) reject(new LostCall(`The process of ${name} ended`));
    this.#onSettled();
    if (this.#isStopped) return;
    this.#lastError ??= how;
    const isCauseAway = this.#onCrash(suspects);
    if (isCauseAway || this.#clock.now() - startedAt >= STEADY_AFTER_MS) this.#failures = 0;
    const pauseMs = this.#planLaunch();
    this.#logger.error(
      { provider: name, reason: this.#lastError, pauseMs, suspects: suspects.slice(0, MOST_NAMED) },
      'the process of a provider ended: its methods are off until it is up again',
    );
  }

  /** @returns the pause until the next start, in milliseconds */
  #planLaunch(): number {
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#failures = Math.min(this.#failures + 1, 10);
    this.#timers.push(this.#clock.setTimer(() => void this.#launchAgain(), pauseMs));
    return pauseMs;
  }

  async #launchAgain(): Promise<void> {
    try {
      await this.#launch();
    } catch (error) {
      const pauseMs = this.#planLaunch();
      const { name: provider } = this.#from;
      this.#logger.error({ provider, err: error, pauseMs }, 'the process of a provider could not be started');
    }
  }

  /** The call of an answer. Undefined: no call waits for it. */
  #answered(id: number): AskingCall | undefined {
    const call = this.#calls.answered(id);
    if (call !== undefined) return call;
    const kind = this.#calls.kindOfStray(id);
    if (kind !== 'late' && !this.#strays.note(kind)) this.#kill('it answers calls that nobody made');
    return undefined;
  }

  #send(message: ToChild): void {
    this.#child?.pipe.write(toLine(message));
  }

  #kill(reason: string): void {
    this.#lastError ??= reason;
    this.#child?.process.kill('SIGKILL');
  }

  #cancelTimers(): void {
    for (const cancel of this.#timers.splice(0)) cancel();
  }
}

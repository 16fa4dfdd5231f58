/**
 * The processes of one provider: one that everybody shares, and one for each caller whose calls are suspected to crash it (SRV-9). The
 * rule is `crash-quarantine.ts` of core. It holds for this node, and until the node ends.
 */
import {
  afterOwnCrash,
  afterSharedCrash,
  afterTerms,
  isProven,
  type Quarantine,
  type Suspect,
  type SuspectKey,
  type Suspects,
} from '@opencashier/core/connections/crash-quarantine';
import type { Cancel } from '@opencashier/core/time/clock';
import { type Caller, callerOf, INSTALLATION, keyOf } from './caller.ts';
import type { ProviderPackage } from './provider-file.ts';
import { createProviderProcess, NotSent, type ProcessPorts, type ProviderProcess } from './provider-process.ts';
import type { StrayAnswer } from './stray-answers.ts';

const LOOK_EVERY_MS = 1_000;
/** A process whose suspect is free again ends after its last call, or after so long. ms. */
const RETIRES_WITHIN_MS = 60_000;

/** A caller in quarantine, as staff see it. */
export interface QuarantinedCaller extends Omit<Quarantine, 'how'> {
  readonly caller: Caller;
  /** `proven`: its own process crashed, so nobody else's calls can be the cause. `off`: it has no process. */
  readonly state: 'suspected' | 'proven' | 'off';
  /** Of its own process, since it became a suspect. */
  readonly crashes: number;
}

export interface ProviderPool extends Pick<ProviderProcess, 'call' | 'start' | 'stop' | 'starts'> {
  /** Whether the process of everybody who is not in quarantine answers. */
  isUp(): boolean;
  /** Whether a call of this caller would be sent now. */
  isUpFor(caller: Caller): boolean;
  quarantined(): readonly QuarantinedCaller[];
  /** How many answers no call waited for, of all processes since the start of this node. */
  strayAnswers(): Readonly<Record<StrayAnswer, number>>;
}

export interface PoolPorts extends Omit<ProcessPorts, 'onCrash'> {
  /** Somebody was put into quarantine, was proven again, or left. */
  readonly onChange?: () => void;
}

export function createProviderPool(from: ProviderPackage, ports: PoolPorts): ProviderPool {
  return new QuarantiningPool(from, ports);
}

interface Retiring {
  readonly child: ProviderProcess;
  readonly until: number;
}

class QuarantiningPool implements ProviderPool {
  readonly #from: ProviderPackage;
  readonly #ports: PoolPorts;
  readonly #shared: ProviderProcess;
  readonly #own = new Map<SuspectKey, ProviderProcess>();
  readonly #retiring = new Set<Retiring>();
  #suspects: Suspects = new Map();
  /** Stray answers of processes that have ended for good. */
  #pastStrays: Readonly<Record<StrayAnswer, number>> = { repeated: 0, unknown: 0 };
  #cancelLook: Cancel | undefined;
  #isStopped = false;

  constructor(from: ProviderPackage, ports: PoolPorts) {
    this.#from = from;
    this.#ports = ports;
    this.#shared = this.#process((suspects) => this.#sharedCrashed(suspects));
  }

  start(): Promise<void> {
    return this.#shared.start();
  }

  isUp(): boolean {
    return this.#shared.isUp();
  }

  isUpFor(caller: Caller): boolean {
    return this.#processOf(caller)?.isUp() === true;
  }

  starts(): number {
    return this.#shared.starts();
  }

  call: ProviderProcess['call'] = (method, query, options = {}) => {
    const child = this.#processOf(options.caller ?? INSTALLATION);
    return child?.call(method, query, options) ?? Promise.reject(new NotSent('quarantined'));
  };

  quarantined(): readonly QuarantinedCaller[] {
    return [...this.#suspects].flatMap(([key, suspect]) =>
      suspect.quarantine ? [quarantinedCaller(key, suspect, suspect.quarantine)] : [],
    );
  }

  strayAnswers(): Readonly<Record<StrayAnswer, number>> {
    const running = [this.#shared, ...this.#own.values(), ...[...this.#retiring].map(({ child }) => child)];
    return running.reduce((sum, child) => added(sum, child.strayAnswers()), this.#pastStrays);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelLook?.();
    const retiring = [...this.#retiring].map(({ child }) => child);
    await Promise.all([this.#shared, ...this.#own.values(), ...retiring].map((child) => child.stop()));
  }

  /** Undefined: the caller is switched off. */
  #processOf(caller: Caller): ProviderProcess | undefined {
    const key = keyOf(caller);
    const quarantine = this.#suspects.get(key)?.quarantine;
    return quarantine === undefined ? this.#shared : this.#own.get(key);
  }

  #process(onCrash: NonNullable<ProcessPorts['onCrash']>): ProviderProcess {
    const { clock, logger } = this.#ports;
    return createProviderProcess(this.#from, { clock, logger, onCrash });
  }

  #sharedCrashed(inHand: readonly SuspectKey[]): boolean {
    const known = new Set(this.quarantined().map(({ caller }) => keyOf(caller)));
    this.#become(afterSharedCrash(this.#suspects, inHand, this.#ports.clock.now()));
    return this.quarantined().some(({ caller }) => !known.has(keyOf(caller)));
  }

  #ownCrashed(key: SuspectKey, inHand: readonly SuspectKey[]): boolean {
    // Without a call in hand, the package ends by itself.
    if (inHand.includes(key)) this.#become(afterOwnCrash(this.#suspects, key, this.#ports.clock.now()));
    return false;
  }

  #become(next: Suspects): void {
    if (this.#isStopped) return;
    const before = this.#suspects;
    this.#suspects = next;
    let isChanged = false;
    for (const key of new Set([...before.keys(), ...next.keys()])) {
      const [was, is] = [before.get(key)?.quarantine, next.get(key)?.quarantine];
      if (was?.how === is?.how && was?.until === is?.until) continue;
      isChanged = true;
      if (was?.how === 'own-process' && is === undefined) this.#retire(key);
      if (is?.how === 'own-process' && was === undefined) this.#giveProcess(key);
      this.#log(key, is);
    }
    if (isChanged) this.#ports.onChange?.();
    this.#follow();
  }

  #giveProcess(key: SuspectKey): void {
    const child = this.#process((inHand) => this.#ownCrashed(key, inHand));
    this.#own.set(key, child);
    child.start().catch((error: unknown) => {
      this.#ports.logger.error(
        { provider: this.#from.name, err: error },
        'the process of a provider could not be started',
      );
    });
  }

  #retire(key: SuspectKey): void {
    const child = this.#own.get(key);
    this.#own.delete(key);
    if (child !== undefined) this.#retiring.add({ child, until: this.#ports.clock.now() + RETIRES_WITHIN_MS });
  }

  #log(key: SuspectKey, quarantine: Quarantine | undefined): void {
    const { logger } = this.#ports;
    const { operatorId: operator, connectionId: connection } = callerOf(key);
    const about = {
      provider: this.#from.name,
      operator,
      connection,
      ownCrashes: this.#suspects.get(key)?.ownCrashes ?? 0,
    };
    if (quarantine === undefined) {
      logger.info(about, 'the calls of an operator are back in the shared process of a provider');
      return;
    }
    const until = new Date(quarantine.until).toISOString();
    const how = quarantine.how === 'off' ? 'are switched off for a while' : 'run in a process of their own';
    logger.error({ ...about, until }, `the calls of an operator may crash the process of a provider: they ${how}`);
  }

  /** Looks at the time while somebody is in quarantine or a process waits for its last call. */
  #follow(): void {
    const isNeeded = this.#retiring.size > 0 || this.quarantined().length > 0;
    if (isNeeded) this.#cancelLook ??= this.#ports.clock.setRepeating(() => this.#look(), LOOK_EVERY_MS);
    else {
      this.#cancelLook?.();
      this.#cancelLook = undefined;
    }
  }

  #look(): void {
    const now = this.#ports.clock.now();
    for (const one of this.#retiring) {
      if (!one.child.isIdle() && now < one.until) continue;
      this.#retiring.delete(one);
      this.#pastStrays = added(this.#pastStrays, one.child.strayAnswers());
      void one.child.stop();
    }
    this.#become(afterTerms(this.#suspects, now));
  }
}

function quarantinedCaller(key: SuspectKey, suspect: Suspect, { how, since, until }: Quarantine): QuarantinedCaller {
  const state = how === 'off' ? 'off' : isProven(suspect) ? 'proven' : 'suspected';
  return { caller: callerOf(key), state, crashes: suspect.ownCrashes, since, until };
}

function added(one: Readonly<Record<StrayAnswer, number>>, other: Readonly<Record<StrayAnswer, number>>) {
  return { repeated: one.repeated + other.repeated, unknown: one.unknown + other.unknown };
}

/**
 * Whose calls make the process of a provider package crash, and who is therefore put into quarantine (SRV-9).
 *
 * One process serves all operators. A crash does not say whose call caused it, so everybody whose calls were in hand is a suspect. A
 * suspect of several crashes gets a process of its own. There its calls can harm nobody else, and a crash proves that they are the cause.
 * Somebody innocent loses nothing in a process of its own, and leaves it after {@link QuarantineLimits.firstTermMs} at the latest.
 */

/** Names an operator with one account, or the calls of the installation that are for no operator. */
export type SuspectKey = string;

export interface QuarantineLimits {
  /** A suspect of so many crashes within `windowMs` is put into quarantine. */
  readonly crashes: number;
  readonly windowMs: number;
  /** Processes of their own at the same time. */
  readonly processes: number;
  /** The time in a process of its own. It doubles with each crash there. ms. */
  readonly firstTermMs: number;
  readonly longestTermMs: number;
  /** After so long without a crash of its own process, a suspect leaves it for another suspect. ms. */
  readonly trialMs: number;
  /** The time without any process, while the calls of others are proven to crash in each of the own processes. It doubles. ms. */
  readonly firstOffMs: number;
  readonly longestOffMs: number;
  /** A proven suspect goes back into quarantine after one crash until so long after its last own crash. ms. */
  readonly rememberMs: number;
  /** Suspects that are kept at most. */
  readonly most: number;
}

const MINUTE_MS = 60_000;

export const quarantineLimits: QuarantineLimits = {
  crashes: 3,
  windowMs: 15 * MINUTE_MS,
  processes: 4,
  firstTermMs: 10 * MINUTE_MS,
  longestTermMs: 60 * MINUTE_MS,
  trialMs: MINUTE_MS,
  firstOffMs: MINUTE_MS,
  longestOffMs: 15 * MINUTE_MS,
  rememberMs: 24 * 60 * MINUTE_MS,
  most: 1_000,
};

export interface Quarantine {
  /** `off`: its calls are refused, because every process of their own is taken by proven suspects. */
  readonly how: 'own-process' | 'off';
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
}

export interface Suspect {
  /** Crashes of the shared process with its calls in hand, the newest last. `blame` is 1 divided by the number of suspects. */
  readonly crashes: readonly { readonly at: number; readonly blame: number }[];
  /** Crashes of its own process with its calls in hand. */
  readonly ownCrashes: number;
  readonly lastOwnCrashAt?: number;
  /** How often it left a process of its own without a crash. */
  readonly cleared: number;
  /** How often it was switched off. */
  readonly offs: number;
  /** When its last quarantine ended. */
  readonly releasedAt?: number;
  readonly quarantine?: Quarantine;
}

export type Suspects = ReadonlyMap<SuspectKey, Suspect>;

const MOST_CRASHES_KEPT = 20;
const nobody: Suspect = { crashes: [], ownCrashes: 0, cleared: 0, offs: 0 };

/**
 * Notes a crash of the shared process.
 * @param inHand whose calls it had
 */
export function afterSharedCrash(
  before: Suspects,
  inHand: readonly SuspectKey[],
  now: number,
  limits: QuarantineLimits = quarantineLimits,
): Suspects {
  const suspects = new Map(afterTerms(before, now, limits));
  const keys = [...new Set(inHand)];
  for (const key of keys) {
    const known = suspects.get(key) ?? nobody;
    const crashes = [...known.crashes, { at: now, blame: 1 / keys.length }].slice(-MOST_CRASHES_KEPT);
    // The newest at the end, so that the oldest are forgotten first.
    suspects.delete(key);
    suspects.set(key, { ...known, crashes });
  }
  quarantineWorst(suspects, keys, now, limits);
  return bounded(suspects, limits);
}

/** Notes a crash of a suspect's own process while it had calls there. */
export function afterOwnCrash(
  before: Suspects,
  key: SuspectKey,
  now: number,
  limits: QuarantineLimits = quarantineLimits,
): Suspects {
  const suspect = before.get(key);
  if (suspect?.quarantine === undefined) return before;
  const ownCrashes = suspect.ownCrashes + 1;
  const until = Math.max(suspect.quarantine.until, now + doubled(limits.firstTermMs, ownCrashes, limits.longestTermMs));
  const quarantine = { ...suspect.quarantine, until };
  return new Map(before).set(key, { ...suspect, ownCrashes, lastOwnCrashAt: now, cleared: 0, quarantine });
}

/** Ends quarantines whose time is over, and forgets old suspects. */
export function afterTerms(before: Suspects, now: number, limits: QuarantineLimits = quarantineLimits): Suspects {
  const suspects = new Map<SuspectKey, Suspect>();
  for (const [key, suspect] of before) {
    const { quarantine } = suspect;
    const isOver = quarantine !== undefined && quarantine.until <= now;
    const kept = isOver ? released(suspect, quarantine, now) : suspect;
    const crashes = kept.crashes.filter(({ at }) => at > now - limits.windowMs);
    const isRemembered =
      isWithin(limits.rememberMs, kept.lastOwnCrashAt, now) || isWithin(limits.windowMs, kept.releasedAt, now);
    if (kept.quarantine === undefined && crashes.length === 0 && !isRemembered) continue;
    suspects.set(key, { ...kept, crashes });
  }
  return suspects;
}

/** Whether only this suspect's own calls can have caused crashes. */
export function isProven({ ownCrashes }: Suspect): boolean {
  return ownCrashes > 0;
}

function quarantineWorst(
  suspects: Map<SuspectKey, Suspect>,
  inHand: readonly SuspectKey[],
  now: number,
  limits: QuarantineLimits,
): void {
  const due = inHand
    .flatMap((key) => {
      const suspect = suspects.get(key);
      return suspect !== undefined && suspect.quarantine === undefined ? [{ key, suspect }] : [];
    })
    .filter(({ suspect }) => suspect.crashes.length >= (isProven(suspect) ? 1 : limits.crashes))
    .sort(
      ({ suspect: a }, { suspect: b }) =>
        Number(isProven(b)) - Number(isProven(a)) || blameOf(b) - blameOf(a) || a.cleared - b.cleared,
    );
  if (due.length === 0) return;
  makeRoom(suspects, due.length, now, limits);
  const free = limits.processes - inOwnProcess(suspects).length;
  for (const { key, suspect } of due.slice(0, free)) {
    const until = now + doubled(limits.firstTermMs, suspect.ownCrashes, limits.longestTermMs);
    suspects.set(key, { ...suspect, quarantine: { how: 'own-process', since: now, until } });
  }
  const [worst] = due;
  const areAllProven = inOwnProcess(suspects).every(([, suspect]) => isProven(suspect));
  if (free > 0 || worst === undefined || !areAllProven) return;
  const until = now + doubled(limits.firstOffMs, worst.suspect.offs, limits.longestOffMs);
  const offs = worst.suspect.offs + 1;
  suspects.set(worst.key, { ...worst.suspect, offs, quarantine: { how: 'off', since: now, until } });
}

/** Suspects that have not crashed in a process of their own leave it for others: the shared process crashed without them. */
function makeRoom(
  suspects: Map<SuspectKey, Suspect>,
  wanted: number,
  now: number,
  { processes, trialMs }: QuarantineLimits,
): void {
  const own = inOwnProcess(suspects);
  let missing = wanted - (processes - own.length);
  for (const [key, suspect] of own) {
    const { quarantine } = suspect;
    if (missing <= 0 || quarantine === undefined) return;
    if (isProven(suspect) || quarantine.since > now - trialMs) continue;
    suspects.set(key, released(suspect, quarantine, now));
    missing -= 1;
  }
}

/** A new start: crashes before the quarantine no longer count. */
function released({ quarantine: _quarantine, ...suspect }: Suspect, { how }: Quarantine, now: number): Suspect {
  return { ...suspect, crashes: [], releasedAt: now, cleared: suspect.cleared + (how === 'own-process' ? 1 : 0) };
}

function isWithin(spanMs: number, at: number | undefined, now: number): boolean {
  return at !== undefined && at > now - spanMs;
}

function inOwnProcess(suspects: Suspects): [SuspectKey, Suspect][] {
  return [...suspects].filter(([, { quarantine }]) => quarantine?.how === 'own-process');
}

function blameOf({ crashes }: Suspect): number {
  return crashes.reduce((sum, { blame }) => sum + blame, 0);
}

function doubled(firstMs: number, times: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** Math.min(times, 20), longestMs);
}

/** Those in quarantine are few, and stay. */
function bounded(suspects: Map<SuspectKey, Suspect>, { most }: QuarantineLimits): Suspects {
  for (const [key, { quarantine }] of suspects) {
    if (suspects.size <= most) break;
    if (quarantine === undefined) suspects.delete(key);
  }
  return suspects;
}

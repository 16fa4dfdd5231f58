/**
 * The health of operators' accounts in memory (SRV-4). Each node judges by its own tries at once. Every five seconds, and after each
 * demotion, nodes tell each other through the database. A create call never waits for that.
 */
import {
  type AccountHealth,
  beginTry,
  endTry,
  mergeHealth,
  type TryOutcome,
  UNTRIED,
} from '@opencashier/core/routing/account-health';
import type { CandidateKey } from '@opencashier/core/routing/route';
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../database/database.ts';
import { readHealths, type StoredHealth, saveHealths } from './health-store.ts';

export interface AccountHealths {
  of(operatorId: string, account: CandidateKey): AccountHealth;
  /** A try begins. @returns tells how it ended; a second call does nothing */
  begin(operatorId: string, account: CandidateKey): (outcome: TryOutcome) => void;
  stop(): Promise<void>;
}

export interface HealthParts {
  readonly database: Database;
  readonly clock: Clock;
  /** An account was demoted, or is well again. */
  onChange(operatorId: string, account: CandidateKey, health: AccountHealth): void;
  onError(error: unknown): void;
}

const shareEveryMs = 5_000;
/** A node that has read nothing for so long reads everything, since it may have missed a change. */
const currentForMs = 30_000;

/** Loads what other nodes know, and shares until stopped. Accounts in memory: those of routes that were used, so few. */
export async function shareHealths({ database, clock, onChange, onError }: HealthParts): Promise<AccountHealths> {
  const known = new Map<string, StoredHealth>();
  const unsaved = new Set<string>();
  const keyOf = (operatorId: string, account: string): string => `${operatorId} ${account}`;
  const of = (operatorId: string, account: string): AccountHealth =>
    known.get(keyOf(operatorId, account))?.health ?? UNTRIED;
  const put = (stored: StoredHealth): void => {
    known.set(keyOf(stored.operatorId, stored.account), stored);
  };

  let readAt: number | undefined;
  const read = async (): Promise<void> => {
    const now = clock.now();
    const isCurrent = readAt !== undefined && now - readAt < currentForMs;
    for (const { operatorId, account, health } of await readHealths(database, isCurrent ? 'new' : 'all')) {
      put({ operatorId, account, health: mergeHealth(of(operatorId, account), health) });
    }
    readAt = now;
  };
  const save = async (): Promise<void> => {
    const keys = [...unsaved];
    unsaved.clear();
    try {
      await saveHealths(
        database,
        keys.flatMap((key) => known.get(key) ?? []),
      );
    } catch (error) {
      for (const key of keys) unsaved.add(key);
      throw error;
    }
  };
  let sharing: Promise<void> | undefined;
  /** One exchange at a time, so that a slow database collects no statements. */
  const share = (): void => {
    sharing ??= save()
      .then(read)
      .catch(onError)
      .finally(() => {
        sharing = undefined;
      });
  };

  await read();
  const stop = clock.setRepeating(share, shareEveryMs);
  return {
    of,
    begin(operatorId, account) {
      put({ operatorId, account, health: beginTry(of(operatorId, account), clock.now()) });
      let isOpen = true;
      return (outcome) => {
        if (!isOpen) return;
        isOpen = false;
        const before = of(operatorId, account);
        const health = endTry(before, outcome, clock.now());
        put({ operatorId, account, health });
        unsaved.add(keyOf(operatorId, account));
        if (health.changedAt === before.changedAt) return;
        onChange(operatorId, account, health);
        share();
      };
    },
    async stop() {
      stop();
      await sharing;
      await save().catch(onError);
    },
  };
}

/**
 * The operators (partners) of the cashier (SRV-1): their ids, the pages that may embed the cashier, and their secret keys.
 */
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import type { Database } from '../database/database.ts';
import { type CodeRule, readCodeRules } from './code-policy.ts';
import { type LimitOverride, readLimitOverrides } from './limit-overrides.ts';
import { hashOfSecretKey } from './secret-key.ts';

/** An operator as requests need it. Its secrets are not part of it. */
export interface Operator {
  readonly id: string;
  /** Public: part of the widget's address. */
  readonly partnerKey: string;
  readonly name: string;
  /** Origins whose pages may embed the widget, such as `https://play.example`. */
  readonly allowedOrigins: readonly string[];
  /** Limits that replace the catalogue's (AMT-3). */
  readonly limitOverrides?: readonly LimitOverride[];
  /** Whether the console of the widget has hooks for the operator's engineers (HOST-10). */
  readonly isDebugAllowed?: boolean;
  /** Withdrawals that require a code, in addition to those of the catalogue (WD-2). */
  readonly codeRules?: readonly CodeRule[];
}

/** The operator that a secret key belongs to, and the id of the key. */
export interface OperatorOfKey extends Operator {
  /** Recorded with what the key does. Absent: the keys have no ids, as in some tests. */
  readonly keyId?: string | undefined;
}

/** Answers from memory, because operators are few, change rarely and are needed for every request. */
export interface Operators {
  byId(id: string): Operator | undefined;
  byPartnerKey(partnerKey: string): Operator | undefined;
  /**
   * Finds an operator by the secret key of its backend. An unknown key is looked up in the database, because another
   * node may have just created it.
   * @param beforeLooking runs before the database lookup; throws to prevent it
   */
  bySecretKey(secretKey: string, beforeLooking?: () => Promise<void>): Promise<OperatorOfKey | undefined>;
  /** Like `byId`, but also finds an operator that another node has just created. Only for ids from a trusted source. */
  findById?(id: string): Promise<Operator | undefined>;
  /** Reads all operators again, so that this node knows a change at once. */
  refresh?(): Promise<void>;
}

/** Operators from the database, refreshed in the background. */
export interface StoredOperators extends Operators {
  refresh(): Promise<void>;
  stop(): void;
}

interface OperatorRow {
  id: string;
  partner_key: string;
  name: string;
  allowed_origins: string[];
  debug_allowed: boolean;
  settings: unknown;
}

/** How long a change by another node may stay unseen. */
const refreshEveryMs = 10_000;
/** The operator of a row. Unchanged rows keep their object, so that values derived from it stay valid. */
function reuseUnchanged(known: Operator | undefined, row: OperatorRow, onError: (error: unknown) => void): Operator {
  const read: Operator = {
    id: row.id,
    partnerKey: row.partner_key,
    name: row.name,
    allowedOrigins: row.allowed_origins,
    isDebugAllowed: row.debug_allowed,
    limitOverrides: readLimitOverrides(row.settings, (index) => {
      onError(new Error(`Operator ${row.id}: settings.depositLimits.${index} cannot be used`));
    }),
    codeRules: readCodeRules(row.settings, (index) => {
      onError(new Error(`Operator ${row.id}: settings.withdrawalCodes.${index} cannot be used`));
    }),
  };
  return known && JSON.stringify(known) === JSON.stringify(read) ? known : read;
}

/** Loads the operators and refreshes them until `stop`. While the database is down, the last known operators are used. */
export async function loadOperators(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<StoredOperators> {
  let byId = new Map<string, Operator>();
  let byPartnerKey = new Map<string, Operator>();
  let byKeyHash = new Map<string, OperatorOfKey>();

  const refresh = async () => {
    const rows = await database.query<OperatorRow>({
      name: 'operators_all',
      text: 'select id, partner_key, name, allowed_origins, debug_allowed, settings from operator',
    });
    const keys = await database.query<{ id: string; operator_id: string; key_hash: Buffer }>({
      name: 'operator_keys_live',
      text: 'select id, operator_id, key_hash from operator_api_key where revoked_at is null or revoked_at > now()',
    });
    const operators = rows.map((row) => reuseUnchanged(byId.get(row.id), row, onError));
    byId = new Map(operators.map((operator) => [operator.id, operator]));
    byPartnerKey = new Map(operators.map((operator) => [operator.partnerKey, operator]));
    byKeyHash = new Map(
      keys.flatMap(({ id, operator_id, key_hash }) => {
        const operator = byId.get(operator_id);
        return operator ? [[key_hash.toString('hex'), { ...operator, keyId: id }] as const] : [];
      }),
    );
  };

  await refresh();
  const stop: Cancel = clock.setRepeating(() => void refresh().catch(onError), refreshEveryMs);
  return {
    byId: (id) => byId.get(id),
    byPartnerKey: (partnerKey) => byPartnerKey.get(partnerKey),
    async bySecretKey(secretKey, beforeLooking) {
      const hash = hashOfSecretKey(secretKey);
      const known = byKeyHash.get(hash.toString('hex'));
      if (known !== undefined) return known;
      await beforeLooking?.();
      if (!(await isLiveKey(database, hash))) return undefined;
      await refresh();
      return byKeyHash.get(hash.toString('hex'));
    },
    async findById(id) {
      if (!byId.has(id)) await refresh();
      return byId.get(id);
    },
    refresh,
    stop,
  };
}

async function isLiveKey(database: Database, hash: Buffer): Promise<boolean> {
  const found = await database.query({
    name: 'operator_key_live',
    text: 'select 1 from operator_api_key where key_hash = $1 and (revoked_at is null or revoked_at > now())',
    values: [hash],
  });
  return found.length > 0;
}

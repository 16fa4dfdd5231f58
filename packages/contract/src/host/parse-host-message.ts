/** Reads a host's message into one tagged union, field by field. No unchecked part of the sender's object remains. */
import * as v from 'valibot';
import { type Bonus, bonusSchema } from '../api/bonus.ts';
import { hostLimits } from './limits.ts';
import { type Appearance, appearanceSchema, type HostPayload, type PayloadField, payloadFields } from './payload.ts';

/** Unreadable bonuses, by the path of the error: `bonusList.2.depositBonusData.percent`. Absent when there are none. */
type SkippedItems = readonly string[];

/** A parsed host message. `defaulted` names the payload fields with a wrong type (HOST-2). */
export type ReadHostMessage =
  | { kind: 'loaded'; payload: HostPayload; defaulted: PayloadField[]; skipped?: SkippedItems }
  | { kind: 'loaded-without-payload' }
  | { kind: 'bonus-list-fetched'; success: boolean; bonusList?: Bonus[]; skipped?: SkippedItems }
  | { kind: 'bonus-list-updated'; bonusList: Bonus[]; skipped?: SkippedItems }
  | { kind: 'appearance-updated'; appearance: Appearance }
  | { kind: 'close' }
  /** Not a message of this protocol: drop and count it. */
  | { kind: 'foreign' }
  /** Beyond the limits of size or depth: drop and count it. */
  | { kind: 'oversize' };

/** Reads any value and never throws (HOST-2, HOST-3). The caller has already checked source and origin. */
export function parseHostMessage(data: unknown): ReadHostMessage {
  try {
    return read(data);
  } catch {
    // A getter or a proxy of the sender threw, so the value is not one of our messages.
    return { kind: 'foreign' };
  }
}

function read(data: unknown): ReadHostMessage {
  if (!isRecord(data) || typeof data.messageType !== 'string') return { kind: 'foreign' };
  switch (data.messageType) {
    case 'loaded':
      if (!isRecord(data.payload)) return { kind: 'loaded-without-payload' };
      if (!isWithin(data.payload, hostLimits.loadedBytes)) return { kind: 'oversize' };
      return { kind: 'loaded', ...readPayload(data.payload) };
    case 'bonus-list-fetched': {
      // The specification shows the fields beside messageType; our form has a payload. Both are read.
      const body = isRecord(data.payload) ? data.payload : data;
      if (!isWithin(body, hostLimits.otherBytes)) return { kind: 'oversize' };
      if (typeof body.success !== 'boolean') return { kind: 'foreign' };
      const read = Array.isArray(body.bonusList) ? readBonuses(body.bonusList) : undefined;
      return { kind: 'bonus-list-fetched', success: body.success, ...read };
    }
    case 'bonus-list-updated': {
      const body = isRecord(data.payload) ? data.payload : data;
      if (!isWithin(body, hostLimits.otherBytes)) return { kind: 'oversize' };
      if (!Array.isArray(body.bonusList)) return { kind: 'foreign' };
      return { kind: 'bonus-list-updated', ...readBonuses(body.bonusList) };
    }
    case 'appearance-updated': {
      if (!isWithin(data.payload, hostLimits.otherBytes)) return { kind: 'oversize' };
      const { success, output } = v.safeParse(appearanceSchema, data.payload);
      return success ? { kind: 'appearance-updated', appearance: output } : { kind: 'foreign' };
    }
    case 'close':
      return { kind: 'close' };
    default:
      return { kind: 'foreign' };
  }
}

/**
 * Reads the payload of `loaded`: only known fields, each with its default (HOST-2). Lists keep their valid items
 * and are cut at their limit.
 */
export function readPayload(input: Record<string, unknown>): {
  payload: HostPayload;
  defaulted: PayloadField[];
  skipped?: SkippedItems;
} {
  const defaulted: PayloadField[] = [];
  let skipped: SkippedItems | undefined;
  const payload: Record<string, unknown> = {};
  for (const name of Object.keys(payloadFields) as PayloadField[]) {
    const { schema, fallback } = payloadFields[name];
    const given = Object.hasOwn(input, name) ? input[name] : undefined;
    if (given === undefined || given === null) {
      if (fallback !== undefined) payload[name] = structuredClone(fallback);
      continue;
    }
    if (name === 'bonusList' && Array.isArray(given)) {
      const read = readBonuses(given);
      payload[name] = read.bonusList;
      skipped = read.skipped;
      continue;
    }
    const parsed = v.safeParse(
      schema,
      name === 'experiments' && Array.isArray(given) ? given.slice(0, hostLimits.experiments) : given,
    );
    if (parsed.success) {
      payload[name] = parsed.output;
    } else {
      defaulted.push(name);
      if (fallback !== undefined) payload[name] = structuredClone(fallback);
    }
  }
  return { payload: payload as unknown as HostPayload, defaulted, ...(skipped && { skipped }) };
}

function readBonuses(list: readonly unknown[]): { bonusList: Bonus[]; skipped?: SkippedItems } {
  const skipped: string[] = [];
  const bonusList = list.slice(0, hostLimits.bonuses).flatMap((item, index) => {
    const parsed = v.safeParse(bonusSchema, item);
    if (parsed.success) return [parsed.output];
    skipped.push(['bonusList', index, v.getDotPath(parsed.issues[0])].filter((part) => part !== null).join('.'));
    return [];
  });
  if (list.length > hostLimits.bonuses) skipped.push(`bonusList.${hostLimits.bonuses} and what follows`);
  return skipped.length === 0 ? { bonusList } : { bonusList, skipped };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is within a size (the characters of its texts and keys) and the depth limit. A cycle is not. */
function isWithin(value: unknown, budget: number): boolean {
  let left = budget;
  const visit = (node: unknown, depth: number): boolean => {
    if (depth > hostLimits.depth) return false;
    if (typeof node === 'string') left -= node.length;
    else left -= 8;
    if (left < 0) return false;
    if (Array.isArray(node)) {
      for (const item of node) if (!visit(item, depth + 1)) return false;
    } else if (typeof node === 'object' && node !== null) {
      for (const key of Object.keys(node)) {
        left -= key.length;
        if (!visit((node as Record<string, unknown>)[key], depth + 1)) return false;
      }
    }
    return true;
  };
  return visit(value, 0);
}

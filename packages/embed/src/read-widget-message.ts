/** Reads what the widget said. The mirror of `parseHostMessage`, by hand: the SDK has no dependency. */
import type { NativeAction, TransactionEvent, WidgetMessage } from './generated/host-types.ts';

/** What a page can hear; the rest is for apps alone, and never said to a page (HOST-13). */
export type PageMessage = Exclude<WidgetMessage, { messageType: NativeAction }>;

const longestText = 2048;
const transactionEvents: readonly unknown[] = [
  'processing',
  'decline',
  'success',
  'progress',
] satisfies TransactionEvent[];

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= longestText;
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Reads any value at all, field by field, so that nothing of the sender's object survives unread. The caller has already
 * checked source and origin (HOST-1, HOST-7).
 *
 * @returns the message, or undefined when it is not one of this protocol; never throws
 */
export function readWidgetMessage(data: unknown): PageMessage | undefined {
  try {
    if (!isRecord(data)) return undefined;
    const payload = data['payload'] ?? {};
    return isRecord(payload) ? read(data['messageType'], payload) : undefined;
  } catch {
    // A getter or a proxy threw: not a message of ours, whatever it was.
    return undefined;
  }
}

type Payload = Record<string, unknown>;

/** The named fields, each read once, or undefined where one is not as it must be. */
function pick(payload: Payload, fields: Readonly<Record<string, (value: unknown) => boolean>>): Payload | undefined {
  const picked: Payload = {};
  for (const [name, isGood] of Object.entries(fields)) {
    picked[name] = payload[name];
    if (!isGood(picked[name])) return undefined;
  }
  return picked;
}

/** What each message must carry. */
const readers: Readonly<Record<PageMessage['messageType'], (payload: Payload) => Payload | false | undefined>> = {
  Loaded: (payload) => pick(payload, { version: isText, protocol: isNumber }),
  init({ success, error }) {
    if (success === true) return { success };
    return success === false && { success, error: isText(error) ? error : '' };
  },
  close: () => ({}),
  'token-expired': () => ({}),
  transaction: (payload) =>
    pick(payload, {
      event: (value) => transactionEvents.includes(value),
      [payload['depositId'] === undefined ? 'withdrawalId' : 'depositId']: isText,
    }),
  support: (payload) => pick(payload, { depositId: isText, paymentMethod: isText }),
  metric: (payload) =>
    pick(payload, {
      key: isText,
      value: (value) => isText(value) || isNumber(value) || typeof value === 'boolean',
      timestamp: isNumber,
    }),
  // A newer widget may know codes that this build does not; they are texts to show to engineers, nothing more.
  error: (payload) => pick(payload, { code: isText, message: isText }),
  onLocaleError: (payload) => pick(payload, { message: isText }),
  resize: (payload) => pick(payload, { height: (value) => isNumber(value) && value >= 0 }),
};

function read(messageType: unknown, payload: Payload): PageMessage | undefined {
  if (!Object.hasOwn(readers, messageType as string)) return undefined;
  const good = readers[messageType as PageMessage['messageType']](payload);
  return good ? ({ messageType, payload: good } as PageMessage) : undefined;
}

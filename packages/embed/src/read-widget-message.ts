/** Reads what the widget said. The mirror of `parseHostMessage`, by hand: the SDK has no dependency. */
import type { NativeAction, TransactionEvent, WidgetErrorCode, WidgetMessage } from '@opencashier/contract/host';

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

function read(messageType: unknown, payload: Record<string, unknown>): PageMessage | undefined {
  const { version, protocol, success, error, event, depositId, withdrawalId, paymentMethod } = payload;
  const { key, value, timestamp, code, message, height } = payload;
  switch (messageType) {
    case 'Loaded':
      return isText(version) && isNumber(protocol) ? { messageType, payload: { version, protocol } } : undefined;
    case 'init':
      if (success === true) return { messageType, payload: { success } };
      return success === false ? { messageType, payload: { success, error: isText(error) ? error : '' } } : undefined;
    case 'close':
    case 'token-expired':
      return { messageType, payload: {} };
    case 'transaction': {
      const id = isText(depositId) ? { depositId } : isText(withdrawalId) && { withdrawalId };
      return transactionEvents.includes(event) && id
        ? { messageType, payload: { event: event as TransactionEvent, ...id } }
        : undefined;
    }
    case 'support':
      return isText(depositId) && isText(paymentMethod)
        ? { messageType, payload: { depositId, paymentMethod } }
        : undefined;
    case 'metric':
      return isText(key) && (isText(value) || isNumber(value) || typeof value === 'boolean') && isNumber(timestamp)
        ? { messageType, payload: { key, value, timestamp } }
        : undefined;
    case 'error':
      // A newer widget may know codes that this build does not; they are texts to show to engineers, nothing more.
      return isText(code) && isText(message)
        ? { messageType, payload: { code: code as WidgetErrorCode, message } }
        : undefined;
    case 'onLocaleError':
      return isText(message) ? { messageType, payload: { message } } : undefined;
    case 'resize':
      return isNumber(height) && height >= 0 ? { messageType, payload: { height } } : undefined;
    default:
      return undefined;
  }
}

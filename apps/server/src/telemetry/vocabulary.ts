/**
 * The vocabulary of telemetry (NET-8, ERR-3). A key that is not here is dropped. A value is stored only as a number within bounds or
 * as a code of a list. So no input of a person, no name and no token is ever stored, whoever sends it.
 */
import { calls, errorCodes, type RumError, type TelemetryEvent, vitalNames } from '@opencashier/contract/api';
import { captchaErrorKinds } from '@opencashier/contract/host';

type Kind =
  /** Milliseconds, up to an hour. */
  | 'duration'
  /** A number without a unit, such as a layout shift. */
  | 'score'
  /** A time by the widget's clock. Stored without the time, as an event that happened. */
  | 'instant'
  | { readonly codes: ReadonlySet<string> };

/** The codes of failures that a widget may report: the contract's codes, and the widget's own. */
const failureCodes = new Set([
  ...Object.keys(errorCodes),
  'socket.networkError',
  'invalid-response',
  'aborted',
  'timeout',
  'unexpected',
]);
const failure: Kind = { codes: failureCodes };
const outcome: Kind = { codes: new Set(['ok', 'fail']) };
const captcha: Kind = { codes: new Set([...captchaErrorKinds, 'closed', 'timeout', 'no-id']) };

export const vocabulary: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['page.response-start', 'duration'],
  ['page.dom-interactive', 'duration'],
  ['page.dom-content-loaded', 'duration'],
  ['page.load', 'duration'],
  ['page.first-paint', 'duration'],
  ['page.first-contentful-paint', 'duration'],
  ...vitalNames.map((name): [string, Kind] => [`vitals.${name}`, name === 'CLS' ? 'score' : 'duration']),
  ['first-screen', 'duration'],
  ['route-start-loading', 'instant'],
  ['deposit.create', outcome],
  ['deposit.delay_ms', 'duration'],
  ...['prepare', 'create', 'status', 'cancel', 'complete', 'session-closed'].map(
    (what) => [`deposit.${what}-failed`, failure] as const,
  ),
  ['session-start.failed', failure],
  ['captcha.failed', captcha],
  ...Object.keys(calls).map((name) => [`call-failed.${name}`, failure] as const),
]);

/** An event as it is stored. */
export interface ReadEvent {
  readonly key: string;
  readonly number: number | null;
  readonly code: string | null;
}

const longestDurationMs = 3_600_000;
const largestScore = 1000;

/** An event in the words of the vocabulary; `undefined` for a key that is not in it or a value of the wrong kind. */
export function readEvent({ key, value }: Pick<TelemetryEvent, 'key' | 'value'>): ReadEvent | undefined {
  const kind = vocabulary.get(key);
  if (kind === undefined) return undefined;
  if (kind === 'instant') return { key, number: null, code: null };
  if (typeof kind === 'object') {
    // A failure has its code first, sometimes followed by a status and a message. Only the code is stored.
    const [code = ''] = typeof value === 'string' ? value.split(/[\s:,]/, 1) : [];
    return { key, number: null, code: kind.codes.has(code) ? code : 'other' };
  }
  const most = kind === 'duration' ? longestDurationMs : largestScore;
  if (typeof value !== 'number' || !(value >= 0 && value <= most)) return undefined;
  return { key, number: Math.round(value * 1000) / 1000, code: null };
}

/** Classes of errors that the platform throws. The name of any other class could be any text. */
const errorNames = new Set([
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'AbortError',
  'ChunkLoadError',
  'DataCloneError',
  'InvalidStateError',
  'NetworkError',
  'NotAllowedError',
  'NotFoundError',
  'NotSupportedError',
  'QuotaExceededError',
  'SecurityError',
  'TimeoutError',
]);
/** A file of our build has a hash of its content in its name. Only the hash is stored, since it identifies the file. */
const ownFile = /-([A-Za-z0-9_-]{8}\.js:\d{1,7}:\d{1,7})$/;

/** A fault of the page: its class and its position in our files. `other` for a class that is not the platform's. */
export function readFault({ name, at, count }: RumError): ReadEvent {
  const place = ownFile.exec(at)?.[1];
  const code = errorNames.has(name) ? name : 'other';
  return { key: 'page.fault', number: count, code: place === undefined ? code : `${code} ${place}` };
}

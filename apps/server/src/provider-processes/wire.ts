/**
 * Messages between the cashier and the process of a provider: one line of JSON each, over a pipe of their own. Both sides refuse
 * a line that is too long, so that neither can fill the other's memory.
 */

/** The longest line in characters. A callback of 256 kB has 350,000 characters of base64. */
export const MOST_LINE_LENGTH = 1_000_000;

/** An operator's account at the company. It travels with each call, so a process that starts again needs no list of accounts. */
export interface CallAccount {
  readonly secrets: Readonly<Record<string, string>>;
  /** Those that differ from the installation's. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What the cashier sends. */
export type ToChild =
  | {
      readonly kind: 'start';
      /** The address of the package's code. */
      readonly entry: string;
      /** The text of the manifest, which the child checks the provider against. */
      readonly manifest: string;
      readonly secrets: Readonly<Record<string, string>>;
      readonly settings: Readonly<Record<string, string>>;
      readonly hosts: readonly string[];
    }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: string;
      readonly query: unknown;
      /** Absent: the account of the installation. */
      readonly account?: CallAccount;
    }
  /** The cashier no longer waits for the call. */
  | { readonly kind: 'abort'; readonly id: number }
  /** The answer to an `ask` of the child. */
  | { readonly kind: 'answer'; readonly ask: number; readonly value?: unknown; readonly error?: string }
  | { readonly kind: 'ping' };

/** What the child sends. */
export type FromChild =
  | { readonly kind: 'ready' }
  /** The provider cannot be made. The process ends. */
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'result'; readonly id: number; readonly value?: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: string }
  /** The provider needs something of the cashier during the call `id`: to store a request, or to take a report. */
  | {
      readonly kind: 'ask';
      readonly ask: number;
      readonly id: number;
      readonly what: 'keep-request' | 'report';
      readonly value: unknown;
    }
  | { readonly kind: 'pong' };

const BIGINT = '$bigint';

/** A message as a line. Amounts are bigints, which JSON lacks. */
export function toLine(message: ToChild | FromChild): string {
  return `${JSON.stringify(message, (_key, value: unknown) => (typeof value === 'bigint' ? { [BIGINT]: String(value) } : value))}\n`;
}

/** @throws SyntaxError when the line is no JSON */
function fromLine(line: string): unknown {
  return JSON.parse(line, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const digits = (value as Record<string, unknown>)[BIGINT];
    return typeof digits === 'string' && /^-?\d{1,60}$/.test(digits) ? BigInt(digits) : value;
  });
}

/**
 * Collects lines from the pieces of a pipe.
 * @param take gets each message, as the other side sent it: its shape is not checked
 * @returns takes a piece
 * @throws Error from the returned function: a line is too long or is no JSON
 */
export function lineReader(take: (message: unknown) => void): (piece: Buffer) => void {
  const decoder = new TextDecoder();
  let rest = '';
  return (piece) => {
    rest += decoder.decode(piece, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MOST_LINE_LENGTH) throw new Error('A message is too long');
    for (const line of lines) {
      if (line.length > MOST_LINE_LENGTH) throw new Error('A message is too long');
      take(fromLine(line));
    }
  };
}

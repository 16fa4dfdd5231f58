/** What the process of a provider prints becomes lines of the cashier's log: few, short, and without the provider's secrets. */
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Logger } from '../observability/logger.ts';

const MOST_LENGTH = 1_000;
/** What is kept of a line until its end. More than is logged, so that no secret is cut before it is taken out. */
const MOST_KEPT = 4_000;
/** Shorter ones are words that other texts have, too. */
const LEAST_SECRET = 4;
/** Stands for each character of a secret. So the length of a text stays, and a cut never lets the end of what was kept come into the log. */
const MASK = '\uE000';
/** A process that prints more in its life is not read on. */
const MOST_LINES = 10_000;

interface Output {
  readonly logger: Logger;
  readonly provider: string;
  /** The secrets that the process knows by now. */
  readonly secrets: () => readonly string[];
}

export function logOutput({ stdout, stderr }: ChildProcess, { logger, provider, secrets }: Output): void {
  let lines = 0;
  const follow = (stream: Readable | null, level: 'info' | 'warn'): void => {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      const parts = (rest + piece).split('\n');
      rest = (parts.pop() ?? '').slice(0, MOST_KEPT);
      for (const part of parts) {
        if (part.trim() === '' || lines >= MOST_LINES) continue;
        lines += 1;
        const printed = withoutSecrets(part, secrets(), MOST_LENGTH);
        logger[level]({ provider, printed }, 'printed by the process of a provider');
      }
    });
  };
  follow(stdout, 'info');
  follow(stderr, 'warn');
}

/**
 * A text with `***` in the place of each secret.
 * @param most characters of the text that are shown; the secrets count in full
 */
export function withoutSecrets(text: string, secrets: readonly string[], most = text.length): string {
  return secrets
    .filter(({ length }) => length >= LEAST_SECRET)
    .toSorted((one, other) => other.length - one.length) // A secret may contain another one.
    .reduce((masked, secret) => masked.replaceAll(secret, MASK.repeat(secret.length)), text)
    .slice(0, most)
    .replace(new RegExp(`${MASK}+`, 'g'), '***');
}

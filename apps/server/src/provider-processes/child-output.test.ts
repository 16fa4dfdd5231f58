import type { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from '../observability/logger.ts';
import { logOutput, withoutSecrets } from './child-output.ts';

const SECRET = 'sk_live_0123456789';

/** What the log shows of pieces that a process prints. */
async function logged(pieces: readonly string[]): Promise<readonly string[]> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
  logOutput({ stdout, stderr } as Pick<ChildProcess, 'stdout' | 'stderr'> as ChildProcess, {
    logger,
    provider: 'canary',
    secrets: () => [SECRET, 'abc'],
  });
  for (const piece of pieces) stdout.write(piece);
  stdout.end('\n');
  await new Promise((resolve) => stdout.once('close', resolve));
  return lines.map((line) => String(JSON.parse(line).printed));
}

test('[SRV-9] a secret is taken out of what is printed, also where the line is cut or comes in pieces', async () => {
  expect(await logged([`key ${SECRET}.`])).toEqual(['key ***.']);
  expect(await logged([`key ${SECRET.slice(0, 9)}`, `${SECRET.slice(9)}.`])).toEqual(['key ***.']);
  const [cut = ''] = await logged(['x'.repeat(990), SECRET, 'y'.repeat(2_000)]);
  expect(cut).toBe(`${'x'.repeat(990)}***`);
});

test('[SRV-9] a long line of many secrets shows no part of the one where the line is cut', async () => {
  const [line = ''] = await logged([SECRET.repeat(300)]);
  expect(line).toBe('***');
});

test('[SRV-9] a secret that contains another one is taken out in full', () => {
  expect(withoutSecrets('old abcd, new abcdefgh.', ['abcd', 'abcdefgh'])).toBe('old ***, new ***.');
});

/** The command `listen`: brings the webhooks of the sandbox to a receiver on your machine, without a public address. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CashierApiError, CashierError } from '../errors.ts';
import { createOperatorClient, type OperatorClient } from '../operator-client.ts';
import { type ForwardSurroundings, forwardWebhook, type ListenedWebhook, listenSecretOf } from './forward-webhook.ts';

export const listenHelp = `npx @opencashier/server listen --forward-to http://localhost:3000/webhooks

Prints the webhooks of your operator in the sandbox, and sends each to the address, with body and signature as the cashier sends them.
Deliveries to your webhook address go on as always. Without --forward-to it only prints.
CASHIER_URL and OPERATOR_KEY name the sandbox and your operator.

  --forward-to <address>  your receiver. It gets each webhook once, whatever it answers
  --events <types>        only these, with commas between them: deposit.*,withdrawal.processed
  --since <time>          begins with the webhooks of the last 10m (s, m or h; at most 24h)
  --resume-file <path>    keeps the place in this file, and continues there at the next start
  --print-secret          prints the signing secret and ends

Exit code: 0 you have stopped it; 1 the cashier refused; 2 a wrong argument.`;

/** What a test replaces. */
export interface ListenSurroundings extends ForwardSurroundings {
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ends the command, such as by Ctrl+C. */
  readonly stop: AbortSignal;
}

/** A wrong argument. The message says what to give. */
class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

interface ListenOptions {
  readonly cashierUrl: string;
  readonly operatorKey: string;
  readonly forwardTo: string | undefined;
  readonly isWanted: (type: string) => boolean;
  readonly sinceSeconds: number;
  readonly resumeFile: string | undefined;
  /** The place in the file. Absent: there is none yet. */
  readonly cursor: string | undefined;
  readonly printsSecret: boolean;
}

const waitSeconds = 20;
/** Longer than the wait, for a slow network. */
const answerWithinMs = 40_000;
const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/**
 * Carries out the command until it is stopped.
 *
 * @param args what follows `listen`
 * @returns the exit code
 */
export async function runListen(args: readonly string[], surroundings: ListenSurroundings): Promise<0 | 1 | 2> {
  const { print, printError } = surroundings;
  let options: ListenOptions | 'help';
  try {
    options = readOptions(args, surroundings.environment);
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof ArgumentError)) throw error;
    printError(error.message);
    return 2;
  }
  if (options === 'help') {
    print(listenHelp);
    return 0;
  }
  const secret = listenSecretOf(options.operatorKey);
  if (options.printsSecret) {
    print(secret);
    return 0;
  }
  try {
    await listen(options, secret, surroundings);
    return 0;
  } catch (error) {
    if (!(error instanceof CashierError)) throw error;
    printError(refusalOf(error, options));
    return 1;
  }
}

/** Asks again and again, and waits longer each time while the cashier cannot be reached. */
async function listen(options: ListenOptions, secret: string, surroundings: ListenSurroundings): Promise<void> {
  const { print, printError, stop, fetch } = surroundings;
  const { cashierUrl, operatorKey, forwardTo, resumeFile } = options;
  const client = createOperatorClient({ cashierUrl, operatorKey, fetch, timeoutMs: answerWithinMs, repeats: 0 });
  let { cursor } = options;
  let failures = 0;
  let isReady = false;
  while (!stop.aborted) {
    const answer = await ask(client, { cursor, isFirst: !isReady, sinceSeconds: options.sinceSeconds }, stop);
    if (stop.aborted) return;
    if (answer instanceof CashierError) {
      failures += 1;
      const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
      printError(`${answer.message} Trying again in ${pauseMs / 1000} s.`);
      await surroundings.pause(pauseMs, stop);
      continue;
    }
    if (failures > 0) print('The cashier answers again.');
    failures = 0;
    if (!isReady) for (const line of greeting(options, secret)) print(line);
    isReady = true;
    for (const webhook of answer.webhooks) {
      if (options.isWanted(webhook.type)) await show(webhook, { address: forwardTo, secret }, surroundings);
      // What was not shown comes again at the next start.
      if (stop.aborted) return;
    }
    cursor = answer.cursor;
    if (resumeFile !== undefined) writeFileSync(resumeFile, `${cursor}\n`, { mode: 0o600 });
  }
}

type Answer = Awaited<ReturnType<OperatorClient['listenForWebhooks']>>;

/** @returns an error that may pass @throws CashierError for a refusal */
async function ask(
  client: OperatorClient,
  place: { readonly cursor: string | undefined; readonly isFirst: boolean; readonly sinceSeconds: number },
  signal: AbortSignal,
): Promise<Answer | CashierError> {
  const { cursor, isFirst, sinceSeconds } = place;
  try {
    return await client.listenForWebhooks(
      { ...(cursor === undefined ? { sinceSeconds } : { cursor }), waitSeconds: isFirst ? 0 : waitSeconds },
      { signal },
    );
  } catch (error) {
    if (!(error instanceof CashierError)) throw error;
    const mayPass = !(error instanceof CashierApiError) || error.status >= 500 || error.status === 429;
    if (mayPass) return error;
    throw error;
  }
}

function greeting({ cashierUrl, forwardTo }: ListenOptions, secret: string): string[] {
  const goal = forwardTo === undefined ? 'are printed here' : `go to ${forwardTo}`;
  return [
    `Ready. The webhooks of ${cashierUrl} ${goal}.`,
    `Signing secret: ${secret}`,
    'It is the same at every start with this key. Your own webhook secret verifies as well.',
  ];
}

/** A line for each webhook: time, type, payment, the answer of the receiver, and how long it took. */
async function show(
  webhook: ListenedWebhook,
  { address, secret }: { readonly address: string | undefined; readonly secret: string },
  surroundings: ListenSurroundings,
): Promise<void> {
  const { created, type, depositId, withdrawalId, isComplete } = webhook;
  const about = `${created}  ${type}  ${depositId ?? withdrawalId ?? webhook.id}`;
  if (!isComplete) {
    surroundings.print(`${about}  not sent on: its code went to your webhook address and is not kept`);
  } else if (address === undefined) {
    surroundings.print(about);
  } else {
    const { answer, isTaken, tookMs } = await forwardWebhook(
      webhook,
      { address, secret, signal: surroundings.stop },
      surroundings,
    );
    surroundings.print(`${about}  ${isTaken ? answer : `NOT TAKEN: ${answer}`}  ${Math.round(tookMs)} ms`);
  }
}

function refusalOf(error: CashierError, { cashierUrl, resumeFile }: ListenOptions): string {
  if (!(error instanceof CashierApiError)) return error.message;
  if (error.status === 401) return `${cashierUrl} does not know this OPERATOR_KEY.`;
  if (error.status === 404) {
    return `${cashierUrl} is no sandbox of this version. Start a cashier with SANDBOX=1, and name it in CASHIER_URL.`;
  }
  if (error.fields.some(({ path }) => path === 'cursor') && resumeFile !== undefined) {
    return `${resumeFile} has no place of this cashier. Delete the file.`;
  }
  return error.message;
}

function readOptions(args: readonly string[], environment: ListenSurroundings['environment']): ListenOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'forward-to': { type: 'string' },
      events: { type: 'string', default: '*' },
      since: { type: 'string', default: '0s' },
      'resume-file': { type: 'string' },
      'print-secret': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const { CASHIER_URL: cashierUrl, OPERATOR_KEY: operatorKey } = environment;
  if (!cashierUrl || !operatorKey || !isWebAddress(cashierUrl)) {
    throw new ArgumentError('Set CASHIER_URL (such as http://localhost:3000) and OPERATOR_KEY (sk_…).');
  }
  const { 'forward-to': forwardTo, 'resume-file': resumeFile } = values;
  if (forwardTo !== undefined && !isWebAddress(forwardTo)) {
    throw new ArgumentError(`--forward-to ${forwardTo} is no address such as http://localhost:3000/webhooks.`);
  }
  return {
    cashierUrl: cashierUrl.replace(/\/+$/, ''),
    operatorKey,
    forwardTo,
    isWanted: filterOf(values.events),
    sinceSeconds: secondsOf(values.since),
    resumeFile,
    cursor: resumeFile === undefined ? undefined : placeIn(resumeFile),
    printsSecret: values['print-secret'],
  };
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** `deposit.*` stands for every type that begins with `deposit.`, and `*` for all. */
function filterOf(events: string): (type: string) => boolean {
  const wanted = events.split(',').map((word) => word.trim());
  for (const word of wanted) {
    if (!/^(?:\*|[a-z_]+\.(?:\*|[a-z_]+))$/.test(word)) {
      throw new ArgumentError(`--events ${word} is no type such as deposit.processed or deposit.*.`);
    }
  }
  return (type) => wanted.some((word) => (word.endsWith('*') ? type.startsWith(word.slice(0, -1)) : type === word));
}

function secondsOf(time: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([smh])$/.exec(time) ?? [];
  const seconds = Number(count) * ({ s: 1, m: 60, h: 3600 }[unit] ?? Number.NaN);
  if (!(seconds <= 86_400)) throw new ArgumentError(`--since ${time} is no time such as 30s, 10m or 24h.`);
  return seconds;
}

/** @returns undefined if there is no file yet @throws ArgumentError where the file cannot be read */
function placeIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'ENOENT') return undefined;
    throw new ArgumentError(`--resume-file ${file} cannot be read: ${code}.`);
  }
}

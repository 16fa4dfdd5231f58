/** Asks a node over HTTP; whatever is not a good answer in good time is a {@link NodeError}. */
import type { Clock } from '@opencashier/core/time/clock';
import * as v from 'valibot';
import { NodeError } from './chain-source.ts';

export interface NodeAddress {
  /** Without a slash at its end. */
  readonly url: string;
  /** Sent with every question, such as an access key. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly pace?: Pacer;
}

export interface Pacer {
  /** Waits for the place of the next question. */
  next(): Promise<void>;
  /** The node was asked too much: the next question waits. */
  rest(): void;
}

/** Limits count by the second. */
const REST_MS = 1000;

/** Public nodes take so many questions a second and refuse more for a while: each question gets a time of its own. */
export function createPacer(perSecond: number, clock: Clock): Pacer {
  let free = 0;
  return {
    next() {
      const now = clock.now();
      const at = Math.max(now, free);
      free = at + 1000 / perSecond;
      return at <= now ? Promise.resolve() : new Promise((resolve) => clock.setTimer(resolve, at - now));
    },
    rest() {
      free = Math.max(free, clock.now() + REST_MS);
    },
  };
}

const ANSWER_WITHIN_MS = 15_000;
/** A block with all its transactions is a few MB; nothing honest is larger. */
const LARGEST_ANSWER = 64 * 1024 * 1024;

/** @returns undefined when the node says that there is no such thing */
export async function askText(node: NodeAddress, path: string, body?: unknown): Promise<string | undefined> {
  await node.pace?.next();
  try {
    const answer = await fetch(`${node.url}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...node.headers,
      },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (answer.status === 404) return undefined;
    if (answer.status === 429) node.pace?.rest();
    if (!answer.ok) throw new NodeError(`The node answered ${answer.status}`);
    const text = await answer.text();
    if (text.length > LARGEST_ANSWER) throw new NodeError('The node answered too much');
    return text;
  } catch (error) {
    if (error instanceof NodeError) throw error;
    throw new NodeError('The node did not answer', { cause: error });
  }
}

/** As {@link askText}, read by a schema. */
export async function ask<Schema extends v.GenericSchema>(
  node: NodeAddress,
  path: string,
  schema: Schema,
  body?: unknown,
): Promise<v.InferOutput<Schema> | undefined> {
  const text = await askText(node, path, body);
  return text === undefined ? undefined : parsed(text, schema);
}

export function parsed<Schema extends v.GenericSchema>(text: string, schema: Schema): v.InferOutput<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new NodeError('The node did not answer in JSON', { cause: error });
  }
  const result = v.safeParse(schema, value);
  if (!result.success)
    throw new NodeError(`The node answered something else at ${v.getDotPath(result.issues[0]) ?? 'the top'}`);
  return result.output;
}

/** Runs through many small questions, a few at a time. */
export async function inTurns<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
  atOnce = 8,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    answers.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))));
  }
  return answers;
}

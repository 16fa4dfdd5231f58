/** Sends requests to a node over HTTP. Everything except a good answer in time is a {@link NodeError}. */

import type { Clock } from '@opencashier/core/time/clock';
import { pause } from '@opencashier/core/time/pause';
import * as v from 'valibot';
import { NodeError, NodeSilenceError } from './chain-source.ts';

export interface NodeAddress {
  /** Without a slash at the end. */
  readonly url: string;
  /** Sent with every request, such as an access key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Spaces the requests. Absent: they are not spaced. */
  readonly pace?: Pacer;
}

export interface Pacer {
  /** Waits until the next request may be sent. */
  next(): Promise<void>;
  /** The node refused a request as one too many. The next request waits. */
  rest(): void;
}

/** Nodes count their limits by the second. */
const REST_MS = 1000;

/** Spaces requests evenly, because public nodes limit requests a second and refuse more for a while. */
export function createPacer(perSecond: number, clock: Clock): Pacer {
  let free = 0;
  return {
    next() {
      const now = clock.now();
      const at = Math.max(now, free);
      free = at + 1000 / perSecond;
      return pause(clock, at - now);
    },
    rest() {
      free = Math.max(free, clock.now() + REST_MS);
    },
  };
}

const ANSWER_WITHIN_MS = 15_000;
/** A block with all its transactions is a few MB. No honest answer is larger than this. */
const LARGEST_ANSWER = 64 * 1024 * 1024;

/** The text of an answer. Undefined for 404, by which a node says that it does not have the object. @throws NodeError */
export function askText(node: NodeAddress, path: string, body?: unknown): Promise<string | undefined> {
  const sent = body === undefined ? undefined : { type: 'application/json', body: JSON.stringify(body) };
  return request(node, path, sent);
}

/** Posts plain text, such as a signed transaction. @throws NodeError also for a refusal */
export async function postText(node: NodeAddress, path: string, body: string): Promise<string> {
  const answer = await request(node, path, { type: 'text/plain', body });
  if (answer === undefined) throw new NodeError('The node does not take this request');
  return answer;
}

async function request(
  node: NodeAddress,
  path: string,
  sent: { readonly type: string; readonly body: string } | undefined,
): Promise<string | undefined> {
  await node.pace?.next();
  try {
    const answer = await fetch(`${node.url}${path}`, {
      ...(sent === undefined ? {} : { method: 'POST', body: sent.body }),
      headers: {
        accept: 'application/json',
        ...(sent !== undefined && { 'content-type': sent.type }),
        ...node.headers,
      },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (answer.status === 404) return undefined;
    if (answer.status === 429) node.pace?.rest();
    if (!answer.ok) throw new NodeError(`The node returned status ${answer.status}`);
    const text = await answer.text();
    if (text.length > LARGEST_ANSWER) throw new NodeError('The response of the node is too large');
    return text;
  } catch (error) {
    if (error instanceof NodeError) throw error;
    throw new NodeSilenceError('The node did not answer', { cause: error });
  }
}

/** {@link askText}, with the answer read by a schema. @throws NodeError also when the answer does not fit */
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
    throw new NodeError('The response of the node is not JSON', { cause: error });
  }
  const result = v.safeParse(schema, value);
  if (!result.success)
    throw new NodeError(`The node returned an unexpected response, at ${v.getDotPath(result.issues[0]) ?? 'the top'}`);
  return result.output;
}

/** Does the work for all items, a few at a time. The answers are in the order of the items. */
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

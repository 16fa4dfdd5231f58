/** JSON-RPC, as nodes of Ethereum and its kin speak it. A request is one call, or a batch where the node takes batches. */
import * as v from 'valibot';
import { NodeError } from '../chain/chain-source.ts';
import { inTurns, type NodeAddress, ask as post } from '../chain/node-http.ts';

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The result of a call, or the error code by which the node refused it. */
export type RpcAnswer = { readonly result: unknown } | { readonly refusal: number };

/** Within the usual limits of public nodes on calls and on the size of an answer. A block with all its transactions is large. */
const LARGEST_BATCH = 10;
/** After this many good answers, a node that refused a large request gets larger ones again. */
const GROWS_AFTER = 500;

const errorSchema = v.optional(v.object({ code: v.number() }));
const answerSchema = v.object({ id: v.optional(v.unknown()), result: v.optional(v.unknown()), error: errorSchema });
const answersSchema = v.array(answerSchema);

const answerOf = ({ result, error }: v.InferOutput<typeof answerSchema>): RpcAnswer =>
  error === undefined ? { result: result ?? null } : { refusal: error.code };

export type EvmRpc = ReturnType<typeof createEvmRpc>;

export function createEvmRpc(node: NodeAddress) {
  let requests = 0;
  const largest = createMostAtOnce(LARGEST_BATCH);

  const bodyOf = ({ method, params }: RpcCall) => {
    requests += 1;
    return { jsonrpc: '2.0', id: requests, method, params };
  };

  async function askOne(call: RpcCall): Promise<RpcAnswer> {
    const answer = await post(node, '', answerSchema, bodyOf(call));
    largest.accepted();
    return answer === undefined ? { refusal: 404 } : answerOf(answer);
  }

  /** A batch counts as one request for the pace. @throws NodeError when the node does not take the batch */
  async function askBatch(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const bodies = calls.map(bodyOf);
    const answers = await post(node, '', answersSchema, bodies);
    const byId = new Map((answers ?? []).map((answer) => [answer.id, answer]));
    return bodies.map(({ id }) => {
      const answer = byId.get(id);
      if (answer === undefined) throw new NodeError('The node returned only a part of the batch');
      return answerOf(answer);
    });
  }

  /** Splits a batch that fails into smaller ones. A call that also fails alone did not fail because of the batch. */
  async function askPatiently(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const [first] = calls;
    if (first === undefined) return [];
    if (calls.length === 1) return [await askOne(first)];
    let answers: RpcAnswer[];
    try {
      answers = await askBatch(calls);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      const half = Math.ceil(calls.length / 2);
      const begun = await askPatiently(calls.slice(0, half));
      largest.refused(calls.length);
      return [...begun, ...(await askAll(calls.slice(half)))];
    }
    return inTurns([...answers.entries()], async ([at, answer]) => {
      const call = calls[at];
      if ('result' in answer || call === undefined) return answer;
      const alone = await askOne(call);
      // Some nodes count each call of a batch, and refuse the calls over their limit.
      if ('result' in alone) largest.refused(calls.length);
      return alone;
    });
  }

  /** Makes all calls in order, in few requests. @throws NodeError when the node does not answer */
  async function askAll(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const answers: RpcAnswer[] = [];
    while (answers.length < calls.length) {
      // One batch at a time, because a refused batch makes the next one smaller. Single calls may run side by side.
      const { most } = largest;
      const turn = most > 1 ? [calls.slice(answers.length, answers.length + most)] : singles(calls, answers.length);
      answers.push(...(await inTurns(turn, askPatiently, AT_ONCE)).flat());
    }
    return answers;
  }

  return {
    askAll,
    /** One call. @throws NodeError also when the node refuses it */
    async ask<Schema extends v.GenericSchema>(
      method: string,
      params: readonly unknown[],
      schema: Schema,
    ): Promise<v.InferOutput<Schema>> {
      return readAnswer(await askOne({ method, params }), method, schema);
    },
    /** One call a set of parameters. @throws NodeError also when the node refuses one of them */
    async askEach<Schema extends v.GenericSchema>(
      method: string,
      params: readonly (readonly unknown[])[],
      schema: Schema,
    ): Promise<v.InferOutput<Schema>[]> {
      const answers = await askAll(params.map((one) => ({ method, params: one })));
      return answers.map((answer) => readAnswer(answer, method, schema));
    },
  };
}

/** Learns how much a node takes at once. A refusal halves the number, and many good answers double it up to `limit`. */
export function createMostAtOnce(limit: number) {
  let most = limit;
  let answers = 0;
  return {
    /** At least 1. */
    get most(): number {
      return most;
    },
    accepted(): void {
      answers += 1;
      if (answers % GROWS_AFTER === 0) most = Math.min(most * 2, limit);
    },
    /** @param size how much was refused */
    refused(size: number): void {
      most = Math.max(1, Math.min(most, Math.floor(size / 2)));
    },
  };
}

/** The number of single calls that run side by side. */
const AT_ONCE = 4;

const singles = (calls: readonly RpcCall[], from: number): RpcCall[][] =>
  calls.slice(from, from + AT_ONCE).map((call) => [call]);

/** @throws NodeError when the node refused the call, or answered in another shape */
export function readAnswer<Schema extends v.GenericSchema>(
  answer: RpcAnswer | undefined,
  method: string,
  schema: Schema,
): v.InferOutput<Schema> {
  if (answer === undefined || 'refusal' in answer)
    throw new NodeError(`The node refused ${method} (${answer?.refusal})`);
  const result = v.safeParse(schema, answer.result);
  if (!result.success) throw new NodeError(`The node returned an unexpected response to ${method}`);
  return result.output;
}

/** A number as JSON-RPC writes it. */
export const hexOf = (height: number): string => `0x${height.toString(16)}`;

/** One signed question to an address of an operator: checked, bounded in time and size, and paused after failures. */
import type { Clock } from '@opencashier/core/time/clock';
import { PostError, postQuestion } from '../webhooks/post-once.ts';
import { signWebhook } from '../webhooks/send-webhook.ts';
import { webhookAddressProblem } from '../webhooks/webhook-address.ts';
import type { QuestionCircuit } from './question-circuit.ts';

export interface SignedPorts {
  readonly clock: Clock;
  /** Allows http and private addresses, as in the sandbox. */
  readonly allowInsecure: boolean;
  readonly circuit: QuestionCircuit;
}

export interface SignedQuestion {
  readonly operatorId: string;
  /** Null: the operator has none. */
  readonly url: string | null;
  /** `whsec_…`, newest first. */
  readonly secrets: readonly string[];
  /** The `webhook-id`. */
  readonly id: string;
  readonly body: string;
  /** The time limit for the whole answer. ms. */
  readonly withinMs: number;
  /** A longer answer is not read. Absent: 16 KiB. Bytes. */
  readonly mostBytes?: number;
  /** False: a failure is no sign that the address fails, because the time limit is short. */
  readonly isCounted: boolean;
  /** Absent: every answer can be used. An answer that cannot be used counts as a failure. */
  readonly isUsable?: (body: string | undefined) => boolean;
}

/** `why`: no answer with status 200 arrived. `pausedS`: nothing was sent, because the address fails; ask again after these seconds. */
export type SignedAnswer =
  | { readonly kind: 'answered'; readonly body: string | undefined }
  | { readonly kind: 'none'; readonly why: string; readonly pausedS: number };

/**
 * Asks once. Never throws for a fault of the operator.
 * @param signal aborts the question
 */
export async function askSigned(
  { clock, allowInsecure, circuit }: SignedPorts,
  { operatorId, url, secrets, id, body, withinMs, mostBytes, isCounted, isUsable = () => true }: SignedQuestion,
  signal: AbortSignal,
): Promise<SignedAnswer> {
  const none = (why: string, pausedS = 0): SignedAnswer => ({ kind: 'none', why, pausedS });
  if (url === null) return none('no address');
  if (secrets.length === 0) return none('no signing secret');
  const problem = webhookAddressProblem(url, allowInsecure);
  if (problem !== undefined) return none(problem);
  const pausedS = isCounted ? circuit.pausedFor(operatorId, url) : circuit.pauseLeft(operatorId, url);
  if (pausedS !== undefined) return none('paused after failures', pausedS);
  const headers = { 'content-type': 'application/json', ...signWebhook({ id, secrets, body }, clock.now()) };
  try {
    const post = { url, headers, body, allowInside: allowInsecure, signal };
    const answer = await postQuestion(post, clock, { withinMs, ...(mostBytes !== undefined && { mostBytes }) });
    if (answer.status !== 200) {
      if (isCounted) circuit.failed(operatorId, url);
      return none(`status ${answer.status}`);
    }
    if (isUsable(answer.body)) circuit.answered(operatorId);
    else if (isCounted) circuit.failed(operatorId, url);
    return { kind: 'answered', body: answer.body };
  } catch (error) {
    if (!(error instanceof PostError)) throw error;
    if (!signal.aborted && isCounted) circuit.failed(operatorId, url);
    return none(error.reason);
  }
}

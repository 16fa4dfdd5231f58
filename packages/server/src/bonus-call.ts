/** Answers the question of the cashier to an operator's own bonus engine. */
import type { BonusAnswer, BonusQuestion } from './generated/bonuses.ts';
import type { OwnBonus } from './generated/operator-api.ts';
import { type CallResponse, type IncomingCall, readSignedCall, respond } from './signed-call.ts';
import type { VerifyOptions } from './verify-webhook.ts';

export interface BonusHandlers {
  /** The bonuses that the user sees, in this order. The cashier waits for a part of a second, so answer from what you know. */
  bonuses(question: BonusQuestion): Promise<readonly OwnBonus[]> | readonly OwnBonus[];
}

/**
 * Verifies a question, hands it to your function and shapes the answer. A question that is not the cashier's gets 401, and one that cannot
 * be read gets 400.
 *
 * @throws what the function throws, or TypeError for a secret that is none: answer 500 then. The cashier shows the last answer
 */
export async function handleBonusCall(
  incoming: IncomingCall,
  { bonuses, ...options }: BonusHandlers & VerifyOptions,
): Promise<CallResponse> {
  const read = readSignedCall<BonusQuestion>(incoming, options);
  if ('refusal' in read) return read.refusal;
  const { call: question } = read;
  // A later version of the cashier may have other questions. It must not take silence for an answer.
  if (question.type !== 'bonuses') return respond(400, { code: 'unknown-type' });
  const { id, userId } = question;
  const answer: BonusAnswer = { bonuses: [...(await bonuses(question))], id, userId };
  return respond(200, answer);
}

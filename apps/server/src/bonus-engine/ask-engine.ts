/** One question to an operator's bonus engine: signed like a webhook, with a time limit, and judged by the contract (SRV-5). */
import { randomUUID } from 'node:crypto';
import {
  type BonusQuestion,
  bonusTimeLimitMs,
  mostBonusAnswerBytes,
  type OwnBonus,
} from '@opencashier/contract/operator';
import type { EngineQuestion } from '../bonuses/bonuses.ts';
import type { EngineProblem } from '../bonuses/engine-problems.ts';
import { askSigned, type SignedPorts } from '../signed-questions/ask-signed.ts';
import { type JudgedAnswer, judgeAnswer } from './judge-answer.ts';

/** What a question brought. `bonuses` undefined: no answer that can be used. `problem` undefined: all was right, or nothing was sent. */
export interface AskedEngine {
  readonly bonuses: readonly OwnBonus[] | undefined;
  /** UTF-16 units of the answer. */
  readonly size: number;
  /** `paused`: nothing was sent, because the engine fails. */
  readonly outcome: 'answered' | 'left-out' | 'unusable' | 'no-answer' | 'paused';
  readonly problem: EngineProblem | undefined;
}

/** Asks once. Never throws for a fault of the engine. */
export async function askEngine(
  ports: SignedPorts,
  { operatorId, userId, currency, engine: { url, secrets } }: EngineQuestion,
): Promise<AskedEngine> {
  const question: BonusQuestion = {
    type: 'bonuses',
    id: randomUUID(),
    userId,
    ...(currency !== undefined && { currency }),
  };
  let judged: JudgedAnswer | undefined;
  const asked = await askSigned(
    ports,
    {
      operatorId,
      url,
      secrets,
      id: question.id,
      body: JSON.stringify(question),
      withinMs: bonusTimeLimitMs,
      mostBytes: mostBonusAnswerBytes,
      isCounted: true,
      isUsable(body) {
        judged = judgeAnswer(question, body);
        return judged.kind === 'bonuses';
      },
    },
    new AbortController().signal,
  );
  const problem = (why: string): EngineProblem => ({ why, questionId: question.id, userId, fields: [] });
  const nothing = { bonuses: undefined, size: 0 };
  if (asked.kind === 'none' && asked.pausedS > 0) return { ...nothing, outcome: 'paused', problem: undefined };
  if (asked.kind === 'none') return { ...nothing, outcome: 'no-answer', problem: problem(asked.why) };
  if (judged?.kind !== 'bonuses') {
    return { ...nothing, outcome: 'unusable', problem: problem(judged?.why ?? 'no answer') };
  }
  const { bonuses, leftOut: fields } = judged;
  const size = asked.body?.length ?? 0;
  if (fields.length === 0) return { bonuses, size, outcome: 'answered', problem: undefined };
  return { bonuses, size, outcome: 'left-out', problem: { ...problem('bonuses were left out'), fields } };
}

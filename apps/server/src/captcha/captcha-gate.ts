/** Decides what a captcha allows a create call (ERR-5). A bypass lowers limits; it never lifts a check. */
import { createHash } from 'node:crypto';
import type { CaptchaResult } from '@opencashier/contract/api';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { minuteMs } from '../limits/call-limits.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { CaptchaGate, CaptchaQuestion, CaptchaStanding } from '../payment-ports/captcha.ts';
import type { CaptchaAnswer, CaptchaVerifier } from './captcha-verifier.ts';

/** Without a captcha a user may create two deposits a minute, each of at most a tenth of the method's maximum. */
export const bypassesPerMinute = 2;

export interface CaptchaGateOptions {
  readonly verifier: CaptchaVerifier;
  readonly database: Database;
  readonly limiter: RateLimiter;
}

export function createCaptchaGate({ verifier, database, limiter }: CaptchaGateOptions): CaptchaGate {
  const bypass = async ({ caller }: CaptchaQuestion): Promise<CaptchaStanding> => {
    const wait = await limiter.take(
      `captcha-bypass ${caller.operatorId} ${caller.userId}`,
      bypassesPerMinute,
      minuteMs,
    );
    if (wait > 0)
      throw new DomainError('rate-limited', 'Too many attempts without a captcha.', { retryAfterSeconds: wait });
    return 'bypassed';
  };

  const owner = async (lot: Buffer): Promise<string | undefined> => {
    const [row] = await database.query<{ owner: string }>({
      name: 'captcha-use-find',
      text: `select operator_id || ' ' || user_id || ' ' || client_key as owner from captcha_use where lot_hash = $1`,
      values: [lot],
    });
    return row?.owner;
  };

  /** Claims the lot number for this call. False when another call has claimed it. */
  const take = async (lot: Buffer, { caller, depositId }: CaptchaQuestion): Promise<boolean> => {
    const rows = await database.query<object>({
      name: 'captcha-use-take',
      text: `insert into captcha_use (lot_hash, operator_id, user_id, client_key) values ($1, $2, $3, $4)
        on conflict (lot_hash) do update set lot_hash = excluded.lot_hash
          where captcha_use.operator_id = $2 and captcha_use.user_id = $3 and captcha_use.client_key = $4
        returning 1`,
      values: [lot, caller.operatorId, caller.userId, depositId],
    });
    return rows.length > 0;
  };

  /** Whether this call has taken the lot. Undefined: no call has. */
  const isOurs = async (lot: Buffer, { caller, depositId }: CaptchaQuestion): Promise<boolean | undefined> => {
    const usedBy = await owner(lot);
    return usedBy === undefined ? undefined : usedBy === `${caller.operatorId} ${caller.userId} ${depositId}`;
  };

  const admitAnswer = async (question: CaptchaQuestion, answer: CaptchaAnswer): Promise<CaptchaStanding> => {
    const lot = createHash('sha256').update(answer.lotNumber).digest();
    const known = await isOurs(lot, question);
    if (known === true) return 'verified';
    if (known === false) throw alreadyUsed();
    const verdict = await verifier.verify(answer);
    if (verdict === 'unreachable') return bypass(question);
    if (verdict === 'fail') {
      // The vendor verifies a captcha once. The same call at another node may have been faster.
      if ((await isOurs(lot, question)) === true) return 'verified';
      throw required('The captcha was not passed.');
    }
    if (!(await take(lot, question))) throw alreadyUsed();
    return 'verified';
  };

  /** The calls with a captcha that are being checked. A repeat of the same call gets the same answer. */
  const running = new Map<string, Promise<CaptchaStanding>>();

  return {
    async admit(question) {
      const answer = wholeAnswer(question.captcha);
      if (answer === undefined) {
        if (question.captcha?.isBypassed === true) return bypass(question);
        throw required('This method requires a captcha.');
      }
      const { caller, depositId } = question;
      const key = JSON.stringify([caller.operatorId, caller.userId, depositId, answer]);
      const known = running.get(key);
      if (known !== undefined) return known;
      const admitted = admitAnswer(question, answer).finally(() => running.delete(key));
      running.set(key, admitted);
      return admitted;
    },
  };
}

function wholeAnswer(captcha: CaptchaResult | undefined): CaptchaAnswer | undefined {
  const { lotNumber, captchaOutput, passToken, genTime } = captcha ?? {};
  return lotNumber && captchaOutput && passToken && genTime
    ? { lotNumber, captchaOutput, passToken, genTime }
    : undefined;
}

function alreadyUsed(): DomainError {
  return required('This captcha was already used. Show a new one.');
}

function required(message: string): DomainError {
  return new DomainError('captcha_required', message);
}

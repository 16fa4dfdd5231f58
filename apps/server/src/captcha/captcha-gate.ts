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

  return {
    async admit(question) {
      const answer = wholeAnswer(question.captcha);
      if (answer === undefined) {
        if (question.captcha?.isBypassed === true) return bypass(question);
        throw required('This method requires a captcha.');
      }
      const lot = createHash('sha256').update(answer.lotNumber).digest();
      const usedBy = await owner(lot);
      if (usedBy !== undefined) {
        const { caller, depositId } = question;
        if (usedBy === `${caller.operatorId} ${caller.userId} ${depositId}`) return 'verified';
        throw required('This captcha was already used. Show a new one.');
      }
      const verdict = await verifier.verify(answer);
      if (verdict === 'unreachable') return bypass(question);
      if (verdict === 'fail') throw required('The captcha was not passed.');
      if (!(await take(lot, question))) throw required('This captcha was already used. Show a new one.');
      return 'verified';
    },
  };
}

function wholeAnswer(captcha: CaptchaResult | undefined): CaptchaAnswer | undefined {
  const { lotNumber, captchaOutput, passToken, genTime } = captcha ?? {};
  return lotNumber && captchaOutput && passToken && genTime
    ? { lotNumber, captchaOutput, passToken, genTime }
    : undefined;
}

function required(message: string): DomainError {
  return new DomainError('captcha_required', message);
}

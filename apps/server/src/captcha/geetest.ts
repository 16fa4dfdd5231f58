/** The second verification of geetest v4: its public `validate` call, signed with the account's key. */
import { createHmac } from 'node:crypto';
import type { Clock } from '@opencashier/core/time/clock';
import type { CaptchaAnswer, CaptchaVerdict, CaptchaVerifier } from './captcha-verifier.ts';

export interface GeetestOptions {
  /** Public: the page contains it. */
  readonly captchaId: string;
  readonly key: string;
  /** Without a slash at its end. */
  readonly api: string;
  readonly clock: Clock;
  readonly logger: { warn(fields: object, message: string): void };
  readonly fetch?: typeof fetch;
}

export const geetestTimeoutMs = 5_000;
/** The answers of geetest have a few hundred characters. */
const longestAnswer = 64 * 1024;

/** The `sign_token` of a call: HMAC-SHA256 of the lot number under the account's key, in hex. */
export function signLotNumber(key: string, lotNumber: string): string {
  return createHmac('sha256', key).update(lotNumber).digest('hex');
}

export function createGeetest(options: GeetestOptions): CaptchaVerifier {
  const { captchaId, key, api, clock, logger } = options;
  const send = options.fetch ?? fetch;
  const address = `${api}/validate?${new URLSearchParams({ captcha_id: captchaId })}`;

  const ask = async (answer: CaptchaAnswer, signal: AbortSignal): Promise<CaptchaVerdict> => {
    const response = await send(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        lot_number: answer.lotNumber,
        captcha_output: answer.captchaOutput,
        pass_token: answer.passToken,
        gen_time: answer.genTime,
        sign_token: signLotNumber(key, answer.lotNumber),
      }).toString(),
      redirect: 'error',
      signal,
    });
    const text = await response.text();
    const result = response.ok && text.length <= longestAnswer ? resultOf(text) : undefined;
    if (result === 'success' || result === 'fail') return result;
    logger.warn({ status: response.status }, 'the captcha verifier gave no verdict');
    return 'unreachable';
  };

  return {
    async verify(answer) {
      // geetest refuses the whole call when the time is no number. The refusal would look like a network fault.
      if (!/^\d{1,20}$/.test(answer.genTime)) return 'fail';
      const abort = new AbortController();
      let cancelTimer = (): void => undefined;
      const late = new Promise<CaptchaVerdict>((resolve) => {
        cancelTimer = clock.setTimer(() => {
          abort.abort();
          resolve('unreachable');
        }, geetestTimeoutMs);
      });
      try {
        return await Promise.race([ask(answer, abort.signal), late]);
      } catch (error) {
        logger.warn({ err: error }, 'the captcha verifier cannot be reached');
        return 'unreachable';
      } finally {
        cancelTimer();
      }
    },
  };
}

function resultOf(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as { result?: unknown }).result : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

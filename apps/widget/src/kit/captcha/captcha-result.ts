/**
 * What a captcha means for the create call (ERR-5). It gives values to verify, or a bypass with lower limits, or no call at all.
 */
import type { CaptchaResult } from '@opencashier/contract/api';
import { ClientError } from '../../api/client.ts';
import type { CaptchaFailureReason, CaptchaOutcome } from './captcha-conversation.ts';

/** §8, in English, for the host and the logs. */
export const captchaIdEmpty = 'Captcha id is empty';
export const captchaDataEmpty = 'Captcha data empty';
export const geetestResultEmpty = 'Geetest result is empty';

/** The message for a captcha that failed to load. */
export const captchaReasonKey: Readonly<Record<CaptchaFailureReason, string>> = {
  environment: 'captcha.failed.environment',
  expired: 'common.errors.captcha-expired',
  closed: 'common.errors.captcha-closed',
  unknown: 'captcha.failed.unknown',
  empty: 'captcha.failed.unknown',
  script: 'captcha.failed.script',
  network: 'captcha.failed.script',
  timeout: 'captcha.failed.script',
};

/**
 * The result for the create call. If the vendor failed, it is a bypass, which only lowers the limits. If the user closed the
 * captcha or let it expire, nothing is sent. The user can try the same deposit again.
 *
 * @throws ClientError `captcha-closed`, `captcha-expired` or `captcha-data-empty`
 */
export function captchaResultOf(outcome: CaptchaOutcome): CaptchaResult {
  if (outcome.kind === 'failed') {
    if (outcome.reason === 'closed') throw captchaFailure('captcha-closed', 'The captcha was closed');
    if (outcome.reason === 'expired') throw captchaFailure('captcha-expired', 'The captcha has expired');
    return { isBypassed: true };
  }
  const { lotNumber, captchaOutput, passToken, genTime } = outcome.values;
  if ([lotNumber, captchaOutput, passToken, genTime].some((value) => value.trim() === '')) {
    throw captchaFailure('captcha-data-empty', captchaDataEmpty);
  }
  return { lotNumber, captchaOutput, passToken, genTime };
}

/** A failure before any call was made: the server knows nothing of the deposit. */
export function captchaFailure(code: string, message: string): ClientError {
  return new ClientError({ kind: 'refused', code, status: 0, message });
}

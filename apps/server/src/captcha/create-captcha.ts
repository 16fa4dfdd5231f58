/** Assembles the captcha from the settings: geetest, in the sandbox its stand-in, or no verifier at all. */
import { createHmac, randomBytes } from 'node:crypto';
import { sandboxCaptchaId } from '@opencashier/contract/host';
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyPluginAsync } from 'fastify';
import type { Database } from '../database/database.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Logger } from '../observability/logger.ts';
import type { Operators } from '../operators/operators.ts';
import type { CaptchaGate } from '../payment-ports/captcha.ts';
import { captchaFrame, standInPath } from './captcha-frame.ts';
import { createCaptchaGate } from './captcha-gate.ts';
import { absentVerifier } from './captcha-verifier.ts';
import { createGeetest, type GeetestOptions } from './geetest.ts';
import { captchaStandIn } from './stand-in.ts';

/** Whose captcha it is: geetest where its keys are set, in the sandbox the stand-in. */
export interface CaptchaSettings {
  readonly geetest: Pick<GeetestOptions, 'captchaId' | 'key' | 'api'> | undefined;
  readonly isSandbox: boolean;
  readonly sandboxProviderSecret: string | undefined;
}

export interface CaptchaParts {
  readonly publicUrl: string;
  /** The address of this server from this machine. */
  readonly url: string;
  readonly operators: Operators;
  readonly database: Database;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createCaptcha(
  { geetest, isSandbox, sandboxProviderSecret }: CaptchaSettings,
  { publicUrl, url, operators, database, limiter, clock, logger }: CaptchaParts,
): { readonly gate: CaptchaGate; readonly plugins: readonly FastifyPluginAsync[] } {
  const gateOf = (verifier: Parameters<typeof createCaptchaGate>[0]['verifier']) =>
    createCaptchaGate({ verifier, database, limiter });
  if (geetest !== undefined) {
    const frame = captchaFrame({ publicUrl, operators, vendor: 'geetest' });
    return { gate: gateOf(createGeetest({ ...geetest, clock, logger })), plugins: [frame] };
  }
  if (isSandbox) {
    // All nodes of a sandbox have the same key, so that a node can verify what another node has signed.
    const secret = sandboxProviderSecret ?? randomBytes(32);
    const key = createHmac('sha256', secret).update('captcha stand-in').digest('hex');
    const verifier = createGeetest({ captchaId: sandboxCaptchaId, key, api: `${url}${standInPath}`, clock, logger });
    const frame = captchaFrame({ publicUrl, operators, vendor: 'stand-in' });
    return { gate: gateOf(verifier), plugins: [frame, captchaStandIn({ key, clock })] };
  }
  return { gate: gateOf(absentVerifier), plugins: [] };
}

/**
 * A stand-in of geetest for the sandbox: a script, and a verifier that checks the cashier's own signature. A scenario chooses how
 * the captcha fails: `?scenario=` on the captcha frame, or a suffix of the captcha id (`sandbox-captcha:refused`).
 *
 * `script-missing`: there is no script. `script-broken`: the script is no captcha. `environment`, `network`, `expired`,
 * `unknown`: the captcha starts and reports this error. `empty`: success without a result. `refused`: the verifier refuses
 * the result. `unreachable`: the verifier does not answer.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyPluginAsync } from 'fastify';
import { isSameSecret } from '../sealing/is-same-secret.ts';
import { standInPath } from './captcha-frame.ts';
import { signLotNumber } from './geetest.ts';
import script from './stand-in-gt4.js?raw';

export interface StandInOptions {
  readonly key: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** How long a solved captcha is valid. Seconds. */
export const standInLifetimeS = 600;

const verdicts = ['good', 'refused', 'unreachable'] as const;

export function captchaStandIn({ key, clock }: StandInOptions): FastifyPluginAsync {
  const seal = (...parts: string[]) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');

  return async (app) => {
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 32 * 1024 },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );

    app.get<{ Querystring: Record<string, unknown> }>(`${standInPath}/gt4.js`, async ({ query }, reply) => {
      reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
      if (query['scenario'] === 'script-missing') return reply.callNotFound();
      return reply.type('text/javascript; charset=utf-8').send(query['scenario'] === 'script-broken' ? ';' : script);
    });

    // The frame has an opaque origin, so every origin may ask. The answer is worth nothing outside the sandbox.
    app.get<{ Querystring: Record<string, unknown> }>(`${standInPath}/solve`, async ({ query }, reply) => {
      const verdict = verdicts.find((known) => known === query['verdict']) ?? 'good';
      const lotNumber = randomBytes(16).toString('hex');
      const captchaOutput = `${verdict}.${randomBytes(16).toString('hex')}`;
      const genTime = String(Math.floor(clock.now() / 1000));
      return reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'no-store')
        .send({
          lot_number: lotNumber,
          captcha_output: captchaOutput,
          pass_token: seal(lotNumber, captchaOutput, genTime),
          gen_time: genTime,
        });
    });

    app.post<{ Body: unknown }>(`${standInPath}/validate`, async ({ body }, reply) => {
      const form = body instanceof URLSearchParams ? body : new URLSearchParams();
      const read = (name: string) => form.get(name) ?? '';
      const [lot, output, genTime] = [read('lot_number'), read('captcha_output'), read('gen_time')];
      const isSigned = isSameSecret(read('sign_token'), signLotNumber(key, lot));
      const isOurs = isSameSecret(read('pass_token'), seal(lot, output, genTime));
      reply.header('cache-control', 'no-store');
      if (!isSigned || !isOurs) return reply.send({ result: 'fail', reason: 'not ours', captcha_args: {} });
      if (output.startsWith('unreachable.')) return reply.code(503).send({ status: 'error' });
      const isStale = clock.now() / 1000 - Number(genTime) > standInLifetimeS;
      const isGood = output.startsWith('good.') && !isStale;
      return reply.send({ result: isGood ? 'success' : 'fail', reason: isStale ? 'expired' : '', captcha_args: {} });
    });
  };
}

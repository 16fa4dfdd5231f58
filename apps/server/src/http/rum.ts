/**
 * Real-user monitoring (NET-8): `POST /{product}/rum` takes the measurements of one visit. `navigator.sendBeacon` sends them while
 * the page closes. The answer is an empty 204.
 */
import { rumBeaconSchema } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyPluginAsync } from 'fastify';
import { ApiError } from '../dispatch/api-error.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Operators } from '../operators/operators.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { isOwnOrigin } from './origin-check.ts';
import { publicReports } from './public-reports.ts';

export interface RumOptions {
  readonly product: string;
  readonly publicUrl: string;
  readonly operators: Pick<Operators, 'byPartnerKey'>;
  readonly telemetry: Telemetry;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
}

export const rumPerMinute = 30;

export function rum({ product, publicUrl, operators, telemetry, limiter, clock }: RumOptions): FastifyPluginAsync {
  return publicReports({
    path: `/${product}/rum`,
    bodyLimitBytes: 32 * 1024,
    perMinute: rumPerMinute,
    name: 'rum',
    schema: rumBeaconSchema,
    limiter,
    clock,
    refusal({ headers: { origin, host } }) {
      if (origin === undefined || isOwnOrigin(origin, publicUrl, host)) return undefined;
      return new ApiError('forbidden-origin', 'Reports are accepted only from the widget’s page.');
    },
    async take({ partner, ...visit }) {
      await telemetry.takeVisit(operators.byPartnerKey(partner)?.id, visit);
    },
  });
}

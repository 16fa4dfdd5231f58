/** The parts that handlers may use. They are parameters, so that tests can replace them. */
import type { Clock } from '@opencashier/core/time/clock';
import type { Bounce } from '../../bounce/bounce.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { ListStateOf } from '../../catalogue/list-state.ts';
import type { Database } from '../../database/database.ts';
import type { Payments } from '../../deposits/payments.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { LimitsOf } from '../../operators/limit-overrides.ts';
import type { RateSource } from '../../rates/rate-source.ts';
import type { DataKeys } from '../../sealing/data-keys.ts';
import type { Redemptions } from '../../sweepstake/redemptions.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { WalletBalanceOf } from '../../wallet-calls/wallet-balance.ts';
import type { Withdrawals } from '../../withdrawals/withdrawals.ts';

export interface Services {
  readonly clock: Clock;
  readonly database: Database;
  /** Decrypt stored data, such as payout accounts. */
  readonly dataKeys: DataKeys;
  readonly catalogue: Catalogue;
  readonly listStateOf: ListStateOf;
  readonly limitsOf: LimitsOf;
  readonly payments: Payments;
  /** The balances that operators' own wallets keep. */
  readonly walletBalanceOf: WalletBalanceOf;
  readonly withdrawals: Withdrawals;
  readonly rates: RateSource;
  /** The rates at which sweep coins are redeemed. */
  readonly redemptions: Redemptions;
  /** Turns a form for a provider into the address of the page that posts it. */
  readonly bounce: Pick<Bounce, 'keep' | 'wrap'>;
  readonly metrics: Metrics;
  readonly telemetry: Telemetry;
}

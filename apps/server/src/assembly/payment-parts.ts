/** Payments with the parts that they use: bonuses, rates, redemptions, the captcha, and the page that posts forms to providers. */
import type { FastifyPluginAsync } from 'fastify';
import { createBonusEngines } from '../bonus-engine/create-engines.ts';
import { type Bonuses, createBonuses } from '../bonuses/bonuses.ts';
import { type Bounce, createBounce } from '../bounce/bounce.ts';
import { bouncePage } from '../bounce/bounce-page.ts';
import { createCaptcha } from '../captcha/create-captcha.ts';
import type { Config } from '../config/config.ts';
import { returnUrlOf } from '../http/return-url.ts';
import { wordFiles } from '../languages/word-files.ts';
import { createWords } from '../languages/words.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import type { CheckPayee } from '../payment-ports/payee-check.ts';
import type { Pusher } from '../payment-ports/payments-core.ts';
import { createPayments } from '../payment-service/create-payments.ts';
import type { PaymentsEngine } from '../payment-service/payments-engine.ts';
import { ratesPage } from '../providers/sandbox/pages/rates-page.ts';
import { sandboxPayeeAnswer } from '../providers/sepa/sandbox-payee-check.ts';
import { SEPA } from '../providers/sepa/sepa.ts';
import { createRates } from '../rates/create-rates.ts';
import type { RateSource } from '../rates/rate-source.ts';
import { createRedemptions } from '../sweepstake/create-redemptions.ts';
import type { Redemptions } from '../sweepstake/redemptions.ts';
import type { Addresses } from './addresses.ts';
import type { CatalogueParts } from './catalogue-parts.ts';
import type { Foundations } from './foundations.ts';
import type { OperatorParts } from './operator-parts.ts';

export interface PaymentParts {
  readonly payments: PaymentsEngine;
  readonly bonuses: Bonuses;
  readonly rates: RateSource;
  readonly redemptions: Redemptions;
  readonly bounce: Bounce;
  /** The pages of the captcha, of forms for providers, and of the sandbox's rates. */
  readonly plugins: readonly FastifyPluginAsync[];
}

export interface PaymentInput extends Foundations, OperatorParts, Addresses, CatalogueParts {
  readonly pusher: Pusher;
  readonly failpoint: ((name: Failpoint) => void) | undefined;
}

/** Asks the payees' bank of the sandbox. Another bank needs a port of its own, and until then the verdict is not known. */
const checkSandboxPayee: CheckPayee = ({ provider, fields }) =>
  provider === SEPA ? Promise.resolve(sandboxPayeeAnswer(fields['fullName'] ?? '')) : undefined;

export function createPaymentParts(config: Config, input: PaymentInput): PaymentParts {
  const { database, clock, machineClock, logger, operators, secret, publicUrl, failpoint } = input;
  const { product, isSandbox } = config;
  const bonuses = createBonuses(
    database,
    createWords(wordFiles),
    createBonusEngines({ database, clock, logger, allowInsecure: isSandbox }),
  );
  const { rates, sandboxRates } = createRates(config, { clock, database, logger });
  const redemptions = createRedemptions({ rates, clock, secret });
  const captcha = createCaptcha(config, input);
  const bounce = createBounce({ database, publicUrl, product });
  const payments = createPayments({
    database,
    clock,
    machineClock,
    catalogue: input.catalogue,
    bonuses,
    redemptions,
    limitsOf: input.limitsOf,
    secret,
    dataKeys: input.dataKeys,
    codeChannelOf: input.codeChannelOf,
    captcha: captcha.gate,
    providers: input.providers,
    connections: input.connections,
    checkPayee: isSandbox ? checkSandboxPayee : undefined,
    routes: input.routes,
    tokenContracts: input.tokenContracts,
    logger,
    pusher: input.pusher,
    returnUrlOf: (operatorId, wanted) => returnUrlOf(operators, publicUrl, product, operatorId, wanted),
    allowInsecureWebhooks: isSandbox,
    spans: input.spans,
    ...(failpoint !== undefined && { failpoint }),
  });
  const plugins = [
    ...(sandboxRates === undefined ? [] : [ratesPage(sandboxRates)]),
    ...captcha.plugins,
    bouncePage({ bounce, operators, publicUrl, product }),
  ];
  return { payments, bonuses, rates, redemptions, bounce, plugins };
}

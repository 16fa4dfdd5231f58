/** Connections of operators to Stripe: each has the keys of an account of its own. */
import type { Clock } from '@opencashier/core/time/clock';
import type { AccountTest, ConnectionKind, OpenAccount, OpenedAccount } from '../connection-kind.ts';
import { inspectStripe } from './inspect-stripe.ts';
import { listStripe } from './list-stripe.ts';
import { createStripeProvider, type StripeOptions } from './stripe.ts';
import { stripeKeyForm, stripeKeyMeaning, stripeSecretForm, stripeSecretMeaning } from './stripe-key-forms.ts';
import { isLiveKey } from './stripe-reports.ts';

interface StripeKindParts {
  readonly clock: Clock;
  /** Another address of Stripe's API, for tests. */
  readonly api?: StripeOptions['api'];
}

export function stripeConnections({ clock, api }: StripeKindParts): ConnectionKind {
  return {
    secrets: {
      secretKey: { form: stripeKeyForm, meaning: stripeKeyMeaning, isNeeded: 'to-create' },
      webhookSecret: { form: stripeSecretForm, meaning: stripeSecretMeaning, isNeeded: 'to-enable' },
    },
    options: { productName: { form: /^[^\p{Cc}]{1,250}$/u, meaning: 'a name of 1 to 250 characters' } },
    paysOut: true,
    refunds: true,
    hasOwnTime: true,
    modeOf: ({ secretKey = '' }) => (isLiveKey(secretKey) ? 'live' : 'test'),
    test: (account) => testAccount(account, { clock, ...(api && { api }) }),
    listsPayouts: true,
    list: ({ secrets }, asked) =>
      listStripe({ secretKey: secrets['secretKey'] ?? '', ...(api && { api }) }, asked, clock),
  };
}

/** Makes a provider of an operator's account. */
export function openStripeAccount({ clock, api }: StripeKindParts): OpenAccount {
  return ({ secrets, oldSecrets, options }) =>
    createStripeProvider({
      secretKey: secrets['secretKey'] ?? '',
      webhookSecrets: [secrets['webhookSecret'], oldSecrets?.['webhookSecret']].flatMap((secret) => secret ?? []),
      ...(options['productName'] !== undefined && { productName: options['productName'] }),
      clock,
      ...(api && { api }),
    });
}

async function testAccount({ secrets }: OpenedAccount, { clock, api }: StripeKindParts): Promise<AccountTest> {
  const answer = await inspectStripe({ secretKey: secrets['secretKey'] ?? '', ...(api && { api }) }, clock);
  switch (answer.kind) {
    case 'accepted':
      return { result: 'accepted', message: 'Stripe accepts the key.' };
    case 'refused':
      return {
        result: 'refused',
        message: 'Stripe refuses secretKey. Copy it again from Developers > API keys in Stripe. It may be revoked.',
      };
    case 'may-not-read':
      return {
        result: 'may-not-read',
        message: 'Stripe accepts secretKey, but the key may not read Checkout sessions. Give it this right in Stripe.',
      };
    case 'unreachable':
      return {
        result: 'unreachable',
        message: `Stripe did not answer (${answer.why}), so nobody knows whether the key works. Try again.`,
      };
  }
}

/** The control page, on which a tester decides what happens to a payment. It works for every flow, with or without a pay page. */
import { currencyOf } from '@opencashier/core/money/currencies';
import { formatMoney } from '@opencashier/core/money/format';
import { toDecimalString } from '@opencashier/core/money/money';
import { networkOf } from '../coins/networks.ts';
import { type ControlAction, LATE_MS, possibleActions } from '../payments/control.ts';
import { factAt } from '../payments/lifecycle.ts';
import type { Fact, SandboxPayment } from '../payments/payment.ts';
import { type Html, html, nothing } from './html.ts';
import { methodTitle, page, type RefusedAmount } from './pay-page.ts';

interface ActionText {
  readonly name: string;
  readonly text: string;
}

const actionTexts: Readonly<Record<ControlAction, ActionText>> = {
  pay: { name: 'Pay exactly', text: 'The whole amount arrives now.' },
  'pay-less': { name: 'Pay less', text: 'A part of the amount arrives now.' },
  'pay-more': { name: 'Pay more', text: 'More than the amount arrives now.' },
  'pay-late': {
    name: 'Pay late',
    text: `The payment expires now, and the money arrives ${LATE_MS / 1_000} seconds later.`,
  },
  'pay-again': {
    name: 'Pay again',
    text: 'A further transfer to the same address arrives now, with a transaction of its own.',
  },
  seen: {
    name: 'Money seen',
    text: 'The payment is on its way, but not final. Coins: it is in no block yet. Peer-to-peer: the recipient has seen it.',
  },
  confirm: { name: 'Confirm blocks', text: 'Adds this number of blocks to the confirmations of the payment.' },
  decline: { name: 'Decline', text: 'The provider declines the payment. Nothing is charged.' },
  cancel: { name: 'Cancel', text: 'The provider cancels the payment.' },
  'auto-cancel': { name: 'Cancel automatically', text: 'The provider’s system cancels the payment.' },
  expire: { name: 'Expire', text: 'The time to pay runs out now.' },
  'never-answer': {
    name: 'Never answer',
    text: 'The provider sends no more callbacks, and does not answer status requests.',
  },
  'take-back': { name: 'Reverse', text: 'The payer’s bank reverses the payment (chargeback).' },
};

const states: Readonly<Record<Fact['outcome'], string>> = {
  pending: 'On its way',
  paid: 'Paid',
  declined: 'Declined',
  expired: 'Expired',
  cancelled: 'Cancelled',
  reversed: 'Reversed',
  returned: 'Won back',
};

/** A refused amount, with its action. */
type RefusedAction = RefusedAmount & { readonly action: ControlAction };

export function controlPage(payment: SandboxPayment, now: number, refused?: RefusedAction): string {
  const amount = formatMoney({ currency: payment.currency, minor: payment.amountMinor }, 'en');
  const fact = factAt(payment, now);
  const actions = possibleActions(payment, now);
  const network = payment.network === undefined ? undefined : networkOf(payment.network);
  const state = fact === undefined ? (payment.decision === 'silent' ? 'Silent' : 'Open') : states[fact.outcome];
  return page({
    title: `${methodTitle(payment.paymentMethod)}: ${amount}${refused === undefined ? '' : ' (check the amount)'}`,
    mainClass: 'pay',
    main: html`
<section class="card" aria-labelledby="payment">
<h1 id="payment">${methodTitle(payment.paymentMethod)}</h1>
<p class="amount">${amount}</p>
<dl>
<div><dt>Status</dt><dd data-state="${fact?.outcome ?? 'open'}">${state}</dd></div>
<div><dt>Flow</dt><dd>${payment.flow}</dd></div>
${network === undefined ? nothing : html`<div><dt>Blocks</dt><dd>${String(fact?.chain?.confirmations ?? 0)} of ${String(network.required)} on ${network.chain}</dd></div>`}
${Object.entries(payment.inputs ?? {}).map(([name, value]) => html`<div><dt>Payer’s ${name}</dt><dd>${value}</dd></div>`)}
<div><dt>Payment ID</dt><dd>${payment.depositId}</dd></div>
</dl>
</section>
<section class="choice" aria-labelledby="choice">
<h2 id="choice">${actions.length === 0 ? 'Nothing more can happen to this payment' : 'What should happen?'}</h2>
${actions.map((action, index) => actionForm(payment, action, index === 0 ? 'primary' : 'plain', refused))}
</section>`,
  });
}

function actionForm(payment: SandboxPayment, action: ControlAction, look: string, refused?: RefusedAction): Html {
  const { name, text } = actionTexts[action];
  return html`<form method="post" action="/sandbox/control/${payment.ref}">
<input type="hidden" name="token" value="${payment.formToken}"><input type="hidden" name="action" value="${action}">
<p class="small muted">${text}</p>${extraOf(payment, action, refused)}
<button class="${look}">${name}</button></form>`;
}

const amountLabels: Readonly<Partial<Record<ControlAction, string>>> = {
  'pay-more': 'Amount to pay instead',
  'pay-again': 'Amount of the further transfer',
  seen: 'Amount seen',
};

/** The amount that the field shows at first, as an example of the action. */
function exampleOf({ amountMinor, flow }: SandboxPayment, action: ControlAction): bigint | undefined {
  if (action === 'pay-less') return amountMinor / 2n;
  if (action === 'pay-more') return amountMinor * 2n;
  if (action === 'pay-again') return amountMinor;
  return action === 'seen' && flow === 'crypto' ? amountMinor : undefined;
}

function extraOf(payment: SandboxPayment, action: ControlAction, anyRefused: RefusedAction | undefined): Html {
  if (action === 'confirm') {
    return html`<label for="blocks">Blocks</label><input type="text" id="blocks" name="blocks" value="1" inputmode="numeric" maxlength="3" required>`;
  }
  const example = exampleOf(payment, action);
  if (example === undefined) return nothing;
  const refused = anyRefused?.action === action ? anyRefused : undefined;
  const id = action === 'pay-less' ? 'amount' : `amount-${action}`;
  const label = amountLabels[action] ?? 'Amount to pay';
  const { code, decimals } = currencyOf(payment.currency);
  const typed = refused?.typed ?? toDecimalString(example, decimals);
  const state = refused === undefined ? nothing : html` aria-invalid="true" aria-describedby="${id}-message" autofocus`;
  const message = refused === undefined ? nothing : html`<p class="message" id="${id}-message">${refused.message}</p>`;
  return html`<label for="${id}">${label}, in ${code}</label><input type="text" id="${id}" name="amount" value="${typed}" inputmode="decimal" autocomplete="off" maxlength="40" required${state}>${message}`;
}

/** The pages of the sandbox company: HTML without script, so that they work everywhere and nothing can be injected. */
import { currencyOf } from '@opencashier/core/money/currencies';
import { formatMoney } from '@opencashier/core/money/format';
import { toDecimalString } from '@opencashier/core/money/money';
import { type Html, html, nothing } from './html.ts';
import { pageStyles } from './page-styles.ts';
import type { Fact, SandboxPayment } from './payment.ts';
import { type Decision, scenarioNamed } from './scenarios.ts';

interface PageParts {
  readonly title: string;
  readonly mainClass: 'pay' | 'result-page';
  readonly main: Html;
}

export function page({ title, mainClass, main }: PageParts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ html: pageStyles }}</style>
</head>
<body>
<header class="sandbox">Sandbox: no real money</header>
<main class="${mainClass}">${main}</main>
<footer>Sandbox Pay stands in for the page of a bank or a card company. It asks for no card and moves no money.</footer>
</body>
</html>`.html;
}

const icon = (path: string, size = 32): Html =>
  html`<svg width="${String(size)}" height="${String(size)}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`;

const icons = {
  good: icon('M5 12.5l4.5 4.5L19 7.5'),
  bad: icon('M7 7l10 10M17 7L7 17'),
  wait: icon('M12 7v5.5l3.5 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18'),
  none: icon('M9.3 9.2a2.8 2.8 0 1 1 4 2.6c-.9.4-1.3 1-1.3 2M12 17.2v.1'),
  open: icon('M6 9.5l6 6 6-6', 20),
} as const;

/** A typed amount that was refused, with the reason, to be corrected. */
export interface RefusedAmount {
  readonly typed: string;
  readonly message: string;
}

/** The page on which a person decides. */
export function payPage(payment: SandboxPayment, merchantName: string, refused?: RefusedAmount): string {
  const amount = formatMoney({ currency: payment.currency, minor: payment.amountMinor }, 'en');
  const scenario = scenarioNamed(payment.scenario);
  const monogram = [...merchantName][0]?.toUpperCase() ?? '';
  return page({
    title: `Pay ${amount} to ${merchantName}${refused === undefined ? '' : ' (check the amount)'}`,
    mainClass: 'pay',
    main: html`
<section class="card" aria-labelledby="merchant">
<div class="merchant"><span class="monogram" aria-hidden="true">${monogram}</span><div><p class="small muted">Pay to</p><h1 id="merchant">${merchantName}</h1></div></div>
<p class="amount">${amount}</p>
<dl>
<div><dt>Currency</dt><dd>${payment.currency}</dd></div>
<div><dt>Method</dt><dd>${methodTitle(payment.paymentMethod)}</dd></div>
<div><dt>Order</dt><dd>${payment.depositId}</dd></div>
</dl>
</section>
<section class="choice" aria-labelledby="choice">
<h2 id="choice">How should this payment end?</h2>
${scenario.factsAfterPage === undefined ? nothing : html`<p class="note">${scenario.summary}</p>`}
${choice(payment, 'approve', 'primary', 'Approve', nothing)}
${choice(payment, 'decline', 'second', 'Decline', nothing)}
<details${refused === undefined ? nothing : html` open`}>
<summary>Other outcomes ${icons.open}</summary>
<div class="outcomes">
${choice(payment, 'approve-later', 'plain', 'Approve later', html`<p class="small muted">You go back at once; the money arrives 10 seconds later.</p>`)}
${payLess(payment, refused)}
${choice(payment, 'abandon', 'plain', 'Abandon', html`<p class="small muted">You walk away, and the merchant hears nothing more.</p>`)}
</div>
</details>
<a class="button plain" href="/sandbox/control/${payment.ref}">Everything that can happen</a>
</section>`,
  });
}

/** The sandbox knows methods by name only; `bank_transfer_in` reads better as `Bank transfer in`. */
export function methodTitle(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function choice(payment: SandboxPayment, decision: Decision, look: string, name: string, before: Html): Html {
  return html`<form method="post" action="/sandbox/pay/${payment.ref}/decision">${before}
<input type="hidden" name="token" value="${payment.formToken}"><input type="hidden" name="decision" value="${decision}">
<button class="${look}">${name}</button></form>`;
}

function payLess(payment: SandboxPayment, refused: RefusedAmount | undefined): Html {
  const { code, decimals } = currencyOf(payment.currency);
  const typed = refused?.typed ?? toDecimalString(payment.amountMinor / 2n, decimals);
  const field = refused === undefined ? nothing : html`<p class="message" id="pay-less-message">${refused.message}</p>`;
  const state =
    refused === undefined ? nothing : html` aria-invalid="true" aria-describedby="pay-less-message" autofocus`;
  return choice(
    payment,
    'pay-less',
    'plain',
    'Pay less',
    html`<label for="pay-less">Amount to pay, in ${code}</label>
<input type="text" id="pay-less" name="amount" value="${typed}" inputmode="decimal" autocomplete="off" maxlength="40" required${state}>${field}`,
  );
}

interface ResultText {
  readonly mark: 'good' | 'bad' | 'wait' | 'none';
  readonly title: string;
  readonly text: string;
}

const outcomes: Readonly<Record<Fact['outcome'], ResultText>> = {
  pending: { mark: 'wait', title: 'Payment on its way', text: 'The money arrives in a few seconds. Do not pay again.' },
  paid: { mark: 'good', title: 'Payment approved', text: 'The merchant is being told.' },
  declined: { mark: 'bad', title: 'Payment declined', text: 'Nothing was taken.' },
  expired: { mark: 'bad', title: 'Payment expired', text: 'It was not paid in time. Nothing was taken.' },
  cancelled: { mark: 'bad', title: 'Payment cancelled', text: 'The merchant cancelled it. Nothing was taken.' },
  reversed: { mark: 'bad', title: 'Payment reversed', text: 'The money went back to the payer.' },
};

const silent: ResultText = {
  mark: 'wait',
  title: 'Nothing to decide here',
  text: 'This payment goes its way without this page.',
};

const abandoned: ResultText = {
  mark: 'none',
  title: 'You walked away',
  text: 'Nothing was paid, and the merchant hears nothing more. You can close this window.',
};

/**
 * The page of a payment that is no longer open.
 * @param returnTo the checked address of the merchant's page, where there is one
 */
export function resultPage(
  payment: SandboxPayment,
  fact: Fact | undefined,
  merchantName: string,
  returnTo: string | undefined,
): string {
  const result = fact === undefined ? (payment.decision === 'abandon' ? abandoned : silent) : outcomes[fact.outcome];
  const amount = formatMoney({ currency: payment.currency, minor: fact?.paidMinor ?? payment.amountMinor }, 'en');
  const isPartial = fact?.paidMinor !== undefined && fact.paidMinor !== payment.amountMinor;
  const asked = formatMoney({ currency: payment.currency, minor: payment.amountMinor }, 'en');
  return page({
    title: `${result.title}: ${amount} to ${merchantName}`,
    mainClass: 'result-page',
    main: html`
<section class="card result">
<span class="mark ${result.mark}">${icons[result.mark]}</span>
<h1>${result.title}</h1>
<p class="amount">${amount}</p>
${isPartial ? html`<p class="muted">of ${asked}</p>` : nothing}
<p class="muted">${result.text}</p>
</section>
${returnTo === undefined ? nothing : html`<a class="button primary" href="${returnTo}" rel="noopener">Return to ${merchantName}</a>`}`,
  });
}

/** A page for what went wrong on the way to a payment. */
export function troublePage(title: string, text: string): string {
  return page({
    title,
    mainClass: 'result-page',
    main: html`<section class="card result"><span class="mark none">${icons.none}</span><h1>${title}</h1><p class="muted">${text}</p></section>`,
  });
}

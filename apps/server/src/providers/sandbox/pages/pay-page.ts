/** The pages of the sandbox company. They have no script, so they work everywhere and injected script cannot run. */
import { currencyOf } from '@opencashier/core/money/currencies';
import { formatMoney } from '@opencashier/core/money/format';
import { toDecimalString } from '@opencashier/core/money/money';
import { payPath } from '../payments/pay-path.ts';
import type { Fact, SandboxPayment } from '../payments/payment.ts';
import { type Decision, scenarioNamed } from '../payments/scenarios.ts';
import { type SandboxText, type SandboxTexts, textsOf } from '../words/texts.ts';
import { type Html, html, nothing } from './html.ts';
import { pageStyles } from './page-styles.ts';

interface PageParts {
  readonly title: string;
  readonly mainClass: 'pay' | 'result-page';
  readonly main: Html;
  /** Absent: English, for testers. */
  readonly texts?: SandboxTexts;
}

export function page({ title, mainClass, main, texts = textsOf('en') }: PageParts): string {
  return html`<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ html: pageStyles }}</style>
</head>
<body>
<header class="sandbox">${texts.say('page.banner')}</header>
<main class="${mainClass}">${main}</main>
<footer>${texts.say('page.footer')}</footer>
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

/** A typed amount that was refused, with the reason. */
export interface RefusedAmount {
  readonly typed: string;
  readonly message: string;
}

/** A payment on a page, with the texts in the payer's language. */
export interface ShownPayment {
  readonly payment: SandboxPayment;
  readonly merchantName: string;
  readonly texts: SandboxTexts;
}

/** The page on which a person decides about the payment. */
export function payPage({ payment, merchantName, texts }: ShownPayment, refused?: RefusedAmount): string {
  const { say } = texts;
  const amount = formatMoney({ currency: payment.currency, minor: payment.amountMinor }, texts.language);
  const scenario = scenarioNamed(payment.scenario);
  const monogram = [...merchantName][0]?.toUpperCase() ?? '';
  return page({
    title: `${say('page.title', { amount, merchant: merchantName })}${refused === undefined ? '' : ` (${say('page.checkAmount')})`}`,
    texts,
    mainClass: 'pay',
    main: html`
<section class="card" aria-labelledby="merchant">
<div class="merchant"><span class="monogram" aria-hidden="true">${monogram}</span><div><p class="small muted">${say('page.payTo')}</p><h1 id="merchant"><bdi>${merchantName}</bdi></h1></div></div>
<p class="amount">${amount}</p>
<dl>
<div><dt>${say('page.currency')}</dt><dd>${payment.currency}</dd></div>
<div><dt>${say('page.order')}</dt><dd>${payment.depositId}</dd></div>
</dl>
</section>
<section class="choice" aria-labelledby="choice">
<h2 id="choice">${say('page.question')}</h2>
${scenario.note === undefined ? nothing : html`<p class="note">${say(scenario.note)}</p>`}
${choice(payment, texts, 'approve', 'primary', 'page.approve', nothing)}
${choice(payment, texts, 'decline', 'second', 'page.decline', nothing)}
<details${refused === undefined ? nothing : html` open`}>
<summary>${say('page.others')} ${icons.open}</summary>
<div class="outcomes">
${choice(payment, texts, 'approve-later', 'plain', 'page.later', html`<p class="small muted">${say('page.later.text')}</p>`)}
${payLess(payment, texts, refused)}
${choice(payment, texts, 'abandon', 'plain', 'page.abandon', html`<p class="small muted">${say('page.abandon.text')}</p>`)}
</div>
</details>
<a class="button plain" href="/sandbox/control/${payment.ref}">${say('page.control')}</a>
</section>`,
  });
}

/** A readable name of a method. The sandbox knows only names such as `bank_transfer_in`. */
export function methodTitle(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function choice(
  payment: SandboxPayment,
  texts: SandboxTexts,
  decision: Decision,
  look: string,
  name: SandboxText,
  before: Html,
): Html {
  const [path, query] = payPath(payment, texts).split('?');
  const action = `${path}/decision${query === undefined ? '' : `?${query}`}`;
  return html`<form method="post" action="${action}">${before}
<input type="hidden" name="token" value="${payment.formToken}"><input type="hidden" name="decision" value="${decision}">
<button class="${look}">${texts.say(name)}</button></form>`;
}

function payLess(payment: SandboxPayment, texts: SandboxTexts, refused: RefusedAmount | undefined): Html {
  const { code, decimals } = currencyOf(payment.currency);
  const typed = refused?.typed ?? toDecimalString(payment.amountMinor / 2n, decimals);
  const field = refused === undefined ? nothing : html`<p class="message" id="pay-less-message">${refused.message}</p>`;
  const state =
    refused === undefined ? nothing : html` aria-invalid="true" aria-describedby="pay-less-message" autofocus`;
  return choice(
    payment,
    texts,
    'pay-less',
    'plain',
    'page.less',
    html`<label for="pay-less">${texts.say('page.less.amount', { currency: code })}</label>
<input type="text" id="pay-less" name="amount" value="${typed}" inputmode="decimal" autocomplete="off" maxlength="40" required${state}>${field}`,
  );
}

type Result = 'abandoned' | 'cancelled' | 'declined' | 'expired' | 'paid' | 'pending' | 'reversed' | 'silent';

/** For the payer, money that the company won back is paid. */
function resultOf({ decision }: SandboxPayment, fact: Fact | undefined): Result {
  if (fact === undefined) return decision === 'abandon' ? 'abandoned' : 'silent';
  return fact.outcome === 'returned' ? 'paid' : fact.outcome;
}

const marks: Readonly<Record<Result, 'good' | 'bad' | 'wait' | 'none'>> = {
  abandoned: 'none',
  cancelled: 'bad',
  declined: 'bad',
  expired: 'bad',
  paid: 'good',
  pending: 'wait',
  reversed: 'bad',
  silent: 'wait',
};

/** The page of a payment that was decided. @param returnTo the checked return address */
export function resultPage(
  { payment, merchantName, texts }: ShownPayment,
  fact: Fact | undefined,
  returnTo: string | undefined,
): string {
  const { say, language } = texts;
  const result = resultOf(payment, fact);
  const amount = formatMoney({ currency: payment.currency, minor: fact?.paidMinor ?? payment.amountMinor }, language);
  const isPartial = fact?.paidMinor !== undefined && fact.paidMinor !== payment.amountMinor;
  const asked = formatMoney({ currency: payment.currency, minor: payment.amountMinor }, language);
  const title = say(`result.${result}`);
  return page({
    title: `${title}: ${amount}`,
    mainClass: 'result-page',
    texts,
    main: html`
<section class="card result">
<span class="mark ${marks[result]}">${icons[marks[result]]}</span>
<h1>${title}</h1>
<p class="amount">${amount}</p>
${isPartial ? html`<p class="muted">${say('result.partOf', { amount: asked })}</p>` : nothing}
<p class="muted">${say(`result.${result}.text`)}</p>
</section>
${returnTo === undefined ? nothing : html`<a class="button primary" href="${returnTo}" rel="noopener">${say('page.return', { merchant: merchantName })}</a>`}`,
  });
}

export type Trouble = 'fault' | 'unreadable' | 'foreign' | 'nothingChosen' | 'missing';

/** A page about an error, such as an unknown payment. @param texts absent: English, for testers */
export function troublePage(trouble: Trouble, texts = textsOf('en')): string {
  const title = texts.say(`trouble.${trouble}`);
  // All errors of a form have the same advice: go back and choose again.
  const text = trouble === 'fault' || trouble === 'missing' ? trouble : 'unreadable';
  return page({
    title,
    mainClass: 'result-page',
    texts,
    main: html`<section class="card result"><span class="mark none">${icons.none}</span><h1>${title}</h1><p class="muted">${texts.say(`trouble.${text}.text`)}</p></section>`,
  });
}

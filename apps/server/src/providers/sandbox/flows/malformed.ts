/** Answers of a broken or hostile company. Tests use them to prove that the widget shows, opens and runs nothing of it. */
import type { DepositData } from '@opencashier/contract/api';
import type { Malformation } from '../payments/scenarios.ts';
import type { FlowAnswer } from './flow.ts';

/** A reserved name that never resolves (RFC 2606). */
const DEAD_LINK = 'https://nowhere.invalid/pay';
const SCRIPT_LINK = 'javascript:alert(document.domain)';
const HTML = '<img src=x onerror=alert(1)><b>bold</b>';

/** The members that machines read. All other texts are for people and get HTML. */
const notForPeople = new Set(
  'source buttonPay qrCodeText qrDataURL created type buttons depositAddress minDepositValue amount fee iconIds country_code payment_amount payment_currency passedAmount passedCurrency processingAmount processingCurrency network'.split(
    ' ',
  ),
);

/** The answer with a fault. */
export function malform(answer: FlowAnswer, how: Malformation): FlowAnswer {
  const { data, ...rest } = answer;
  switch (how) {
    case 'missing-card': {
      const { card: _card, ...others } = data ?? {};
      return { ...rest, data: others };
    }
    case 'no-timing': {
      const { created: _created, lifetime: _lifetime, timeout_minutes: _minutes, ...others } = data ?? {};
      return { ...rest, data: others };
    }
    case 'null-data':
      return { ...rest, data: null };
    case 'dead-link':
      return linked(answer, DEAD_LINK);
    case 'script-link':
      return linked(answer, SCRIPT_LINK);
    case 'html-in-texts':
      return { ...rest, ...(data != null && { data: withHtml(data) as DepositData }) };
  }
}

/** The answer with every link replaced. */
function linked({ source, data, ...rest }: FlowAnswer, link: string): FlowAnswer {
  const details = data?.details?.map((detail) =>
    detail.type === 'link' || detail.type === 'agent' ? { ...detail, value: link } : detail,
  );
  return {
    ...rest,
    ...(source !== undefined && { source: typeof source === 'string' ? link : { ...source, action: link } }),
    ...(data != null && { data: { ...data, buttonPay: link, ...(details !== undefined && { details }) } }),
  };
}

function withHtml(value: unknown, key = ''): unknown {
  if (notForPeople.has(key)) return value;
  if (typeof value === 'string') return `${value} ${HTML}`;
  if (Array.isArray(value)) return value.map((one) => withHtml(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withHtml(inner, name)]));
}

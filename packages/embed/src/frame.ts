/** The iframe: its address and what it may do. */
import { addressFacts, type FactSource } from './address-facts.ts';

export interface FrameOptions extends FactSource {
  /** Where the cashier lives, such as `https://pay.example.com`. Another origin than the page's own. */
  cashierUrl: string;
  /** The operator's public name at the cashier; no key. */
  partner: string;
  /** First part of the path; default `cashier`. */
  product?: string | undefined;
  /** The screen to begin with; default `/deposit`. */
  path?: string | undefined;
  /** Inline only: let the frame be as high as its screen. */
  autoHeight?: boolean | undefined;
  /** What a screen reader calls the frame; default `Cashier`. */
  title?: string | undefined;
}

/**
 * The widget's address. It holds nothing secret: addresses end up in logs and histories. The server needs the partner for
 * `frame-ancestors` and the allowed origins, and the facts for the first list.
 *
 * @throws TypeError when `cashierUrl` is not an http(s) address or `partner` is missing
 */
export function cashierAddress(options: FrameOptions): URL {
  const { cashierUrl, partner, product = 'cashier', path = '/deposit', autoHeight } = options;
  const base = new URL(cashierUrl);
  if (!/^https?:$/.test(base.protocol)) throw new TypeError('cashierUrl must be an http(s) address');
  if (!partner) throw new TypeError('partner is required');
  const address = new URL(`${base.origin}${base.pathname.replace(/\/$/, '')}/${product}${path}`);
  for (const [name, value] of Object.entries({ partner, autoHeight, ...addressFacts(options) })) {
    if (value) address.searchParams.set(name, `${value}`);
  }
  return address;
}

/**
 * An iframe that is not yet in the document.
 *
 * @param more further parameters of the address, each after `&`
 */
export function createFrame(options: FrameOptions, more = ''): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = options.title ?? 'Cashier';
  // Scripts and storage of its own origin, forms and payment windows that are free of this sandbox (a bank's page must
  // work). No top navigation: the cashier can never take the person away from the operator's page.
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
  );
  frame.setAttribute('allow', 'clipboard-write; camera');
  // The widget needs the page's origin to greet it, and nothing more of its address.
  frame.referrerPolicy = 'strict-origin';
  frame.style.cssText = 'display:block;width:100%;height:100%;border:0';
  // Equal colour schemes keep the frame transparent while it loads: no white flash on a dark page.
  frame.style.colorScheme = colorScheme(options);
  frame.src = cashierAddress(options).href + more;
  return frame;
}

/** The colour scheme of what is around the widget's page. */
export function colorScheme(options: FactSource): string {
  const { theme } = addressFacts(options);
  return theme && theme !== 'auto' ? theme : 'light dark';
}

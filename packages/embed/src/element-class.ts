/**
 * `<open-cashier cashier-url="…" partner="…" mode="modal">`: the SDK as an element, for pages without a framework.
 * Attributes: cashier-url, partner, mode, product, path, locale, theme, auto-height. Properties: `payload`, `getToken`.
 * Events: `cashier-<name>` with the detail of the SDK's event.
 */
import type { Cashier } from './cashier.ts';
import type { CashierCallbacks, CashierEventName } from './events.ts';
import type { CashierOptions } from './options.ts';

/** The caller passes these functions. So this file can be loaded by itself, and never brings a second SDK. */
export interface ElementParts {
  readonly createCashier: (options: CashierOptions) => Cashier;
  readonly callbackEvents: Readonly<Record<keyof CashierCallbacks, CashierEventName>>;
}

let parts: ElementParts | undefined;

const addressAttributes = ['cashier-url', 'partner', 'product', 'path', 'locale', 'theme', 'auto-height'];

/** A server that draws pages imports this file, too, and has no elements. */
const Base = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

export class OpenCashierElement extends Base {
  static observedAttributes = addressAttributes;

  /** May be set before the SDK is loaded, or by a script that runs after it: until then every `Loaded` ends in `token-failed`. */
  declare getToken: NonNullable<CashierOptions['getToken']>;
  #payload: CashierOptions['payload'];
  #cashier: Cashier | undefined;

  get payload(): CashierOptions['payload'] {
    return this.#payload;
  }

  set payload(payload: CashierOptions['payload']) {
    this.#payload = payload;
    this.#cashier?.update({ payload: payload ?? {} });
  }

  /** The handle below, once the element is in the page. */
  get cashier(): Cashier | undefined {
    return this.#cashier;
  }

  open(): void {
    this.#cashier?.open();
  }

  preload(): void {
    this.#cashier?.preload();
  }

  close(): void {
    this.#cashier?.close();
  }

  connectedCallback(): void {
    // A framework sets properties right after it has put the element into the page.
    queueMicrotask(() => {
      if (!this.isConnected || this.#cashier || !parts) return;
      // A page may have set it before this class was there; it must not hide the setter.
      const { payload } = this;
      Reflect.deleteProperty(this, 'payload');
      this.#payload = payload;
      this.style.display ||= 'block';
      this.#cashier = parts.createCashier({
        ...this.#fromAttributes(),
        mode: this.getAttribute('mode') === 'modal' ? 'modal' : 'inline',
        container: this,
        payload,
        getToken: () => this.getToken(),
      });
      for (const name of Object.values(parts.callbackEvents)) {
        this.#cashier.on(name, (detail) => this.dispatchEvent(new CustomEvent(`cashier-${name}`, { detail })));
      }
    });
  }

  disconnectedCallback(): void {
    this.#cashier?.destroy();
    this.#cashier = undefined;
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (before !== after) this.#cashier?.update(this.#fromAttributes());
  }

  #fromAttributes() {
    const text = (name: string) => this.getAttribute(name) ?? undefined;
    return {
      cashierUrl: text('cashier-url') ?? '',
      partner: text('partner') ?? '',
      product: text('product'),
      path: text('path'),
      locale: text('locale'),
      theme: text('theme') as CashierOptions['theme'],
      autoHeight: this.hasAttribute('auto-height'),
    };
  }
}

/** Registers `<open-cashier>`; a second call does nothing. */
export function registerElement(given: ElementParts): void {
  parts ??= given;
  if (!customElements.get('open-cashier')) customElements.define('open-cashier', OpenCashierElement);
}

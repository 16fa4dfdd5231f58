/** The window in which a provider shows its own page (DEP-2, DEP-3). */
import type { Redirect } from '@opencashier/core/deposit/next-step';

export interface PaymentWindow {
  /** Shows the provider's page in it. */
  navigate(target: Pick<Redirect, 'href' | 'method' | 'fields'>): void;
  close(): void;
  /** Only a hint to ask for the status. A closed window says nothing about the payment. */
  isClosed(): boolean;
}

/** The size of a phone, in the middle of the screen. Phones and apps open a tab instead. */
const size = { width: 480, height: 760 };

let lastNumber = 0;

/**
 * Opens an empty window. Must be called within the tap, because a browser blocks it later. Answers undefined when it was blocked;
 * the caller then shows a link.
 *
 * @param waiting the text in the window until the provider's page comes
 */
export function openPaymentWindow(waiting: string): PaymentWindow | undefined {
  lastNumber += 1;
  const name = `cashier-payment-${lastNumber}`;
  const left = Math.max(0, window.screenX + (window.outerWidth - size.width) / 2);
  const top = Math.max(0, window.screenY + (window.outerHeight - size.height) / 2);
  const opened = window.open('', name, `popup,width=${size.width},height=${size.height},left=${left},top=${top}`);
  if (!opened) return undefined;
  // A provider's page must not be able to reach this one.
  opened.opener = null;
  opened.document.title = waiting;
  const text = opened.document.createElement('p');
  text.textContent = waiting;
  opened.document.body?.append(text);
  return {
    navigate(target) {
      if (target.method === 'POST') submitForm(target, name);
      else opened.location.replace(target.href);
    },
    close: () => opened.close(),
    isClosed: () => opened.closed,
  };
}

/** Posts hidden inputs to an address (§3, form-submit helper). */
export function submitForm({ href, fields }: Pick<Redirect, 'href' | 'fields'>, target: string): void {
  const form = document.createElement('form');
  form.method = 'POST';
  form.action = href;
  form.target = target;
  form.hidden = true;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  // Calls the method of the prototype, because a field of the provider may be called `submit`.
  HTMLFormElement.prototype.submit.call(form);
  form.remove();
}

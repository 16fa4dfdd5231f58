/** What is typed into the server's drawing of a form, before React is there to read it. */

type TextControl = HTMLInputElement | HTMLTextAreaElement;

function isTextControl(target: unknown): target is TextControl {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox';
}

/**
 * Keeps the typed texts of a root that React is about to take over.
 *
 * @returns types them again, for React. Call it when React has taken over
 */
export function keepTyping(root: HTMLElement): () => void {
  const typed = new Map<TextControl, string>();
  const note = ({ target }: Event): void => {
    if (isTextControl(target)) typed.set(target, target.value);
  };
  for (const control of root.querySelectorAll<TextControl>('input, textarea')) {
    if (isTextControl(control) && control.value !== control.defaultValue) typed.set(control, control.value);
  }
  root.addEventListener('input', note, true);
  return () => {
    root.removeEventListener('input', note, true);
    for (const [control, text] of typed) {
      if (control.isConnected) typeAgain(control, text);
    }
  };
}

function typeAgain(control: TextControl, text: string): void {
  const prototype = control instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  // React hears of a text only if the control held another one before, as far as React knows.
  control.value = '';
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, text);
  control.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * What a person types and presses on the server's drawing of a form, before React is there. The script of index.html notes it in
 * order; here it is done again for React, once.
 */
import { flushSync } from 'react-dom';

type TextControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** One step, as the script of index.html notes it. */
export type EarlyAction =
  | { readonly control: HTMLElement; readonly text?: undefined }
  /** The text that a field or a choice held afterwards. */
  | { readonly control: TextControl; readonly text: string };

declare global {
  interface Window {
    earlyActions?: EarlyAction[];
  }
}

const textControls = 'input, textarea, select';
const headerButtons = 'header button';

/**
 * Keeps the actions on a form that React is about to take over, or to draw again.
 *
 * @returns does them again. Call it when the form answers, and the script of the page keeps nothing any more. It answers what the tile opens
 * that was pressed last, if React has drawn the page again: the new page may not have the tile yet
 */
export function keepActions(root: HTMLElement): () => string | undefined {
  const textsOf = () => [...root.querySelectorAll<TextControl>(textControls)];
  const buttonsOf = () => [...root.querySelectorAll<HTMLElement>(headerButtons)];
  const [texts, buttons] = [textsOf(), buttonsOf()];
  return () => {
    let opens: string | undefined;
    for (const { control, text } of window.earlyActions?.splice(0) ?? []) {
      // If React has drawn the form again, the control in its place. No other press is safe to do in another form.
      const isSame = control.isConnected;
      opens = isSame ? undefined : control.dataset['opens'];
      if (text === undefined) {
        const press = isSame ? control : buttonsOf()[buttons.indexOf(control)];
        flushSync(() => press?.click());
      } else {
        const field = isSame ? control : textsOf()[texts.indexOf(control)];
        if (!isSame) field?.focus({ preventScroll: true });
        if (field) typeAgain(field, text);
      }
    }
    return opens;
  };
}

function typeAgain(control: TextControl, text: string): void {
  if (control instanceof HTMLSelectElement) {
    control.value = text;
    flushSync(() => control.dispatchEvent(new Event('change', { bubbles: true })));
    return;
  }
  // The whole text at once, as if it were pasted. Key by key, the comma of `1,500` would begin decimals (AMT-2).
  enter(control, '');
  if (text !== '') enter(control, text);
}

/** Puts a text into a control as the browser does it. React hears of it only if it believes that the control holds another. */
function enter(control: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const prototype = control instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  control.value = text === '' ? ' ' : '';
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, text);
  flushSync(() => control.dispatchEvent(new Event('input', { bubbles: true })));
}

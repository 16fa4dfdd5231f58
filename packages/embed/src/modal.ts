/** A native dialog around the frame: a bottom sheet on phones, a centred panel from 768 px. */
import { colorScheme, type FrameOptions } from './frame.ts';

export interface Modal {
  readonly element: HTMLDialogElement;
  /** Puts the dialog with the frame into the page without opening it. */
  hold(frame: HTMLIFrameElement): void;
  /** Opens the dialog with the frame that it holds. */
  show(): void;
  /** Shows our own close button while the widget cannot show its own: a person can always leave. */
  showExit(): void;
  /** Leaves closing to the widget, which gets the focus. */
  hideExit(frame: HTMLIFrameElement): void;
  hide(): void;
}

const styles = `.open-cashier{box-sizing:border-box;position:fixed;inset:auto 0 0;width:100%;max-width:100%;height:94dvh;max-height:none;margin:0;padding:0;border:0;border-radius:20px 20px 0 0;overflow:hidden;background:var(--open-cashier-background,light-dark(#f4f6f8,#0d1117))}.open-cashier::backdrop{background:#0009}.open-cashier button{position:absolute;inset-block-start:8px;inset-inline-end:8px;width:44px;height:44px;border:0;border-radius:50%;background:none;color:light-dark(#566273,#9aa7b6);font:20px system-ui;cursor:pointer}html:has(.open-cashier[open]){overflow:hidden}@media(width>=768px){.open-cashier{inset:0;margin:auto;width:440px;height:min(800px,92vh);border-radius:24px}}@media(prefers-reduced-motion:no-preference){.open-cashier[open]{animation:open-cashier .2s ease-out}}@keyframes open-cashier{from{translate:0 24px;opacity:0}}`;

let isStyled = false;

/** A constructed style sheet is allowed where the page's content policy forbids inline styles. */
function addStyles(): void {
  if (isStyled) return;
  isStyled = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}

/**
 * @param onAsk the person pressed Esc: the widget decides first (HOST-4)
 * @param onGone the person left by our own button, or pressed Esc again, which a browser never lets a page refuse
 */
export function createModal(
  options: FrameOptions & { closeLabel?: string | undefined },
  onAsk: () => void,
  onGone: () => void,
): Modal {
  const dialog = document.createElement('dialog');
  dialog.className = 'open-cashier';
  dialog.setAttribute('aria-label', options.title ?? 'Cashier');
  dialog.style.colorScheme = colorScheme(options);
  const exit = document.createElement('button');
  exit.textContent = '✕';
  exit.setAttribute('aria-label', options.closeLabel ?? 'Close');
  exit.onclick = onGone;
  dialog.append(exit);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    onAsk();
  });
  // The event comes late: by then the dialog may have been shown again.
  dialog.addEventListener('close', () => dialog.open || onGone());
  return {
    element: dialog,
    hold(frame) {
      addStyles();
      // The button comes last, so that it lies above the frame without a stacking order of its own.
      dialog.prepend(frame);
      document.body.append(dialog);
    },
    show() {
      exit.hidden = false;
      dialog.showModal();
    },
    showExit() {
      exit.hidden = false;
    },
    hideExit(frame) {
      exit.hidden = true;
      frame.focus();
    },
    hide() {
      // Closing gives the focus back to where it was; only then may the dialog leave the page.
      dialog.close();
      dialog.remove();
    },
  };
}

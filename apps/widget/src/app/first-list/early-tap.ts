/**
 * A tap on the server's drawing, before the code is there. The script of index.html has kept the tap and shows it as pressed; here
 * it is carried out, once.
 */
import type { Clock } from '@opencashier/core/time/clock';

/** The root has it while taps are kept. */
const keepsTaps = 'data-drawn';
/** What was tapped last. */
const pressed = 'data-pressed';
/** How long a list that is drawn again may take to show what was tapped. */
const redrawnWithinMs = 20_000;

/** What the last kept tap opens, by its control's `data-opens`. The tap stays kept. */
export function tapKeptSoFar(root: HTMLElement): string | undefined {
  return root.querySelector<HTMLElement>(`[${pressed}]`)?.dataset['opens'];
}

/** No more taps are kept: the page answers them itself. Answers what was tapped last. */
function endKeeping(root: HTMLElement): HTMLElement | undefined {
  root.removeAttribute(keepsTaps);
  const control = root.querySelector<HTMLElement>(`[${pressed}]`) ?? undefined;
  control?.removeAttribute(pressed);
  control?.removeAttribute('aria-busy');
  return control;
}

/**
 * Carries out the kept tap. Call it when the screen answers taps.
 *
 * @param isContinued whether the page is still the server's drawing; else the tapped control is looked for in the new one
 * @param before what was tapped before the page was drawn again
 */
export function carryOutTap(root: HTMLElement, isContinued: boolean, clock: Clock, before?: string): void {
  const control = endKeeping(root);
  if (isContinued && control?.isConnected === true) {
    control.click();
    return;
  }
  const opens = control?.dataset['opens'] ?? before;
  if (opens === undefined) return;
  const find = () =>
    [...root.querySelectorAll<HTMLElement>('[data-opens]')].find((other) => other.dataset['opens'] === opens);
  const look = (): void => {
    const found = find();
    if (found === undefined || found === control) return;
    stop();
    found.click();
  };
  const observer = new MutationObserver(look);
  const cancelTimer = clock.setTimer(() => stop(), redrawnWithinMs);
  // What the user does next counts, and not the earlier tap.
  const stopByUser = (event: Event): void => {
    if (event.isTrusted) stop();
  };
  const stop = (): void => {
    observer.disconnect();
    cancelTimer();
    for (const name of ['pointerdown', 'keydown']) removeEventListener(name, stopByUser, true);
  };
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, stopByUser, true);
  observer.observe(root, { childList: true, subtree: true });
  look();
}

/** The start has failed: the page that says so answers its own taps. */
export function dropTap(root: HTMLElement): void {
  endKeeping(root);
}

/**
 * A tap on the server's drawing, before the code is there. For a tile with a drawn page the script of index.html has shown that
 * page (`early-actions.ts`). Any other tap it has kept, and shows it as pressed; here it is carried out, once.
 */
import type { Clock } from '@opencashier/core/time/clock';

/** The root has it while taps are kept. */
const keepsTaps = 'data-drawn';
/** What was tapped last. */
const pressed = 'data-pressed';
/** What the tile opens whose drawn page is in the root. */
const shown = 'data-shown';
/** How long a list that is drawn again may take to show what was tapped. */
const redrawnWithinMs = 20_000;

/** What the tapped tile opens, by its `data-opens`. The tap stays kept. */
export function tapKeptSoFar(root: HTMLElement): string | undefined {
  return root.getAttribute(shown) ?? root.querySelector<HTMLElement>(`[${pressed}]`)?.dataset['opens'];
}

/** What the last tap asks for in a page that is drawn again. On the page of a tile, a tap on Back or Close asks for no tile. */
export function tapForNewPage(root: HTMLElement): string | undefined {
  const control = root.querySelector<HTMLElement>(`[${pressed}]`);
  return control === null ? tapKeptSoFar(root) : control.dataset['opens'];
}

/** Shows the drawing that has waited for the host's look. */
export function reveal(root: HTMLElement): void {
  root.removeAttribute('data-waits');
}

/** From now on React draws, so the script shows no more pages of tiles. Answers whether it has shown one. */
export function endTilePages(root: HTMLElement): boolean {
  for (const page of root.ownerDocument.querySelectorAll('template[data-opens]')) page.remove();
  return root.hasAttribute(shown);
}

/** No more taps are kept: the page answers them itself. Answers what was tapped last. */
function endKeeping(root: HTMLElement): HTMLElement | undefined {
  root.removeAttribute(keepsTaps);
  root.removeAttribute(shown);
  reveal(root);
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

/** What is on the screen answers its own taps, and a kept one is not carried out. */
export function dropTap(root: HTMLElement): void {
  endKeeping(root);
}

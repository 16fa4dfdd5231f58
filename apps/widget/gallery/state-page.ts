/** The page of one state: presses, typing, and waits until it no longer changes. */
import skeleton from '../src/ui/page/skeleton.module.css';
import type { GalleryState, StatePage } from './state.ts';

/** React delays parts that are loaded late, so a wait takes up to this many frames. */
const longestFrames = 120;

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** @param advance advances the clock of the widget, in ms */
export function pageWith(advance: (ms: number) => Promise<void>): StatePage {
  const pass = async (ms: number) => {
    await advance(ms);
    // In these turns React draws, effects run, and their calls are answered.
    for (let turn = 0; turn < 4; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      await advance(0);
    }
  };
  return {
    pass,
    async see(selector) {
      for (let frame = 0; frame < longestFrames && document.querySelector(selector) === null; frame += 1)
        await nextFrame();
      find(selector);
    },
    async press(selector) {
      find(selector).click();
      await pass(0);
    },
    async type(selector, text) {
      const element = find(selector);
      const kind = element instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
      // React watches the property of the element. The setter of the prototype changes the value as a keyboard does.
      Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(element, text);
      element.dispatchEvent(new Event(kind === HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
      await pass(0);
    },
  };
}

function find(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`The state has no ${selector}.`);
  return element;
}

/**
 * Waits until a state shows a skeleton if it is about waiting, and none if it is not. How many frames React and the fixtures
 * take depends on the machine. @returns whether it does within the limit
 */
export async function untilAsMeant({ isWaiting }: GalleryState): Promise<boolean> {
  const isAsMeant = () => (document.querySelector(`.${skeleton['skeleton']}`) !== null) === (isWaiting === true);
  for (let frame = 0; frame < longestFrames && !isAsMeant(); frame += 1) await nextFrame();
  return isAsMeant();
}

/** Waits until every image and font is loaded or has failed, and for two frames more. */
export async function untilStill(): Promise<void> {
  // A lazy image outside the window would never be loaded.
  for (const image of document.images) image.loading = 'eager';
  await Promise.all(
    [...document.images].map(
      (image) =>
        image.complete ||
        new Promise((resolve) => {
          image.addEventListener('load', resolve, { once: true });
          image.addEventListener('error', resolve, { once: true });
        }),
    ),
  );
  await document.fonts.ready;
  for (let frame = 0; frame < 2; frame += 1) await nextFrame();
}

/** UI-3, automatic part: the findings of axe in the cashier's frame. The rest of a host's page is not ours. */
import { expect, type Frame, type FrameLocator } from '@playwright/test';
import axe from 'axe-core';

/** A theme is only an attribute, so the page need not be opened again for the other theme. */
export const bothThemes = ['light', 'dark'] as const;

export type Theme = (typeof bothThemes)[number];

/** Best practices of axe beyond the criteria: one heading of the first level, no level left out, nothing outside a landmark. */
const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules of axe about colours. A theme changes only colours (apps/widget/src/app/look/theme-colours.test.ts). */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Fails with the rule and the place of each violation. Axe runs inside the frame: over the whole page it would open a blank page to
 * join the results of the frames, which costs more than the check itself.
 *
 * @param themes the themes to check; absent: the current theme. Names, roles, places and sizes are the same in each theme, so the
 * first theme is checked by every rule, and the others only by the rules about colours.
 */
export async function expectNoViolation(
  place: FrameLocator | Frame,
  where: string,
  themes: readonly (Theme | '')[] = [''],
): Promise<void> {
  // A soft assertion, so that one run shows all violations.
  expect.soft(await findViolations(place, themes), where).toEqual([]);
}

/** The violations as text, the theme first. */
export async function findViolations(
  place: FrameLocator | Frame,
  themes: readonly (Theme | '')[] = [''],
): Promise<string[]> {
  const frame = 'evaluate' in place ? place : await frameOf(place);
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  return frame.evaluate(
    async ({ every, colours, looks }) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const canvas = CanvasRenderingContext2D.prototype;
      const { fillText, measureText } = canvas;
      // axe skips a text that is narrower than its single letters, since it may be an icon of a font. The joined letters of Arabic
      // look the same to it. axe measures the text on a canvas, so here every text measures the same.
      canvas.fillText = function (this: CanvasRenderingContext2D) {
        this.fillRect(0, 0, this.canvas.width, this.canvas.height);
      };
      canvas.measureText = () => ({ width: 30 }) as TextMetrics;
      const lines: string[] = [];
      for (const [index, look] of looks.entries()) {
        if (look !== '') document.documentElement.dataset['theme'] = look;
        // Ends transitions, so that no colour is checked half-way.
        for (const animation of document.getAnimations()) {
          if (Number.isFinite(Number(animation.effect?.getComputedTiming().endTime))) animation.finish();
        }
        const runOnly = index === 0 ? every : { type: 'rule' as const, values: colours };
        const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] });
        for (const { id, nodes } of violations)
          lines.push(
            `${look} ${id}: ${nodes.map(({ target, failureSummary = '' }) => `${target.join(' ')} ${failureSummary.split('\n').slice(1).join(' ').trim()}`).join(', ')}`,
          );
      }
      Object.assign(canvas, { fillText, measureText });
      return lines;
    },
    { every: everyRule, colours: colourRules, looks: themes },
  );
}

/** UI-4: nothing is wider than the frame. */
export async function expectNoSidewaysScroll(widget: FrameLocator, where: string): Promise<void> {
  const overflow = await widget.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
  expect(overflow, `${where} scrolls sideways`).toBeLessThanOrEqual(0);
}

async function frameOf(widget: FrameLocator): Promise<Frame> {
  const frame = await (await widget.locator('html').elementHandle())?.ownerFrame();
  if (!frame) throw new Error('The cashier is not on the page.');
  return frame;
}

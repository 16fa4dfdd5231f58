/** UI-3 by machine: what axe finds in the cashier's own frame, which is all that is ours on a host's page. */
import { expect, type Frame, type FrameLocator } from '@playwright/test';
import axe from 'axe-core';

/** A theme is nothing but an attribute, so a page need not be opened again for the other one. */
export const bothThemes = ['light', 'dark'] as const;

export type Theme = (typeof bothThemes)[number];

/** Beyond the criteria what axe thinks wise: one heading of the first level, none left out, nothing outside a landmark. */
const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules of axe that read colours, which are all that a theme changes (apps/widget/src/app/look/theme-colours.test.ts). */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Fails with the rule and the place of each violation. Asked inside the frame: over the whole page a blank one would be opened
 * to bring the frames' answers together, which costs more than the look itself.
 *
 * @param themes in each of which to look; without, in the one that is shown. Names, roles, places and sizes are the same in
 * each, so every rule is asked in the first of them, and in the others those of colours.
 */
export async function expectNoViolation(
  place: FrameLocator | Frame,
  where: string,
  themes: readonly (Theme | '')[] = [''],
): Promise<void> {
  // The rest is looked at all the same, so that one run shows everything.
  expect.soft(await findViolations(place, themes), where).toEqual([]);
}

/** The violations in words, the theme first. */
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
      // axe passes over a text that is narrower than its letters apart: it takes Arabic, whose letters join, for an icon of a
      // font. It draws to find out, and is shown that everything is as wide as everything else.
      canvas.fillText = function (this: CanvasRenderingContext2D) {
        this.fillRect(0, 0, this.canvas.width, this.canvas.height);
      };
      canvas.measureText = () => ({ width: 30 }) as TextMetrics;
      const lines: string[] = [];
      for (const [index, look] of looks.entries()) {
        if (look !== '') document.documentElement.dataset['theme'] = look;
        // A colour on its way to another one is nobody's to judge.
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

/** UI-3 by machine: what axe finds in the cashier's own frame, which is all that is ours on a host's page. */
import { expect, type Frame, type FrameLocator } from '@playwright/test';
import axe from 'axe-core';

/** A theme is nothing but an attribute, so a page need not be opened again for the other one. */
export const bothThemes = ['light', 'dark'] as const;

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Fails with the rule and the place of each violation. Asked inside the frame: over the whole page a blank one would be opened
 * to bring the frames' answers together, which costs more than the look itself.
 *
 * @param themes in each of which to look; without, in the one that is shown
 */
export async function expectNoViolation(
  place: FrameLocator | Frame,
  where: string,
  themes: readonly ('light' | 'dark' | '')[] = [''],
): Promise<void> {
  const frame = 'evaluate' in place ? place : await frameOf(place);
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  const found = await frame.evaluate(
    async ({ wanted, looks }) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const lines: string[] = [];
      for (const look of looks) {
        if (look !== '') document.documentElement.dataset['theme'] = look;
        // A colour on its way to another one is nobody's to judge.
        for (const animation of document.getAnimations()) {
          if (Number.isFinite(Number(animation.effect?.getComputedTiming().endTime))) animation.finish();
        }
        const { violations } = await axe.run(document, { runOnly: wanted, resultTypes: ['violations'] });
        for (const { id, nodes } of violations)
          lines.push(
            `${look} ${id}: ${nodes.map(({ target, failureSummary = '' }) => `${target.join(' ')} ${failureSummary.split('\n').slice(1).join(' ').trim()}`).join(', ')}`,
          );
      }
      return lines;
    },
    { wanted: tags, looks: themes },
  );
  expect(found, where).toEqual([]);
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

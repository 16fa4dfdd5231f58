/** Reads a QR code from a screenshot, as a phone's camera would, with a decoder that is not ours. */
import type { Locator } from '@playwright/test';
import jsQR from 'jsqr';

/** The text of the code in a screenshot of `element`; undefined when no code is found there. */
export async function readQr(element: Locator): Promise<string | undefined> {
  const picture = (await element.screenshot()).toString('base64');
  // A separate page, since the cashier's policy forbids the image.
  const page = await element.page().context().newPage();
  try {
    const { pixels, width, height } = await page.evaluate(async (source) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      const context = canvas.getContext('2d');
      if (!context) throw new Error('This browser draws nothing.');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      let bytes = '';
      for (let start = 0; start < data.length; start += 8192) {
        bytes += String.fromCharCode(...data.subarray(start, start + 8192));
      }
      return { pixels: btoa(bytes), width: image.width, height: image.height };
    }, picture);
    return jsQR(new Uint8ClampedArray(Buffer.from(pixels, 'base64')), width, height)?.data;
  } finally {
    await page.close();
  }
}

/** Readers of QR codes: the platform's own (Chrome on Android, macOS and ChromeOS), and the widget's reader elsewhere. */

export interface CodeDetector {
  /** The text of the code in a picture of the camera; undefined: no code was found. */
  detect(picture: HTMLVideoElement): Promise<string | undefined>;
}

declare global {
  interface Window {
    readonly BarcodeDetector?: {
      new (options: {
        formats: string[];
      }): { detect(picture: CanvasImageSource): Promise<readonly { readonly rawValue: string }[]> };
      /** Empty where the browser has the API but the system reads no code. */
      getSupportedFormats(): Promise<readonly string[]>;
    };
  }
}

const FORMAT = 'qr_code';

/** The widget's own reader is fetched only where it is needed. */
export async function createDetector(): Promise<CodeDetector> {
  const { BarcodeDetector } = window;
  if (BarcodeDetector && (await BarcodeDetector.getSupportedFormats()).includes(FORMAT)) {
    const detector = new BarcodeDetector({ formats: [FORMAT] });
    return { detect: async (picture) => (await detector.detect(picture))[0]?.rawValue };
  }
  const { readCode } = await import('./read-code.ts');
  return { detect: async (picture) => readCode(pixelsOf(picture)) };
}

/** With more pixels a slow phone would need longer than the pause between two attempts. */
const MOST_PIXELS = 640;
let canvas: HTMLCanvasElement | undefined;

/** The square in the middle of a picture; the sheet shows the same part. */
function pixelsOf(picture: HTMLVideoElement): ImageData {
  const { videoWidth, videoHeight } = picture;
  const shown = Math.min(videoWidth, videoHeight);
  const side = Math.min(shown, MOST_PIXELS);
  canvas ??= document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser gives out no pixels.');
  context.drawImage(picture, (videoWidth - shown) / 2, (videoHeight - shown) / 2, shown, shown, 0, 0, side, side);
  return context.getImageData(0, 0, side, side);
}

/** The platform's own reader of codes, where it has one: Chrome on Android and macOS, and web views of Android. */

interface Detector {
  detect(picture: CanvasImageSource): Promise<readonly { readonly rawValue: string }[]>;
}

declare global {
  interface Window {
    readonly BarcodeDetector?: new (options: { formats: string[] }) => Detector;
  }
  interface Document {
    /** Of Chromium alone: whether the page that embeds this one lets it use the camera. */
    readonly featurePolicy?: { allowsFeature(name: string): boolean };
  }
}

/** Whether a code can be scanned here: a reader, a camera, and a page around this one that allows it. */
export function canScan(): boolean {
  const { mediaDevices } = navigator as Partial<Navigator>;
  return (
    window.BarcodeDetector !== undefined &&
    typeof mediaDevices?.getUserMedia === 'function' &&
    document.featurePolicy?.allowsFeature('camera') !== false
  );
}

export function createDetector(): Detector | undefined {
  return window.BarcodeDetector && new window.BarcodeDetector({ formats: ['qr_code'] });
}

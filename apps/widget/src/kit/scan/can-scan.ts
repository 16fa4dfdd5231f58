declare global {
  interface Document {
    /** Only in Chromium: whether the embedding page lets this page use the camera. */
    readonly featurePolicy?: { allowsFeature(name: string): boolean };
  }
}

/** Whether a code can be scanned here: the browser has a camera API, and the embedding page does not forbid it. */
export function canScan(): boolean {
  const { mediaDevices } = navigator as Partial<Navigator>;
  return typeof mediaDevices?.getUserMedia === 'function' && document.featurePolicy?.allowsFeature('camera') !== false;
}

declare global {
  interface Document {
    /** Of Chromium alone: whether the page that embeds this one lets it use the camera. */
    readonly featurePolicy?: { allowsFeature(name: string): boolean };
  }
}

/** Whether a code can be scanned here: there may be a camera, and the page around this one allows it where that can be known. */
export function canScan(): boolean {
  const { mediaDevices } = navigator as Partial<Navigator>;
  return typeof mediaDevices?.getUserMedia === 'function' && document.featurePolicy?.allowsFeature('camera') !== false;
}

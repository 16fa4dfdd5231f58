import decodeQR from 'qr/decode.js';

/** The text of the QR code in pixels (RGBA). Undefined if there is none, as in most pictures of a camera. */
export function readCode({ width, height, data }: Pick<ImageData, 'width' | 'height' | 'data'>): string | undefined {
  try {
    return decodeQR({ width, height, data });
  } catch (error) {
    // The decoder throws when it finds no code.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

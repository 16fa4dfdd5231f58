import decodeQR from 'qr/decode.js';

/** The text of the QR code among pixels (RGBA); undefined where none can be read, which is what most pictures of a camera are. */
export function readCode({ width, height, data }: Pick<ImageData, 'width' | 'height' | 'data'>): string | undefined {
  try {
    return decodeQR({ width, height, data });
  } catch (error) {
    // The decoder has no other way to say that it sees no code.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Content that the server makes itself, compressed once and sent in the form that a browser accepts. */
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The content in an encoding. */
export type BodyIn = (encoding: Encoding) => Buffer;

/** The smallest form alone is kept. Hardly any browser asks for another one. */
export function compressed(content: Buffer): BodyIn {
  const small = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
  return (encoding) => {
    if (encoding === 'br') return small;
    const whole = brotliDecompressSync(small);
    return encoding === 'gzip' ? gzipSync(whole) : whole;
  };
}

/**
 * Every browser accepts brotli over TLS. Over plain http some accept only gzip.
 * @param accepted the header `accept-encoding`
 */
export function encodingOf(accepted: string | readonly string[] | undefined): Encoding {
  if (typeof accepted !== 'string') return 'identity';
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}

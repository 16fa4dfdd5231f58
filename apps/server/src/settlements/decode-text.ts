/** Turns the bytes of a file into text, piece by piece. */
import { fileFault } from './read-line.ts';

/**
 * @param encoding a label that the platform's TextDecoder knows
 * @throws DomainError that names the line, for bytes that are no text in this encoding
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let line = 1;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw fileFault(
        { line },
        `From this line on the file has bytes that are no ${encoding} text. Set encoding in the mapping.`,
      );
    }
  };
  for await (const chunk of bytes) {
    const text = decode(chunk);
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line += 1;
    yield text;
  }
  yield decode();
}

/** A 64-bit FNV-1a hash. It tells texts apart without storing them. It protects no secret, because short texts can be guessed. */
export function textMark(text: string): string {
  return [0x811c9dc5, 0x9747b28c].map((seed) => hash(text, seed)).join('');
}

function hash(text: string, seed: number): string {
  let value = seed;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}

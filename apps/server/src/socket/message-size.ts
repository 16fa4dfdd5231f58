/**
 * Whether a decoded message stays within a size: the characters of its texts and keys, and a few for each value. Stops at the
 * limit, so that a huge message costs no more than a large one. Limits the depth, too.
 */
export function isWithinSize(value: unknown, limit: number): boolean {
  let left = limit;
  const visit = (node: unknown, depth: number): boolean => {
    if (depth > 32) return false;
    left -= typeof node === 'string' ? node.length + 2 : 4;
    if (left < 0) return false;
    // The contract has no binary attachments.
    if (ArrayBuffer.isView(node) || node instanceof ArrayBuffer) return false;
    if (Array.isArray(node)) return node.every((item) => visit(item, depth + 1));
    if (typeof node !== 'object' || node === null) return true;
    return Object.entries(node).every(([key, item]) => {
      left -= key.length + 3;
      return visit(item, depth + 1);
    });
  };
  return visit(value, 0);
}

/**
 * Writes text to the clipboard within a tap. A browser may refuse the clipboard API to a framed page, and an old web view lacks
 * it. The text is then copied by a selection.
 * @returns whether the text is on the clipboard now
 */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    // Absent on plain http and in old web views, although the type says otherwise.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (!clipboard) return copyBySelection(text);
    await clipboard.writeText(text);
    return true;
  } catch (error) {
    if (error instanceof DOMException) return copyBySelection(text);
    throw error;
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  Object.assign(area.style, { position: 'fixed', insetBlockStart: '0', opacity: '0' });
  document.body.append(area);
  area.select();
  const isCopied = typeof document.execCommand === 'function' && document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}

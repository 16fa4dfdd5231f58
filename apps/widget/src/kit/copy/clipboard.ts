/**
 * Writes text to the clipboard within a tap. A framed page may be refused the modern way, and an old web view lacks it: then
 * the old way is tried.
 * @returns whether the text is on the clipboard now
 */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    // Absent on plain http and in old web views, whatever the type says.
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

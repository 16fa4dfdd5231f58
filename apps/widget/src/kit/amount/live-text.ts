/** Text that is formatted while it is typed: the caret stays where the person put it, and a composition is left alone. */
import { type ChangeEvent, type CompositionEvent, useState } from 'react';

/** One edit of a field, as the browser has made it. */
export interface TextEdit {
  /** What the field showed before. */
  readonly previous: string;
  readonly text: string;
  /** Behind what was inserted, or where something was deleted. */
  readonly caret: number;
  readonly deletes: 'backward' | 'forward' | undefined;
}

/** What the field shows after an edit, and where the caret stands in it. */
export interface ShownText {
  readonly text: string;
  readonly caret: number;
}

export interface TextFormat {
  /** The text as the field shows it. Formatting it again changes nothing. */
  readonly format: (text: string) => string;
  /** Where the caret belongs in the formatted text, by the text that stood before it. */
  readonly caretAfter: (before: string, formatted: string) => number;
}

/** A format that grows from the start: what stands before the caret is formatted as it would be alone. */
export function growingFormat(format: (text: string) => string): TextFormat {
  return { format, caretAfter: (before, formatted) => Math.min(format(before).length, formatted.length) };
}

/**
 * Formats what an edit has left. A deletion that took only what the format writes by itself, such as a space between
 * groups, takes the next character too: otherwise the key would do nothing at all.
 */
export function formatEdit(
  { previous, text, caret, deletes }: TextEdit,
  { format, caretAfter }: TextFormat,
): ShownText {
  let left = text.slice(0, caret);
  let right = text.slice(caret);
  let formatted = format(text);
  while (formatted === previous && deletes === 'backward' && left !== '') {
    left = left.slice(0, -1);
    formatted = format(left + right);
  }
  while (formatted === previous && deletes === 'forward' && right !== '') {
    right = right.slice(1);
    formatted = format(left + right);
  }
  return { text: formatted, caret: caretAfter(left, formatted) };
}

/** Letters and digits of a typed text that its format leaves out. Spaces and signs between them mean nothing. */
export function lettersLost(typed: string, formatted: string): string {
  const rest = [...formatted];
  return [...typed]
    .filter((char) => {
      if (!/[\p{L}\p{N}]/u.test(char)) return false;
      const place = rest.indexOf(char);
      rest.splice(0, place + 1);
      return place < 0;
    })
    .join('');
}

/** Where an edit took place: the range of the text before, and what stands there now. */
export function changedPart({ previous, text, caret }: TextEdit): {
  readonly start: number;
  readonly end: number;
  readonly inserted: string;
} {
  const behind = text.slice(caret);
  if (!previous.endsWith(behind)) return { start: 0, end: previous.length, inserted: text };
  const end = previous.length - behind.length;
  let start = 0;
  while (start < end && start < caret && previous[start] === text[start]) start += 1;
  return { start, end, inserted: text.slice(start, caret) };
}

/** One line, or a text that wraps. */
type TextControl = HTMLInputElement | HTMLTextAreaElement;

/**
 * Properties of an input whose text is formatted while it is typed. The text is set within the event itself, since the
 * caret would jump to the end if React did it afterwards. What an input method is still composing is shown as it is and
 * read when it is finished (Android and East Asian keyboards lose characters otherwise).
 * @param read takes an edit over, and says what the field shows from now on
 */
export function useLiveText(shown: string, read: (edit: TextEdit) => ShownText) {
  const [composed, setComposed] = useState<string>();
  const settle = (input: TextControl, deletes: TextEdit['deletes']) => {
    setComposed(undefined);
    const { value, selectionStart } = input;
    if (value === shown) return;
    place(input, read({ previous: shown, text: value, caret: selectionStart ?? value.length, deletes }));
  };
  return {
    value: composed ?? shown,
    onChange({ currentTarget, nativeEvent }: ChangeEvent<TextControl>) {
      const { isComposing, inputType } = nativeEvent as Partial<InputEvent>;
      if (isComposing === true) setComposed(currentTarget.value);
      else settle(currentTarget, deletionOf(inputType));
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<TextControl>) => settle(currentTarget, undefined),
  };
}

/** Writes a text and the caret into a field that has the focus. */
export function place(input: TextControl, { text, caret }: ShownText): void {
  if (input.value !== text) input.value = text;
  // Elsewhere than in the field that is being edited this would move the focus in some browsers.
  if (input.ownerDocument.activeElement === input) input.setSelectionRange(caret, caret);
}

function deletionOf(inputType: string | undefined): TextEdit['deletes'] {
  if (inputType?.startsWith('delete') !== true) return undefined;
  return inputType.endsWith('Forward') ? 'forward' : 'backward';
}

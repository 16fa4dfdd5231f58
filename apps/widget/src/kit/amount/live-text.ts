/**
 * Text that is formatted while the user types. The caret stays where the user put it. A text that an input method still composes
 * is left alone.
 */
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

/** What the field shows after an edit, and the position of the caret. */
export interface ShownText {
  readonly text: string;
  readonly caret: number;
}

export interface TextFormat {
  /** The text as the field shows it. Formatting it again changes nothing. */
  readonly format: (text: string) => string;
  /** The caret's position in the formatted text, for the text before it. */
  readonly caretAfter: (before: string, formatted: string) => number;
}

/** A format that works from the start: the text before the caret is formatted as if it were alone. */
export function growingFormat(format: (text: string) => string): TextFormat {
  return { format, caretAfter: (before, formatted) => Math.min(format(before).length, formatted.length) };
}

/**
 * Formats the text after an edit. A deletion may take only what the format puts back, such as a space between groups. It then
 * takes the next character too, because otherwise the key would do nothing.
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

/** The part that an edit has changed: its range in the former text, and its new text. */
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
 * Properties of an input whose text is formatted while the user types. The text is set within the event, because the caret would
 * jump to the end if React set it later. A text that an input method still composes is shown unchanged, and read at the end.
 * Otherwise Android and East Asian keyboards would lose characters.
 * @param read applies an edit, and answers what the field shows from now on
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
  // In a field without the focus, some browsers would move the focus here.
  if (input.ownerDocument.activeElement === input) input.setSelectionRange(caret, caret);
}

function deletionOf(inputType: string | undefined): TextEdit['deletes'] {
  if (inputType?.startsWith('delete') !== true) return undefined;
  return inputType.endsWith('Forward') ? 'forward' : 'backward';
}

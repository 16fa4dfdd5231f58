/** All own texts of an operator beside the shipped ones, for the staff who change them (SRV-1). */
import type { TextsResponse } from '@opencashier/contract/operator';
import { problemOf } from '../../own-texts/check-texts.ts';
import type { StoredTexts } from '../../own-texts/texts-store.ts';
import type { Texts, WidgetTexts } from '../../own-texts/widget-texts.ts';

export function textsOverview(widget: WidgetTexts, { version, byLocale, changed }: StoredTexts): TextsResponse {
  return {
    version,
    ...(changed && { changed: { staff: changed.staff, at: changed.at.toISOString() } }),
    locales: Object.fromEntries([...byLocale].map(([locale, texts]) => [locale, ownTextsIn(locale, texts, widget)])),
  };
}

function ownTextsIn(locale: string, texts: Texts, widget: WidgetTexts): TextsResponse['locales'][string] {
  const shown = widget.shown(locale);
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const problem = problemOf(locale, key, text, widget.english);
      const replaces = Object.hasOwn(shown, key) ? shown[key] : undefined;
      return [key, { text, ...(replaces !== undefined && { replaces }), ...(problem !== undefined && { problem }) }];
    }),
  );
}

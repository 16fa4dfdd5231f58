/** The only function that changes operators' own texts, for the API and the command line (SRV-1). */
import type { Database } from '../database/database.ts';
import { DomainError, invalidFields } from '../errors/domain-error.ts';
import { checkTexts } from './check-texts.ts';
import { isSaved, type NewTexts, readOwnTexts, type StoredTexts, saveOwnTexts } from './texts-store.ts';
import type { WidgetTexts } from './widget-texts.ts';

/**
 * Replaces all own texts of one language. A repeat of the last change is answered as the change was.
 * @param widget undefined when the widget has not been built
 * @throws DomainError invalid-request naming each invalid text; not-found for a language that the widget does not have;
 * state-conflict after another change in the meantime; temporarily-unavailable without a built widget
 */
export async function changeTexts(
  database: Database,
  widget: WidgetTexts | undefined,
  operatorId: string,
  change: NewTexts,
): Promise<StoredTexts> {
  const { english, locales } = builtTexts(widget);
  const { locale, texts, version } = change;
  if (!locales.has(locale)) {
    throw new DomainError('not-found', `The widget has no language ${locale}. It has ${[...locales].join(', ')}.`);
  }
  const fields = checkTexts(locale, texts, english);
  if (fields.length > 0) throw invalidFields('These texts are invalid.', fields);
  if (await saveOwnTexts(database, operatorId, change)) return readOwnTexts(database, operatorId);
  const now = await readOwnTexts(database, operatorId);
  // The caller repeats a change whose answer got lost. It must not get a conflict with itself.
  if (now.version === version + 1 && (await isSaved(database, operatorId, change))) return now;
  const by = now.changed === undefined ? '' : `, by ${now.changed.staff}`;
  throw new DomainError(
    'state-conflict',
    `The texts have changed since version ${version}. They now have version ${now.version}${by}. Read them again, then repeat the change.`,
    { params: { version: String(now.version) } },
  );
}

/** @throws DomainError temporarily-unavailable without a built widget */
export function builtTexts(widget: WidgetTexts | undefined): WidgetTexts {
  if (widget !== undefined) return widget;
  throw new DomainError(
    'temporarily-unavailable',
    'The widget has not been built. Run `npm run build`, or set WIDGET_DIR.',
  );
}

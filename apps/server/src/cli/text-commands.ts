/**
 * `texts …`: the texts of the widget that an operator has replaced. Changes go through the same function as those of the operator API,
 * so the same rules apply.
 */
import { ownTextsSchema, type TextsResponse } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { textsOverview } from '../operator-api/texts/texts-overview.ts';
import { builtTexts, changeTexts } from '../own-texts/change-texts.ts';
import { readOwnTexts } from '../own-texts/texts-store.ts';
import { type Texts, type WidgetTexts, widgetTextsIn } from '../own-texts/widget-texts.ts';
import { type AddCommands, type Output, type Session, UsageError } from './command.ts';
import { actorOf, byOption, jsonOption, operatorArgument, operatorIdOf, print, type Row } from './listing.ts';
import { readJson } from './settings-files.ts';

export const addTextCommands: AddCommands = (program, session) => {
  const { output, withDatabase } = session;
  const texts = program.command('texts').description('the texts that an operator has replaced in the cashier');
  texts
    .command('list')
    .description('lists own texts by language and key, and the shipped texts that they replace')
    .argument(...operatorArgument)
    .option(...jsonOption)
    .action((partnerKey, { json = false }) => {
      const widget = widgetOf(session);
      return withDatabase(async (database) => {
        const stored = await readOwnTexts(database, await operatorIdOf(database, partnerKey));
        const overview = textsOverview(widget, stored);
        print(output, itemsOf(overview), rowOf, json);
        warn(output, overview);
        return 0;
      });
    });
  texts
    .command('apply')
    .description('replaces all own texts of a language with those of a file; the file {} removes them')
    .argument(...operatorArgument)
    .argument('<locale>', 'a language of the cashier, such as ar or es-MX')
    .argument('<file>', 'JSON with a text for each key, as in locales/en.json')
    .option(...byOption)
    .action((partnerKey, locale, file, { by }) => {
      const { by: staff } = actorOf(by);
      const widget = widgetOf(session);
      const own = readFile(file);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const { version } = await readOwnTexts(database, operatorId);
        const stored = await changeTexts(database, widget, operatorId, { version, locale, texts: own, staff });
        output.out(
          `The texts of ${partnerKey} now have version ${stored.version}. The cashier shows them within seconds.`,
        );
        warn(output, textsOverview(widget, stored));
        return 0;
      });
    });
};

/** @throws DomainError without a built widget */
function widgetOf({ config }: Session): WidgetTexts {
  return builtTexts(widgetTextsIn(config().widgetDir)());
}

/** @throws UsageError for a file that is no object of texts */
function readFile(file: string): Texts {
  const content = readJson(file);
  const read = v.safeParse(ownTextsSchema, content);
  if (read.success && !Array.isArray(content)) return read.output;
  throw new UsageError(`${file} must hold an object with a text for each key.`);
}

function itemsOf({ locales }: TextsResponse) {
  return Object.entries(locales).flatMap(([locale, texts]) =>
    Object.entries(texts).map(([key, text]) => ({ locale, key, ...text })),
  );
}

function rowOf({ locale, key, text, replaces }: ReturnType<typeof itemsOf>[number]): Row {
  return { locale, key, text, replaces };
}

function warn(output: Output, { locales }: TextsResponse): void {
  for (const [locale, texts] of Object.entries(locales)) {
    for (const [key, { problem }] of Object.entries(texts)) {
      if (problem !== undefined) output.error(`Warning: users do not see ${key} of ${locale}: ${problem}`);
    }
  }
}

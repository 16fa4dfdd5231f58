/**
 * `catalogue …`: the methods that an operator offers, their order and their limits. Changes go through the same function as those of
 * the operator API, so the same rules apply.
 */
import type { CatalogueResponse, OwnLimits } from '@opencashier/contract/operator';
import { catalogueFacts } from '../assembly/catalogue-facts.ts';
import { bundledFiles } from '../catalogue/bundled-files.ts';
import { changeSettings, type SettingsChange } from '../catalogue/change-settings.ts';
import { settingOf } from '../catalogue/own-settings.ts';
import { readSettings, type StoredSettings } from '../catalogue/settings-store.ts';
import { readShippedCatalogue, type ShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import type { Config } from '../config/config.ts';
import { suggestion } from '../errors/similar-name.ts';
import { catalogueOverview } from '../operator-api/catalogue/catalogue-overview.ts';
import { addCatalogueFileCommands } from './catalogue-file-commands.ts';
import { type AddCommands, CommandError, type Output, type Session, UsageError } from './command.ts';
import { actorOf, byOption, jsonOption, operatorArgument, operatorIdOf, print, type Row } from './listing.ts';

type Edit = (before: StoredSettings, overview: CatalogueResponse) => SettingsChange;

export const addCatalogueCommands: AddCommands = (program, session) => {
  const { config, output, withDatabase } = session;
  const catalogue = program
    .command('catalogue')
    .description('the methods that an operator offers; the cashier applies changes at once');
  catalogue
    .command('list')
    .description('lists methods (or groups), whether users are offered them, and the operator’s limits')
    .argument(...operatorArgument)
    .option('--group', 'lists groups instead of methods')
    .option(...jsonOption)
    .action((partnerKey, { group: isGroup = false, json = false }) =>
      withDatabase(async (database) => {
        const stored = await readSettings(database, await operatorIdOf(database, partnerKey));
        printCatalogue(output, catalogueOverview(shippedFor(config()), stored), isGroup, json);
        return 0;
      }),
    );
  for (const action of ['enable', 'disable', 'order'] as const) {
    catalogue
      .command(action)
      .description(
        action === 'order' ? 'puts methods (or groups) first, in this order' : `${action}s methods (or groups)`,
      )
      .argument(...operatorArgument)
      .argument('<names...>', 'names of methods, or of groups with --group')
      .option('--group', 'the given names are names of groups')
      .option(...byOption)
      .action((partnerKey, names, { group: isGroup = false, by }) =>
        applyEdit(session, partnerKey, by, editOf(action, names, isGroup ? 'groups' : 'methods')),
      );
  }
  catalogue
    .command('limits')
    .description('sets the limits of a method; without --min and --max restores the shipped limits')
    .argument(...operatorArgument)
    .argument('<method>')
    .argument('<currency>')
    .option('--min <amount>')
    .option('--max <amount>')
    .option(...byOption)
    .action((partnerKey, method, currency, { by, ...limits }) =>
      applyEdit(session, partnerKey, by, limitsEdit(method, currency, limits)),
    );
  addCatalogueFileCommands(catalogue, session, () => shippedFor(config()));
};

/** @throws UsageError if the name of the staff is not valid */
async function applyEdit(
  { config, output, withDatabase }: Session,
  partnerKey: string,
  by: string,
  edit: Edit,
): Promise<void> {
  const { by: staff } = actorOf(by);
  await withDatabase(async (database) => {
    const shipped = shippedFor(config());
    const operatorId = await operatorIdOf(database, partnerKey);
    const before = await readSettings(database, operatorId);
    const change = edit(before, catalogueOverview(shipped, before));
    const after = await changeSettings(database, shipped, operatorId, { version: before.version, staff, change });
    output.out(`The catalogue of ${partnerKey} now has version ${after.version}. The cashier applies it at once.`);
    for (const warning of catalogueOverview(shipped, after).warnings) output.error(`Warning: ${warning}`);
    return 0;
  });
}

function editOf(action: 'enable' | 'disable' | 'order', names: readonly string[], kind: 'methods' | 'groups'): Edit {
  if (action === 'order') return orderEdit(kind, names);
  return ({ settings }, overview) => {
    requireKnown(overview, kind, names);
    return {
      kind,
      own: Object.fromEntries(
        names.map((name) => {
          const { enabled: _was, ...own } =
            settingOf<object & { enabled?: boolean | undefined }>(settings[kind], name) ?? {};
          return [name, action === 'enable' ? own : { ...own, enabled: false }];
        }),
      ),
    };
  };
}

/** An edit that changes nothing of a name is accepted as it is. So a misspelt name would make a version without a change. */
function requireKnown(overview: CatalogueResponse, kind: 'methods' | 'groups', names: readonly string[]): void {
  const known = overview[kind].map(({ name }) => name);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const noun = kind === 'methods' ? 'method' : 'group';
  throw new CommandError(`No ${noun} is called ${wrong}.${suggestion(wrong, known)}`);
}

/** Without a minimum and a maximum the shipped limits apply again. */
function limitsEdit(method: string, currency: string, own: OwnLimits): Edit {
  return ({ settings }, overview) => {
    requireKnown(overview, 'methods', [method]);
    const { limits = {}, ...others } = settingOf(settings.methods, method) ?? {};
    const rest = Object.fromEntries(Object.entries(limits).filter(([code]) => code !== currency));
    const isBound = own.min !== undefined || own.max !== undefined;
    const all = isBound ? { ...rest, [currency]: own } : rest;
    return {
      kind: 'methods',
      own: { [method]: { ...others, ...(Object.keys(all).length > 0 && { limits: all }) } },
    };
  };
}

/** The named ones come first, in this order; the others stay where they are. */
function orderEdit(kind: 'methods' | 'groups', names: readonly string[]): Edit {
  if (new Set(names).size < names.length) throw new UsageError('Give each name once.');
  return ({ settings }, overview) => {
    const others = overview[kind].filter(({ name }) => !names.includes(name));
    const first = Math.floor(Math.min(...others.map(({ position }) => position), names.length + 1));
    return {
      kind,
      own: Object.fromEntries(
        names.map((name, index) => [
          name,
          { ...settingOf<object>(settings[kind], name), position: first - names.length + index },
        ]),
      ),
    };
  };
}

function shippedFor(config: Config): ShippedCatalogue {
  const facts = catalogueFacts(config);
  return readShippedCatalogue(bundledFiles, (provider) => facts.providers?.get(provider)?.isSetUp === true, facts);
}

function printCatalogue(output: Output, catalogue: CatalogueResponse, isGroup: boolean, isJson: boolean): void {
  if (isGroup) print(output, catalogue.groups, groupRow, isJson);
  else print(output, catalogue.methods, methodRow, isJson);
  for (const warning of catalogue.warnings) output.error(`Warning: ${warning}`);
}

function groupRow({ name, title, enabled, position }: CatalogueResponse['groups'][number]): Row {
  return { group: name, title, enabled: enabled ? 'yes' : 'no', position };
}

function methodRow(method: CatalogueResponse['methods'][number]): Row {
  return {
    method: method.name,
    for: method.directions.join(','),
    group: method.group,
    enabled: method.enabled ? 'yes' : 'no',
    offered: method.isOffered ? 'yes' : method.isProviderSetUp ? 'no' : `no ${method.provider}`,
    position: method.position,
    limits: Object.entries(method.limits)
      .map(([currency, { min, max }]) => `${currency} ${min ?? ''}..${max ?? ''}`)
      .join(', '),
  };
}

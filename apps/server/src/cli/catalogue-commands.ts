/** `catalogue …`: what an operator offers, in which order and within which limits, by the same door as the operator API. */
import type { CatalogueResponse, OwnLimits } from '@opencashier/contract/operator';
import { bundledFiles } from '../catalogue/bundled-files.ts';
import { changeSettings, type SettingsChange } from '../catalogue/change-settings.ts';
import { settingOf } from '../catalogue/own-settings.ts';
import { readSettings, type StoredSettings } from '../catalogue/settings-store.ts';
import { readShippedCatalogue, type ShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import type { Config } from '../config/config.ts';
import { catalogueOverview } from '../operator-api/catalogue/catalogue-overview.ts';
import { type AddCommands, type Output, type Session, UsageError } from './command.ts';
import { operatorArgument, operatorIdOf, print } from './listing.ts';

/** Who is noted when nobody is named. */
const defaultStaff = 'opencashier';
const staffForm = /^[\x21-\x7e]{1,64}$/;

type Edit = (before: StoredSettings, overview: CatalogueResponse) => SettingsChange;

export const addCatalogueCommands: AddCommands = (program, session) => {
  const { config, output, withDatabase } = session;
  const catalogue = program.command('catalogue').description('what an operator offers; changes count at once');
  catalogue
    .command('list')
    .description('lists methods (or groups), whether they are offered, and own limits')
    .argument(...operatorArgument)
    .option('--group', 'groups instead of methods')
    .option('--json', 'a line of JSON for each row')
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
      .description(action === 'order' ? 'puts these first, in this order' : `${action}s methods (or groups)`)
      .argument(...operatorArgument)
      .argument('<names...>', 'methods, or groups')
      .option('--group', 'groups instead of methods')
      .option('--by <name>', 'who changes it', defaultStaff)
      .action((partnerKey, names, { group: isGroup = false, by }) =>
        applyEdit(session, partnerKey, by, editOf(action, names, isGroup ? 'groups' : 'methods')),
      );
  }
  catalogue
    .command('limits')
    .description('sets own limits within the shipped ones; without --min and --max the shipped ones count again')
    .argument(...operatorArgument)
    .argument('<method>')
    .argument('<currency>')
    .option('--min <amount>')
    .option('--max <amount>')
    .option('--by <name>', 'who changes it', defaultStaff)
    .action((partnerKey, method, currency, { by, ...limits }) =>
      applyEdit(session, partnerKey, by, limitsEdit(method, currency, limits)),
    );
};

/** @throws UsageError where the name of the staff cannot be one */
async function applyEdit(
  { config, output, withDatabase }: Session,
  partnerKey: string,
  staff: string,
  edit: Edit,
): Promise<void> {
  if (!staffForm.test(staff)) throw new UsageError('--by is a name without spaces, of at most 64 characters.');
  await withDatabase(async (database) => {
    const shipped = shippedFor(config());
    const operatorId = await operatorIdOf(database, partnerKey);
    const before = await readSettings(database, operatorId);
    const change = edit(before, catalogueOverview(shipped, before));
    const after = await changeSettings(database, shipped, operatorId, { version: before.version, staff, change });
    output.out(`The catalogue of ${partnerKey} is version ${after.version} now; it counts at once.`);
    for (const warning of catalogueOverview(shipped, after).warnings) output.error(`Warning: ${warning}`);
    return 0;
  });
}

function editOf(action: 'enable' | 'disable' | 'order', names: readonly string[], kind: 'methods' | 'groups'): Edit {
  if (action === 'order') return orderEdit(kind, names);
  return ({ settings }) => ({
    kind,
    own: Object.fromEntries(
      names.map((name) => {
        const { enabled: _was, ...own } =
          settingOf<object & { enabled?: boolean | undefined }>(settings[kind], name) ?? {};
        return [name, action === 'enable' ? own : { ...own, enabled: false }];
      }),
    ),
  });
}

/** Without either bound the shipped limits count again. */
function limitsEdit(method: string, currency: string, own: OwnLimits): Edit {
  return ({ settings }) => {
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
  if (new Set(names).size < names.length) throw new UsageError('Name each once.');
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

/** By the settings alone: whether a chain's node answers is for `doctor` to say. */
function shippedFor({ isSandbox, stripe, cryptoFile }: Config): ShippedCatalogue {
  const isSetUp: Readonly<Record<string, boolean>> = {
    sandbox: isSandbox,
    stripe: stripe !== undefined,
    crypto: cryptoFile !== undefined,
  };
  return readShippedCatalogue(bundledFiles, (provider) => isSetUp[provider] === true);
}

function printCatalogue(output: Output, catalogue: CatalogueResponse, isGroup: boolean, isJson: boolean): void {
  if (isGroup) {
    print(
      output,
      catalogue.groups.map(({ name, title, enabled, position }) => ({
        group: name,
        title,
        enabled: enabled ? 'yes' : 'no',
        position,
      })),
      isJson,
    );
  } else {
    print(
      output,
      catalogue.methods.map((method) => ({
        method: method.name,
        for: method.directions.join(','),
        group: method.group,
        enabled: method.enabled ? 'yes' : 'no',
        offered: method.isOffered ? 'yes' : method.isProviderSetUp ? 'no' : `no ${method.provider}`,
        position: method.position,
        limits: Object.entries(method.limits)
          .map(([currency, { min, max }]) => `${currency} ${min ?? ''}..${max ?? ''}`)
          .join(', '),
      })),
      isJson,
    );
  }
  for (const warning of catalogue.warnings) output.error(`Warning: ${warning}`);
}

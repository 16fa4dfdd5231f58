/** Commands that change the settings of an operator, through the same functions as the operator API (SRV-1). */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import {
  bonusEngineSchema,
  originSchema,
  type SettingsRequest,
  settingsChangeSchema,
} from '@opencashier/contract/operator';
import * as v from 'valibot';
import { bundledFiles } from '../catalogue/bundled-files.ts';
import { readShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import { changeSettingsOf } from '../operator-api/settings/change-settings.ts';
import {
  type ChangedSettings,
  type OperatorSettings,
  operatorSettingsOf,
  shownSetting,
} from '../operators/operator-settings.ts';
import type { Actor } from '../operators/setting-history.ts';
import { type AddCommands, type Output, type Session, UsageError } from './command.ts';
import { actorOf, byOption, operatorArgument, operatorIdOf } from './listing.ts';
import { optionNeeds } from './option-needs.ts';
import { readJson } from './settings-files.ts';

type Change = Omit<SettingsRequest, 'staff'>;

export const addSettingsCommands: AddCommands = (program, session) => {
  program
    .command('update-operator')
    .description('shows or changes the settings of an operator; running cashiers apply changes within ten seconds')
    .argument(...operatorArgument)
    .option('--name <name>', 'display name')
    .option('--add-origin <origin>', 'a further site that may show the cashier; may be repeated', collect, [])
    .option('--remove-origin <origin>', 'a site that may no longer show the cashier; may be repeated', collect, [])
    .option('--webhook-url <address>', 'address that gets the webhooks; `none`: no webhooks are sent')
    .option('--deposits <on|off>', 'off: no new deposit starts')
    .option('--withdrawals <on|off>', 'off: no new withdrawal starts')
    .option('--codes <file>', 'JSON list of the withdrawals that need a confirmation code')
    .option('--deposit-limits <file>', 'JSON list of limits that replace those of the catalogue')
    .option('--playthrough <factor>', 'how often a sweep coin must be staked before it can be redeemed')
    .option(
      '--bonus-engine <address>',
      'address of the operator’s own bonus engine; `on`, `off`, or `none`: forgets it',
    )
    .option('--bonus-fallback <list|none>', 'what users see while the bonus engine does not answer')
    .option('--debug <on|off>', 'on: the browser console of the widget has hooks for engineers')
    .option('--json', 'shows the settings as JSON')
    .option(...byOption)
    .hook('preAction', (command) => optionNeeds({ '--by': changesOf(command) })(command))
    .action((partnerKey, { by, json = false, ...options }) => {
      const change = changeOf(options);
      return update(session, partnerKey, actorOf(by), change, json);
    });
  for (const [name, field, description] of [
    ['add-origin', 'addOrigins', 'allows further sites to show the cashier'],
    ['remove-origin', 'removeOrigins', 'no longer allows sites to show the cashier'],
  ] as const) {
    program
      .command(name)
      .description(description)
      .argument(...operatorArgument)
      .argument('<origins...>', 'such as https://www.example.com')
      .option(...byOption)
      .action((partnerKey, origins, { by }) => {
        checkOrigins(origins);
        return update(session, partnerKey, actorOf(by), { [field]: origins }, false);
      });
  }
};

/** Reads an option that may be repeated. */
export const collect = (value: string, before: string[]): string[] => [...before, value];

/** Changes the settings if a change is given, and otherwise prints them. */
/** Every option that changes a setting. */
const changesOf = ({ options }: CommandUnknownOpts): `--${string}`[] =>
  options.flatMap(({ long }) => (long === '--by' || long === '--json' ? [] : [long as `--${string}`]));

function update(
  { config, output, withDatabase }: Session,
  partnerKey: string,
  actor: Actor,
  change: Change,
  isJson: boolean,
): Promise<void> {
  const allowInside = config().isSandbox;
  return withDatabase(async (database) => {
    const operatorId = await operatorIdOf(database, partnerKey);
    if (Object.keys(change).length > 0) {
      const changed = await changeSettingsOf(database, operatorId, actor, change, {
        allowInside,
        shipped: readShippedCatalogue(bundledFiles),
      });
      printChange(output, partnerKey, changed);
      return 0;
    }
    const settings = await operatorSettingsOf(database, operatorId);
    if (isJson) output.out(JSON.stringify(settings));
    else {
      const { operator, webhooksOffSince, ...own } = settings;
      output.out(`operator: ${operator}`);
      for (const name of namesOf(own)) output.out(`${name}: ${shown(name, own)}`);
      if (webhooksOffSince !== undefined) output.out(`webhooksOffSince: ${webhooksOffSince}`);
    }
    return 0;
  });
}

function printChange(output: Output, partnerKey: string, { before, after }: ChangedSettings): void {
  const names = namesOf(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  for (const name of names) output.out(`${name}: ${shown(name, before)} -> ${shown(name, after)}`);
  output.out(
    names.length === 0
      ? `Nothing has changed: ${partnerKey} had these settings already.`
      : `Changed ${partnerKey}. Running cashiers apply it within ten seconds.`,
  );
}

const namesOf = (settings: OperatorSettings) => Object.keys(settings) as (keyof OperatorSettings)[];

function shown(name: keyof OperatorSettings, settings: OperatorSettings): string {
  const value = shownSetting(name, settings);
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (value.length === 0) return 'none';
  return value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' ');
}

interface Options {
  readonly name?: string;
  readonly addOrigin: readonly string[];
  readonly removeOrigin: readonly string[];
  readonly webhookUrl?: string;
  readonly deposits?: string;
  readonly withdrawals?: string;
  readonly codes?: string;
  readonly depositLimits?: string;
  readonly playthrough?: string;
  readonly bonusEngine?: string;
  readonly bonusFallback?: string;
  readonly debug?: string;
}

/** @throws UsageError that names the wrong option */
function changeOf(options: Options): Change {
  const { addOrigin: addOrigins, removeOrigin: removeOrigins, webhookUrl } = options;
  checkOrigins(addOrigins);
  checkOrigins(removeOrigins);
  const entries = settingsChangeSchema.entries;
  const given = {
    name: optionOf('name', entries.name, options.name),
    webhookUrl: webhookUrl === 'none' ? null : webhookUrl,
    depositsOpen: switchOf('deposits', options.deposits),
    withdrawalsOpen: switchOf('withdrawals', options.withdrawals),
    withdrawalCodes: optionOf('codes', entries.withdrawalCodes, fileOf(options.codes)),
    depositLimits: optionOf('deposit-limits', entries.depositLimits, fileOf(options.depositLimits)),
    playthrough: optionOf('playthrough', entries.playthrough, options.playthrough),
    bonusEngine: engineOf(options),
    isDebugAllowed: switchOf('debug', options.debug),
    addOrigins: addOrigins.length === 0 ? undefined : [...addOrigins],
    removeOrigins: removeOrigins.length === 0 ? undefined : [...removeOrigins],
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** @throws UsageError */
function engineOf({ bonusEngine, bonusFallback }: Options): Change['bonusEngine'] {
  if (bonusEngine === 'none') return null;
  const fallback = optionOf('bonus-fallback', bonusEngineSchema.entries.fallback, bonusFallback);
  if (bonusEngine === undefined && fallback === undefined) return undefined;
  const isSwitch = bonusEngine === 'on' || bonusEngine === 'off';
  return {
    ...(isSwitch && { isOn: bonusEngine === 'on' }),
    ...(bonusEngine !== undefined && !isSwitch && { url: bonusEngine }),
    ...(fallback !== undefined && { fallback }),
  };
}

/** @throws UsageError */
function switchOf(option: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text !== 'on' && text !== 'off') throw new UsageError(`--${option} must be \`on\` or \`off\`.`);
  return text === 'on';
}

/** @throws UsageError */
function optionOf<Schema extends v.GenericSchema>(
  option: string,
  schema: Schema,
  value: unknown,
): v.InferOutput<Schema> | undefined {
  if (value === undefined) return undefined;
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue);
  const where = place === null ? '' : ` at ${place}`;
  // A pattern says little. Its message has the words for it.
  const expected = issue.type === 'regex' ? issue.message : issue.expected;
  throw new UsageError(`--${option} is wrong${where}${expected === null ? '' : `: expected ${expected}`}.`);
}

/** @throws UsageError for a file that cannot be read, or is no JSON */
function fileOf(file: string | undefined): unknown {
  return file === undefined ? undefined : readJson(file);
}

/** @throws UsageError */
export function checkOrigins(origins: readonly string[]): void {
  for (const origin of origins) {
    if (!v.is(originSchema, origin)) {
      throw new UsageError(`${origin} is not an origin. Write it like https://www.example.com, without a path.`);
    }
  }
}

/** `connections …`: an operator's own accounts at providers, through the same functions as the operator API (SRV-4). */
import { readFileSync } from 'node:fs';
import {
  type ConnectionList,
  type ConnectionView,
  connectionChangeSchema,
  newConnectionSchema,
  newSecretsSchema,
} from '@opencashier/contract/operator';
import { masterKeysOf, providersOfSettings } from '../assembly/connection-kinds.ts';
import {
  createConnection,
  rotateSecrets,
  testConnection,
  updateConnection,
} from '../connections/change-connections.ts';
import { kindOf, secretsToCome } from '../connections/check-connection.ts';
import { readConnections } from '../connections/connection-store.ts';
import { connectionList, connectionView } from '../connections/connection-view.ts';
import { type QuarantineView, readQuarantines } from '../connections/quarantine-store.ts';
import { rewrapConnections } from '../connections/rewrap-connections.ts';
import { counted } from '../languages/counted.ts';
import type { Actor } from '../operators/setting-history.ts';
import { type AddCommands, type Session, UsageError } from './command.ts';
import {
  actorOf,
  byOption,
  jsonOption,
  operatorArgument,
  operatorIdOf,
  print,
  type Row,
  readOptions,
} from './listing.ts';
import { collect } from './settings-commands.ts';
import { portsOf, withConnection } from './with-connection.ts';

const connectionArgument = ['<connection>', 'its name or its id, as `connections list` shows them'] as const;
const secretsOption = [
  '--secrets <file>',
  'JSON file with the secrets by name; `-`: the standard input. See docs/connections.md',
] as const;
const currenciesOption = ['--currencies <list>', 'currencies between commas; `all`: every currency'] as const;
const optionOption = ['--option <name=value>', 'what is no secret, such as productName; may be repeated'] as const;
const applied = 'Running cashiers apply it within ten seconds.';

export const addConnectionCommands: AddCommands = (program, session) => {
  const connections = program.command('connections').description('an operator’s own accounts at providers');
  connections
    .command('list', { isDefault: true })
    .description('lists the connections, without their secrets')
    .argument(...operatorArgument)
    .option(...jsonOption)
    .action((partnerKey, { json = false }) => list(session, partnerKey, json));
  connections
    .command('show')
    .description('shows one connection as JSON, without its secrets')
    .argument(...operatorArgument)
    .argument(...connectionArgument)
    .action((partnerKey, name) =>
      withConnection(session, partnerKey, name, async ({ database }, row) => {
        const quarantine = (await readQuarantines(database, row.operatorId))(row.provider, row.id);
        session.output.out(JSON.stringify(connectionView(row, publicUrlOf(session), quarantine), null, 2));
        return 0;
      }),
    );
  connections
    .command('create')
    .description('adds a connection, switched off; its secrets are sealed and never shown again')
    .argument(...operatorArgument)
    .requiredOption('--provider <name>', 'such as stripe')
    .requiredOption('--name <name>', 'what you call the connection, such as main')
    .requiredOption('--mode <test|live>', 'test: no real money moves')
    .requiredOption(...secretsOption)
    .option(...currenciesOption)
    .option(...optionOption, collect, [])
    .option(...byOption)
    .action((partnerKey, { by, currencies, option, secrets, ...rest }) => {
      const wanted = readOptions(newConnectionSchema, {
        ...rest,
        currencies: currenciesOf(currencies) ?? null,
        options: optionsOf(option) ?? {},
        secrets: secretsOf(secrets),
      });
      return create(session, partnerKey, actorOf(by), wanted);
    });
  addChanges(connections, session);
};

function addChanges(connections: ReturnType<Parameters<AddCommands>[0]['command']>, session: Session): void {
  connections
    .command('update')
    .description('changes the name, the currencies or the options')
    .argument(...operatorArgument)
    .argument(...connectionArgument)
    .option('--name <name>', 'the new name')
    .option(...currenciesOption)
    .option(...optionOption, collect, [])
    .option(...byOption)
    .action((partnerKey, connection, { by, name, currencies, option }) => {
      const change = { name, currencies: currenciesOf(currencies), options: optionsOf(option) };
      return update(session, partnerKey, connection, actorOf(by), change);
    });
  for (const [command, isEnabled, description] of [
    ['enable', true, 'lets new payments use the connection'],
    ['disable', false, 'lets no new payment use it; payments that have begun keep it'],
  ] as const) {
    connections
      .command(command)
      .description(description)
      .argument(...operatorArgument)
      .argument(...connectionArgument)
      .option(...byOption)
      .action((partnerKey, connection, { by }) => update(session, partnerKey, connection, actorOf(by), { isEnabled }));
  }
  connections
    .command('rotate')
    .description('replaces secrets; callbacks may be signed with the old ones for some hours')
    .argument(...operatorArgument)
    .argument(...connectionArgument)
    .requiredOption(...secretsOption)
    .option('--old-secrets-hours <hours>', '0: the old secrets are forgotten at once', '24')
    .option(...byOption)
    .action((partnerKey, connection, { by, secrets, oldSecretsHours }) => {
      const asked = readOptions(newSecretsSchema, {
        secrets: secretsOf(secrets),
        oldSecretsHours: Number(oldSecretsHours),
      });
      const actor = actorOf(by);
      return withConnection(session, partnerKey, connection, async (ports, { operatorId, id, name }) => {
        const after = await rotateSecrets(ports, operatorId, id, actor, asked);
        const until = after.oldSecretsUntil?.toISOString();
        session.output.out(`Replaced ${Object.keys(asked.secrets).join(', ')} of ${name}. ${applied}`);
        if (until !== undefined) session.output.out(`Callbacks may be signed with the old secrets until ${until}.`);
        return 0;
      });
    });
  connections
    .command('rewrap')
    .description('wraps the data keys of all operators by the newest master key; the secrets stay as they are')
    .option(...byOption)
    .action(({ by }) => rewrap(session, actorOf(by)));
  connections
    .command('test')
    .description('asks the provider whether it accepts the secrets; no money moves')
    .argument(...operatorArgument)
    .argument(...connectionArgument)
    .action((partnerKey, connection) =>
      withConnection(session, partnerKey, connection, async (ports, { operatorId, id }) => {
        const { result, message } = await testConnection(ports, operatorId, id);
        session.output[result === 'accepted' ? 'out' : 'error'](message);
        return result === 'accepted' ? 0 : 1;
      }),
    );
}

function list(session: Session, partnerKey: string, isJson: boolean): Promise<void> {
  const { output, config } = session;
  return session.withDatabase(async (database) => {
    const operatorId = await operatorIdOf(database, partnerKey);
    const rows = await readConnections(database, operatorId);
    const quarantineOf = await readQuarantines(database, operatorId);
    const places = { publicUrl: publicUrlOf(session), ofSettings: providersOfSettings(config()), quarantineOf };
    const { connections, installation } = connectionList(rows, places);
    print(output, connections, rowOf, isJson);
    const used = installation.filter(({ isUsed }) => isUsed).map(({ provider }) => provider);
    if (!isJson && used.length > 0) output.out(`Uses the account of the installation: ${used.join(', ')}.`);
    const apart = [...connections.map(({ name, quarantine }) => ({ name, quarantine })), ...installation.map(named)];
    for (const { name, quarantine } of isJson ? [] : apart)
      if (quarantine) output.out(quarantineLine(name, quarantine));
    return 0;
  });
}

function named({ provider, quarantine }: ConnectionList['installation'][number]) {
  return { name: `the installation’s account at ${provider}`, quarantine };
}

function quarantineLine(name: string, { state, crashes, since, until }: QuarantineView): string {
  const what = {
    suspected: 'The provider’s process crashed with calls of this account. They run in a process of their own.',
    proven: `Calls of this account crash the provider’s process. Their own process crashed ${counted(crashes, 'time')}.`,
    off: 'Calls of this account crash the provider’s process. They are refused for a while.',
  }[state];
  return `In quarantine since ${since} until ${until}: ${name}. ${what}`;
}

function rowOf(view: ConnectionView): Row {
  return {
    name: view.name,
    provider: view.provider,
    mode: view.mode,
    currencies: view.currencies?.join(',') ?? 'all',
    enabled: view.isEnabled ? 'yes' : 'no',
    test: view.lastTest?.result ?? '–',
    id: view.connectionId,
  };
}

function create(
  session: Session,
  partnerKey: string,
  actor: Actor,
  wanted: Parameters<typeof createConnection>[3],
): Promise<void> {
  const { output } = session;
  return session.withDatabase(async (database) => {
    const operatorId = await operatorIdOf(database, partnerKey);
    const ports = await portsOf(session, database);
    const made = await createConnection(ports, operatorId, actor, wanted);
    const { connectionId, callbackUrl } = connectionView(made, publicUrlOf(session));
    output.out(`Made the connection ${wanted.name} (${connectionId}). It is switched off.`);
    output.out('');
    output.out(`  address for callbacks   ${callbackUrl}`);
    output.out('');
    const toCome = secretsToCome(kindOf(ports.kinds, wanted.provider), wanted.secrets);
    if (toCome.length > 0) {
      const names = toCome.join(', ');
      output.out(
        `Still needed: ${names}. Add it by \`connections rotate ${partnerKey} ${wanted.name} --secrets FILE\`.`,
      );
    }
    output.out(`Next: \`connections test ${partnerKey} ${wanted.name}\`, then \`connections enable\`.`);
    return 0;
  });
}

function update(session: Session, partnerKey: string, connection: string, actor: Actor, change: object): Promise<void> {
  const asked = readOptions(
    connectionChangeSchema,
    Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
  );
  if (Object.keys(asked).length === 0) throw new UsageError('Give at least one of --name, --currencies, --option.');
  return withConnection(session, partnerKey, connection, async (ports, { operatorId, id }) => {
    const after = await updateConnection(ports, operatorId, id, actor, asked);
    const state = after.isEnabled ? 'enabled' : 'disabled';
    session.output.out(`Changed ${after.name}: it is ${state}. ${applied}`);
    return 0;
  });
}

/** Wraps the data keys of all operators by the newest master key. */
function rewrap({ config, output, withDatabase }: Session, actor: Actor): Promise<void> {
  return withDatabase(async (database) => {
    const { done, failed } = await rewrapConnections(database, await masterKeysOf(config()), actor);
    output.out(`Wrapped the data keys of ${counted(done, 'connection')} by the newest master key.`);
    for (const { id, why } of failed) output.error(`Connection ${id}: ${why}`);
    if (failed.length > 0) return 1;
    output.out('The older master keys can be removed from MASTER_KEY, once no backup needs them.');
    return 0;
  });
}

function publicUrlOf({ config }: Session): string {
  const { publicUrl, port } = config();
  return publicUrl ?? `http://localhost:${port}`;
}

function currenciesOf(list: string | undefined): readonly string[] | null | undefined {
  if (list === undefined) return undefined;
  return list === 'all' ? null : list.split(',').map((code) => code.trim());
}

/** @throws UsageError */
function optionsOf(given: readonly string[]): Record<string, string> | undefined {
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError('--option must be a name, an equals sign and a value.');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** The secrets are never arguments, which other users of the machine can read. @throws UsageError that repeats nothing of the file */
function secretsOf(file: string): unknown {
  const place = file === '-' ? 'the standard input' : file;
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new UsageError(`--secrets must name a file with JSON. ${place} could not be read: ${code}.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The error of the parser repeats the text, which has the secrets.
    throw new UsageError(`--secrets must name a file with JSON, such as {"secretKey": "…"}. ${place} is no JSON.`);
  }
}

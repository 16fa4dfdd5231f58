/** `routes …`: which accounts take the deposits of a method, and why, through the same functions as the operator API (SRV-4). */
import type { Command } from '@commander-js/extra-typings';
import {
  depositParams,
  type RoutesByMethod,
  type RoutingDecisionView,
  routesByMethodSchema,
} from '@opencashier/contract/operator';
import * as v from 'valibot';
import { catalogueFacts } from '../assembly/catalogue-facts.ts';
import { providersOfSettings } from '../assembly/connection-kinds.ts';
import { routePorts } from '../assembly/routing-parts.ts';
import { bundledFiles } from '../catalogue/bundled-files.ts';
import { differenceLine } from '../catalogue/own/catalogue-differences.ts';
import { readSettingsFile, writeSettingsFile } from '../catalogue/own/own-file.ts';
import { readShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { counted } from '../languages/counted.ts';
import { changeRoutes, previewRoutes, type RoutePorts, routesOverview } from '../routing/change-routes.ts';
import { readDecision } from '../routing/decision-store.ts';
import { readHealthsOf } from '../routing/health-store.ts';
import { readRoutes, readRoutesChanges } from '../routing/policy-store.ts';
import { accountName, decisionView, healthViews } from '../routing/routing-views.ts';
import { type AddCommands, CommandError, type Output, type Session } from './command.ts';
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
import { exportComment, faultsError, historyLength, readText, versionOf } from './settings-files.ts';

export const addRouteCommands: AddCommands = (program, session) => {
  const routes = program
    .command('routes')
    .description('which accounts take the deposits of a method, in which order, and why');
  addLists(routes, session);
  addApply(routes, session);
  addDecisions(routes, session);
};

function addLists(routes: Command, session: Session): void {
  const { output, withDatabase } = session;
  routes
    .command('list', { isDefault: true })
    .description('lists the routes by method')
    .argument(...operatorArgument)
    .option(...jsonOption)
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const { routes: known, warnings } = await overview(session, database, partnerKey);
        print(output, Object.entries(known), routeRow, json);
        for (const warning of warnings) output.error(`Warning: ${warning}`);
        return 0;
      }),
    );
  routes
    .command('show')
    .description('shows the route of a method as JSON')
    .argument(...operatorArgument)
    .argument('<method>', 'a method of the catalogue')
    .action((partnerKey, method) =>
      withDatabase(async (database) => {
        const { routes: known } = await overview(session, database, partnerKey);
        const route = Object.hasOwn(known, method) ? known[method] : undefined;
        if (route === undefined) throw new CommandError(`${method} has no route. Run \`routes list ${partnerKey}\`.`);
        output.out(JSON.stringify(route, null, 2));
        return 0;
      }),
    );
  routes
    .command('history')
    .description(`lists the last ${historyLength} versions: who made them, and when`)
    .argument(...operatorArgument)
    .option(...jsonOption)
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const changes = await readRoutesChanges(database, operatorId, { before: undefined, limit: historyLength });
        const rowOf = ({ version, staff, at, routes: some }: (typeof changes)[number]): Row => ({
          version,
          by: staff,
          at: at.toISOString(),
          methods: some.map(({ method }) => method).join(','),
        });
        print(output, changes, rowOf, json);
        return 0;
      }),
    );
  routes
    .command('health')
    .description('shows how well the accounts of the routes answer')
    .argument(...operatorArgument)
    .option(...jsonOption)
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const { routes: known } = await readRoutes(database, operatorId);
        const connections = await portsOf(session, database).readConnections(database, operatorId);
        const healths = await readHealthsOf(database, operatorId);
        print(output, healthViews(known, healths, connections, session.clock.now()), healthRow, json);
        return 0;
      }),
    );
}

function addApply(routes: Command, session: Session): void {
  const { output, withDatabase } = session;
  routes
    .command('apply')
    .description('replaces all routes of the operator with those of a YAML file, all or nothing')
    .argument(...operatorArgument)
    .argument('<file>', 'as in docs/routing.md')
    .option('--dry-run', 'prints what would change, and changes nothing')
    .option('--base-version <number>', 'refuses when the routes have another version by now')
    .option(...byOption)
    .action((partnerKey, file, { dryRun = false, baseVersion, by }) => {
      const { by: staff } = actorOf(by);
      const read = readFile(file);
      const base = baseVersion === undefined ? read.baseVersion : versionOf('--base-version', baseVersion);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const ports = portsOf(session, database);
        const {
          version: now,
          differences,
          warnings,
        } = await read.withPlaces(() => previewRoutes(ports, operatorId, read.routes));
        for (const difference of differences) output.out(differenceLine(difference));
        const version = base ?? now;
        if (version !== now) {
          throw new CommandError(
            `The file is based on version ${version}, but the routes have version ${now}. Export them again, then repeat the change.`,
          );
        }
        if (differences.length === 0) output.out('Nothing changes.');
        else if (dryRun) output.out(`${counted(differences.length, 'difference')}. Nothing was changed.`);
        else {
          const after = await changeRoutes(ports, operatorId, { version, staff, routes: read.routes });
          output.out(
            `The routes of ${partnerKey} now have version ${after.version}. Running cashiers apply it within ten seconds.`,
          );
        }
        for (const warning of warnings) output.error(`Warning: ${warning}`);
        return 0;
      });
    });
  routes
    .command('export')
    .description('prints the routes as a file for `routes apply`')
    .argument(...operatorArgument)
    .action((partnerKey) =>
      withDatabase(async (database) => {
        const known = await overview(session, database, partnerKey);
        const content = { baseVersion: known.version, routes: known.routes };
        output.out(writeSettingsFile(content, exportComment('Routes', partnerKey, known)).trimEnd());
        return 0;
      }),
    );
}

function addDecisions(routes: Command, session: Session): void {
  const depositArgument = ['<deposit>', 'the id of the deposit, as lists and webhooks have it'] as const;
  routes
    .command('decision')
    .description('shows why a deposit went to its account')
    .argument(...operatorArgument)
    .argument(...depositArgument)
    .option(...jsonOption)
    .action((partnerKey, deposit, { json = false }) =>
      withDecision(session, partnerKey, deposit, (view) => {
        if (json) session.output.out(JSON.stringify(view, null, 2));
        else printDecision(session.output, view);
        return 0;
      }),
    );
  routes
    .command('replay')
    .description('decides again from the stored facts; ends with 1 if this version decides otherwise')
    .argument(...operatorArgument)
    .argument(...depositArgument)
    .action((partnerKey, deposit) =>
      withDecision(session, partnerKey, deposit, ({ isReplayedAlike }) => {
        if (isReplayedAlike) session.output.out('The same order.');
        else session.output.error('Another order: the rules of this version differ from those that decided.');
        return isReplayedAlike ? 0 : 1;
      }),
    );
}

function withDecision(
  session: Session,
  partnerKey: string,
  deposit: string,
  work: (view: RoutingDecisionView) => number,
): Promise<void> {
  const { depositId } = readOptions(depositParams, { depositId: deposit });
  return session.withDatabase(async (database) => {
    const operatorId = await operatorIdOf(database, partnerKey);
    const kept = await readDecision(database, operatorId, depositId);
    if (kept === undefined) {
      throw new CommandError(
        'There is no decision about this deposit: its method had no route, or it is older than 13 months.',
      );
    }
    const connections = await portsOf(session, database).readConnections(database, operatorId);
    return work(decisionView(depositId, kept, connections));
  });
}

function printDecision({ out }: Output, view: RoutingDecisionView): void {
  const { method, strategy, version, shadow, amount, currency, country, at } = view;
  out(
    `${method}, ${strategy}, version ${version}${shadow ? ', in shadow mode' : ''}: ${amount} ${currency} from ${country} at ${at}`,
  );
  for (const [index, { because, cost, successRate, ...account }] of view.order.entries()) {
    const costs = cost === undefined ? '' : `, cost ${cost}`;
    out(`${index + 1}. ${accountName(account)}: ${because}, success rate ${Math.round(successRate * 100)} %${costs}`);
  }
  for (const { because, ...account } of view.rejected) out(`-  ${accountName(account)}: rejected, ${because}`);
}

async function overview(session: Session, database: Database, partnerKey: string) {
  return routesOverview(portsOf(session, database), await operatorIdOf(database, partnerKey));
}

function portsOf({ config }: Session, database: Database): RoutePorts {
  const settings = config();
  const facts = catalogueFacts(settings);
  return routePorts({
    database,
    mode: settings.isSandbox ? 'test' : 'live',
    ofSettings: providersOfSettings(settings),
    shipped: readShippedCatalogue(bundledFiles, () => true, facts),
  });
}

const fileSchema = v.strictObject({
  routes: routesByMethodSchema,
  /** `routes export` writes it. The file is refused when somebody has changed the routes since. */
  baseVersion: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});

/** Keys whose numbers are amounts or percentages. Written without quotes they are read as they stand, so no digit is lost. */
const amountKeys = new Set(['min', 'max', 'fixed', 'percent']);

interface RoutesFile {
  readonly routes: RoutesByMethod;
  readonly baseVersion: number | undefined;
  /** Runs a check, and gives each fault that it finds its place in the file. */
  withPlaces<Result>(check: () => Promise<Result>): Promise<Result>;
}

/** @throws UsageError for an unreadable file; CommandError that lists every fault with its place */
function readFile(file: string): RoutesFile {
  const read = readSettingsFile(fileSchema, readText(file), amountKeys);
  if (read.kind === 'faults') throw faultsError(file, read.faults);
  const { routes, baseVersion } = read.content;
  return {
    routes,
    baseVersion,
    async withPlaces(check) {
      try {
        return await check();
      } catch (error) {
        const fields = error instanceof DomainError ? error.details.fields : undefined;
        if (fields === undefined) throw error;
        throw faultsError(
          file,
          fields.map((fault) => ({ ...fault, ...read.placeOf(fault.path) })),
        );
      }
    },
  };
}

function routeRow([method, { strategy, accounts, shadow, exploration }]: [string, RoutesByMethod[string]]): Row {
  return {
    method,
    strategy: exploration > 0 ? `${strategy} (explores ${exploration} %)` : strategy,
    shadow: shadow ? 'yes' : 'no',
    accounts: accounts.map(({ connection, installation }) => connection ?? `installation (${installation})`).join(', '),
  };
}

function healthRow(view: ReturnType<typeof healthViews>[number]): Row {
  const { phase, tries, accepted, demotedUntil, ...account } = view;
  return { account: accountName(account), phase, accepted: `${accepted} of ${tries}`, until: demotedUntil ?? '–' };
}

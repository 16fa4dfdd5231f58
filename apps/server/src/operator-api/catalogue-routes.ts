/** The catalogue's part of the API for backends of operators: what is offered, in which order, within which limits (SRV-1). */
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as v from 'valibot';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { changeSettings, type SettingsChange } from '../catalogue/change-settings.ts';
import { readChanges, readSettings } from '../catalogue/settings-store.ts';
import type { ShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { readRequest as read } from '../requests/invalid-request.ts';
import { catalogueOverview } from './catalogue-overview.ts';
import {
  catalogueRequestSchema,
  changeList,
  changesQuerySchema,
  groupRequestSchema,
  methodRequestSchema,
} from './catalogue-schemas.ts';

export interface OperatorCatalogue {
  readonly shipped: ShippedCatalogue;
  /** Told of each change; other nodes see it by themselves. */
  readonly catalogue: Pick<Catalogue, 'follow'>;
}

/** Limits of every method in every currency are more than other requests carry. */
const bodyLimitBytes = 256 * 1024;

const nameSchema = v.object({ name: v.string() });

/** @param scope whose requests are authenticated and carry their operator */
export function registerCatalogueRoutes(
  scope: FastifyInstance,
  database: Database,
  { shipped, catalogue }: OperatorCatalogue,
): void {
  const isMethod = (name: string) => shipped.methods.some(({ entry }) => entry.name === name);
  const isGroup = (name: string) => shipped.groups.some((group) => group.name === name);

  const put = async (
    reply: FastifyReply,
    operatorId: string,
    { version, staff }: { readonly version: number; readonly staff: string },
    change: SettingsChange,
  ) => {
    const stored = await changeSettings(database, shipped, operatorId, { version, staff, change });
    await catalogue.follow(operatorId, stored.version);
    return noStore(reply).send(catalogueOverview(shipped, stored));
  };

  scope.get('/catalogue', async ({ operatorId = '' }, reply) =>
    noStore(reply).send(catalogueOverview(shipped, await readSettings(database, operatorId))),
  );

  scope.put('/catalogue', { bodyLimit: bodyLimitBytes }, async ({ operatorId = '', body }, reply) => {
    const { methods, groups, ...who } = read(catalogueRequestSchema, body);
    return put(reply, operatorId, who, { kind: 'all', settings: { methods, groups } });
  });

  scope.put('/catalogue/methods/:name', async ({ operatorId = '', params, body }, reply) => {
    const { name } = read(nameSchema, params);
    if (!isMethod(name)) throw new DomainError('not-found', 'There is no such method.');
    const { version, staff, ...own } = read(methodRequestSchema, body);
    return put(reply, operatorId, { version, staff }, { kind: 'methods', own: { [name]: own } });
  });

  scope.put('/catalogue/groups/:name', async ({ operatorId = '', params, body }, reply) => {
    const { name } = read(nameSchema, params);
    if (!isGroup(name)) throw new DomainError('not-found', 'There is no such group.');
    const { version, staff, ...own } = read(groupRequestSchema, body);
    return put(reply, operatorId, { version, staff }, { kind: 'groups', own: { [name]: own } });
  });

  scope.get('/catalogue/changes', async ({ operatorId = '', query }, reply) => {
    const { cursor, limit } = read(changesQuerySchema, query);
    const found = await readChanges(database, operatorId, { before: cursor?.version, limit: limit + 1 });
    const { page, next } = changeList.pageOf(found, limit, ({ version }) => ({ version }));
    return noStore(reply).send({
      changes: page.map(({ version, staff, at, settings }) => ({ version, staff, at: at.toISOString(), ...settings })),
      ...next,
    });
  });
}

function noStore(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store');
}

/** The mappings of an operator: how each of its settlement files is read. */
import { type MappingView, type SettlementMapping, settlementMappingSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import type { Database, Queryable } from '../database/database.ts';
import { DomainError, invalidFields } from '../errors/domain-error.ts';
import { type Actor, recordSettingChange } from '../operators/setting-history.ts';

interface MappingRow {
  readonly provider: string;
  readonly name: string;
  readonly mapping: unknown;
  readonly by: string;
  readonly changedAt: Date;
}

const columns = `provider, name, mapping, by, changed_at as "changedAt"`;

export async function listMappings(queryable: Queryable, operatorId: string): Promise<MappingView[]> {
  const rows = await queryable.query<MappingRow>({
    text: `select ${columns} from settlement_mapping where operator_id = $1 order by provider, name`,
    values: [operatorId],
  });
  return rows.map(viewOf);
}

/** @throws DomainError not-found */
export async function findMapping(
  queryable: Queryable,
  operatorId: string,
  provider: string,
  name: string,
): Promise<SettlementMapping> {
  const [found] = await queryable.query<MappingRow>({
    text: `select ${columns} from settlement_mapping where operator_id = $1 and provider = $2 and name = $3`,
    values: [operatorId, provider, name],
  });
  if (found !== undefined) return viewOf(found).mapping;
  throw new DomainError('not-found', `There is no mapping ${name} for ${provider}. Set it first.`);
}

/** Sets a mapping and records the change. @throws DomainError invalid-request for a mapping that cannot read any file */
export async function putMapping(
  database: Database,
  operatorId: string,
  actor: Actor,
  { provider, name, mapping }: Pick<MappingView, 'provider' | 'name' | 'mapping'>,
): Promise<MappingView> {
  refuseUseless(mapping);
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'select 1 from operator where id = $1 for no key update', values: [operatorId] });
    const before = (await listMappings(transaction, operatorId)).find(
      (known) => known.provider === provider && known.name === name,
    );
    const [row] = await transaction.query<MappingRow>({
      text: `insert into settlement_mapping (operator_id, provider, name, mapping, by, key_id) values ($1, $2, $3, $4, $5, $6)
        on conflict (operator_id, provider, name) do update
        set mapping = excluded.mapping, by = excluded.by, key_id = excluded.key_id, changed_at = now()
        returning ${columns}`,
      values: [operatorId, provider, name, JSON.stringify(mapping), actor.by, actor.keyId ?? null],
    });
    if (row === undefined) throw new Error('The mapping was not written');
    await recordSettingChange(transaction, {
      operatorId,
      setting: `settlement-mapping ${provider} ${name}`,
      ...actor,
      before: before?.mapping,
      after: mapping,
    });
    return viewOf(row);
  });
}

function viewOf({ provider, name, mapping, by, changedAt }: MappingRow): MappingView {
  return {
    provider,
    name,
    mapping: v.parse(settlementMappingSchema, mapping),
    changedBy: by,
    changed: changedAt.toISOString(),
  };
}

function refuseUseless(mapping: SettlementMapping): void {
  if (mapping.format !== 'csv') return;
  const { columns: named, currency, kind, kinds, decimalSeparator, groupSeparator } = mapping;
  const wrong: { path: string; message: string }[] = [];
  if (named.currency === undefined && currency === undefined) {
    wrong.push({ path: 'mapping.currency', message: 'Name the column of the currency, or the currency of all lines.' });
  }
  if (named.kind === undefined && kind === undefined) {
    wrong.push({ path: 'mapping.kind', message: 'Name the column of the kind, or the kind of all lines.' });
  }
  if (named.kind !== undefined && Object.keys(kinds).length === 0) {
    wrong.push({
      path: 'mapping.kinds',
      message: 'Say what the words of the column mean, such as {"charge": "payment"}.',
    });
  }
  if (decimalSeparator === groupSeparator) {
    wrong.push({ path: 'mapping.groupSeparator', message: 'Thousands and decimals cannot have the same separator.' });
  }
  if (wrong.length > 0) throw invalidFields('The mapping cannot read any file.', wrong);
}

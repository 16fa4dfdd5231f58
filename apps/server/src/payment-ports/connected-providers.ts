/** Which provider, and which of an operator's accounts there, a payment uses. A payment keeps its connection for ever (SRV-4). */
import { DomainError } from '../errors/domain-error.ts';
import type { Provider } from '../providers/provider.ts';

/** The connection of a payment. Null: the account in the settings of the server. */
export interface PaymentConnection {
  readonly operatorId: string;
  readonly provider: string;
  readonly connectionId: string | null;
}

/** The account for a new payment. */
export interface ChosenAccount {
  /** The name of the provider. */
  readonly provider: string;
  /** Null: the account in the settings of the server. */
  readonly connection: { readonly id: string; readonly version: number } | null;
  /** Whether the provider pays out. */
  readonly paysOut: boolean;
}

/** The connections of operators, opened on demand. */
export interface ConnectedProviders {
  /** The operator's own connection for a new payment. `installation` and `none` as in `connectionFor` of core. */
  choose(operatorId: string, provider: string, currency: string): ChosenAccount | 'installation' | 'none';
  /**
   * The provider that uses a connection, also when the connection is disabled. Undefined: there is no such connection, or this server
   * cannot open its secrets now, which the log says.
   */
  open(connection: PaymentConnection & { readonly connectionId: string }): Promise<Provider | undefined>;
  /** As `open`, for a callback, which names no operator. */
  openForCallback(provider: string, connectionId: string): Promise<Provider | undefined>;
  /** Whether operators can have connections to a provider of this name. */
  isKnown(provider: string): boolean;
  /** Whether a provider refunds payments, by its name. */
  refunds(provider: string): boolean;
  /** Reads the connections of an operator again. */
  follow(operatorId: string): Promise<void>;
}

/** Where the providers of payments come from. */
export interface Accounts {
  /** The providers of the server's own settings, by their name. */
  readonly providers: ReadonlyMap<string, Provider>;
  /** Operators' own accounts at providers. Absent: no operator has one. */
  readonly connections?: ConnectedProviders;
}

/** The account for a new payment. Undefined: none takes it. */
export function chooseAccount(
  { providers, connections }: Accounts,
  operatorId: string,
  provider: string,
  currency: string,
): ChosenAccount | undefined {
  const chosen = connections?.choose(operatorId, provider, currency) ?? 'installation';
  if (chosen === 'none') return undefined;
  if (chosen !== 'installation') return chosen;
  const shared = providers.get(provider);
  return shared && { provider, connection: null, paysOut: shared.withdrawals !== undefined };
}

/** Whether the refusal of a new payment may end with a connection that was enabled a moment ago. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'method-unavailable';
}

/** The provider of a payment's connection. Undefined: it cannot be asked now. */
export async function providerOf(
  { providers, connections }: Accounts,
  { operatorId, provider, connectionId }: PaymentConnection,
): Promise<Provider | undefined> {
  if (connectionId === null) {
    const shared = providers.get(provider);
    return shared?.forOperator?.(operatorId) ?? shared;
  }
  return connections?.open({ operatorId, provider, connectionId });
}

/** Whether the provider of a payment refunds. It opens no connection, so a transaction may ask. */
export function canRefund(
  { providers, connections }: Accounts,
  { provider, connectionId }: PaymentConnection,
): boolean {
  if (connectionId === null) return providers.get(provider)?.refund !== undefined;
  return connections?.refunds(provider) === true;
}

/**
 * The condition under which a new payment may still use its account. With a connection: the connection is enabled and as it was when the
 * request was checked. Without one: the operator has never enabled a connection to the provider.
 * The arguments become SQL text, so they must never be input.
 */
export const isConnectionInForce = (operator: string, provider: string, id: string, version: string): string =>
  `case when ${id} is null
      then not exists (select 1 from provider_connection own
        where own.operator_id = ${operator} and own.provider = ${provider} and own.first_enabled_at is not null)
      else exists (select 1 from provider_connection own
        where own.operator_id = ${operator} and own.id = ${id} and own.version = ${version} and own.enabled) end`;

const SEPARATOR = '/';

/** Where callbacks and reports come from: a provider, or one connection to it. Each waits in a lane of its own. */
export function sourceOf(provider: string, connectionId: string | undefined): string {
  return connectionId === undefined ? provider : `${provider}${SEPARATOR}${connectionId}`;
}

/** The provider's name in a source, for metrics, traces and logs. */
export function providerOfSource(source: string): string {
  return source.split(SEPARATOR, 1)[0] ?? source;
}

/** The provider of a source. Undefined: it is not set up, or cannot be asked now. */
export async function providerAt(accounts: Accounts, source: string): Promise<Provider | undefined> {
  const [name = '', connectionId] = source.split(SEPARATOR);
  if (connectionId === undefined) return accounts.providers.get(name);
  return accounts.connections?.openForCallback(name, connectionId);
}

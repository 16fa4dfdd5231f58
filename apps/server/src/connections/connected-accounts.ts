/** Opens connections on demand, and keeps the opened providers until their connection changes. */
import { type ConnectionMode, connectionFor } from '@opencashier/core/connections/connection-for';
import type { Clock } from '@opencashier/core/time/clock';
import type { Logger } from '../observability/logger.ts';
import type { ConnectedProviders } from '../payment-ports/connected-providers.ts';
import type { ConnectionKinds, OpenAccount, OpenedAccount } from '../providers/connection-kind.ts';
import type { Provider } from '../providers/provider.ts';
import type { MasterKeys } from '../sealing/master-keys.ts';
import { connectedProvider } from './connected-provider.ts';
import { accountOf, openSecrets, type SecretContent, validOldSecrets } from './connection-secrets.ts';
import type { ConnectionRow } from './connection-store.ts';
import type { FollowedConnections } from './followed-connections.ts';

export interface AccountParts {
  readonly followed: FollowedConnections;
  readonly kinds: ConnectionKinds;
  readonly openers: ReadonlyMap<string, OpenAccount>;
  readonly masterKeys: MasterKeys;
  readonly mode: ConnectionMode;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
  /** Adds metrics and traces to the calls of a provider. */
  wrap(provider: Provider): Provider;
}

export interface ConnectedAccounts extends ConnectedProviders {
  /** The opened account of a connection, for a provider that runs inside the server. */
  accountOf(connectionId: string): Promise<OpenedAccount | undefined>;
}

interface Opened {
  readonly version: number;
  /** When the old secrets end, in milliseconds since the epoch. */
  readonly until: number;
  readonly provider: Provider;
}

export function createConnectedAccounts(parts: AccountParts): ConnectedAccounts {
  const { followed, kinds, mode } = parts;
  const contentOf = createContents(parts);
  const opened = new Map<string, Opened>();

  const openRow = async (row: ConnectionRow): Promise<Provider | undefined> => {
    const now = parts.clock.now();
    const known = opened.get(row.id);
    if (known !== undefined && known.version === row.version && known.until > now) return known.provider;
    const open = parts.openers.get(row.provider);
    const content = open && (await contentOf(row));
    if (open === undefined || content === undefined) return undefined;
    const account = accountOf(row, content, now);
    const ends = [...validOldSecrets(row, content, now).values()].map(({ until }) => until);
    const provider = parts.wrap(connectedProvider(open(account), { connectionId: row.id, operatorId: row.operatorId }));
    opened.set(row.id, { version: row.version, until: Math.min(Number.POSITIVE_INFINITY, ...ends), provider });
    return provider;
  };

  return {
    choose(operatorId, provider, currency) {
      const chosen = connectionFor(followed.of(operatorId), { provider, currency, mode });
      if (chosen.kind !== 'own') return chosen.kind;
      const { id, version } = chosen.connection;
      const paysOut = kinds.get(provider)?.paysOut === true;
      return { provider, connection: { id, version }, paysOut };
    },
    async open({ operatorId, provider, connectionId }) {
      const row = await followed.find(connectionId);
      return row?.operatorId === operatorId && row.provider === provider ? openRow(row) : undefined;
    },
    async openForCallback(provider, connectionId) {
      const row = await followed.find(connectionId);
      return row?.provider === provider ? openRow(row) : undefined;
    },
    async accountOf(connectionId) {
      const row = await followed.find(connectionId);
      const content = row && (await contentOf(row));
      return row && content && accountOf(row, content, parts.clock.now());
    },
    isKnown: (provider) => kinds.has(provider),
    refunds: (provider) => kinds.get(provider)?.refunds === true,
    follow: followed.follow,
  };
}

/** After a failure nobody tries again for so long: a key management service that is down must not be asked for every payment. ms. */
const AFTER_FAILURE_MS = 1_000;

interface Content {
  readonly sealed: Buffer;
  readonly read: Promise<SecretContent | undefined>;
  /** Milliseconds since the epoch. Undefined: it was read, or is being read. */
  failedAt?: number;
}

/**
 * Reads the secrets of each connection once, and again only when other secrets are sealed. So a connection that is open stays open while
 * a key management service does not answer.
 */
function createContents({ masterKeys, clock, logger }: AccountParts) {
  const contents = new Map<string, Content>();
  return (row: ConnectionRow): Promise<SecretContent | undefined> => {
    const known = contents.get(row.id);
    const isFailed = known?.failedAt !== undefined && clock.now() - known.failedAt >= AFTER_FAILURE_MS;
    if (known !== undefined && !isFailed && known.sealed.equals(row.sealed)) return known.read;
    const content: Content = {
      sealed: row.sealed,
      read: openSecrets(masterKeys, row).catch((error: unknown) => {
        content.failedAt = clock.now();
        const { id: connection, operatorId: operator, provider } = row;
        logger.error({ connection, operator, provider, err: error }, 'the secrets of a connection could not be opened');
        return undefined;
      }),
    };
    contents.set(row.id, content);
    return content.read;
  };
}

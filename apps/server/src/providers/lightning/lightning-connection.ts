/** Connections of operators to their own Lightning nodes. The settings of the server name the nodes that it may ask. */
import type { Clock } from '@opencashier/core/time/clock';
import type { AccountTest, ConnectionKind, OpenAccount, OpenedAccount } from '../connection-kind.ts';
import { createLightningProvider } from './lightning.ts';
import { NodeRefusalError } from './lightning-node.ts';
import type { MoneyKind } from './lightning-reports.ts';
import { createPhoenixdNode } from './phoenixd-node.ts';

export interface LightningKindParts {
  /** The addresses of nodes that connections may use, as LIGHTNING_NODES names them. At least one. */
  readonly nodes: readonly string[];
  readonly money: MoneyKind;
  readonly clock: Clock;
}

const password = { form: /^[\x21-\x7e]{16,256}$/, meaning: '16 to 256 characters without spaces' };

export function lightningConnections({ nodes, money }: LightningKindParts): ConnectionKind {
  const exact = nodes.map((node) => node.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');
  return {
    secrets: {
      password: { ...password, isNeeded: 'to-create' },
      webhookSecret: { ...password, isNeeded: 'to-enable' },
    },
    options: {
      // Any other address would let an operator send requests into the network of the installation.
      node: { form: new RegExp(`^(?:${exact})$`), meaning: 'an address that LIGHTNING_NODES of this server names' },
      description: { form: /^[^\p{Cc}]{1,100}$/u, meaning: 'a text of 1 to 100 characters' },
    },
    paysOut: false,
    refunds: false,
    hasOwnTime: true,
    modeOf: () => undefined,
    test: (account) => testAccount(account, nodes, money),
  };
}

/** Makes a provider of an operator's account. */
export function openLightningAccount({ nodes, money, clock }: LightningKindParts): OpenAccount {
  return (account) => {
    const { secrets, oldSecrets, options } = account;
    return createLightningProvider({
      node: nodeOf(account, nodes),
      webhookSecrets: [secrets['webhookSecret'], oldSecrets?.['webhookSecret']].flatMap((secret) => secret ?? []),
      description: options['description'] ?? 'Deposit',
      money,
      clock,
    });
  };
}

/** The first node where the connection names none, or one that the settings do not name any more. */
function nodeOf({ secrets, options }: OpenedAccount, nodes: readonly string[]) {
  const url = nodes.find((node) => node === options['node']) ?? (options['node'] === undefined ? nodes[0] : undefined);
  // `.invalid` belongs to nobody, so requests end as from a node that is down.
  return createPhoenixdNode({ url: url ?? 'https://node.invalid', password: secrets['password'] ?? '' });
}

async function testAccount(account: OpenedAccount, nodes: readonly string[], money: MoneyKind): Promise<AccountTest> {
  try {
    const network = await nodeOf(account, nodes).network();
    if ((network === 'mainnet') === (money === 'real')) {
      return { result: 'accepted', message: `The node accepts the password. It is on ${shownNetwork(network)}.` };
    }
    const advice =
      money === 'real' ? 'This server needs a node on mainnet.' : 'A sandbox needs a node on a test network.';
    return { result: 'refused', message: `The node is on ${shownNetwork(network)}. ${advice}` };
  } catch (error) {
    if (error instanceof NodeRefusalError) {
      return { result: 'refused', message: 'The node refuses the password. Copy it again from phoenix.conf.' };
    }
    return {
      result: 'unreachable',
      message: 'The node did not answer, so nobody knows whether the password works. Try again.',
    };
  }
}

/** The network as the node names it, where the name is safe to show. */
const shownNetwork = (network: string): string => (/^[a-z0-9]{1,20}$/.test(network) ? network : 'an unknown network');

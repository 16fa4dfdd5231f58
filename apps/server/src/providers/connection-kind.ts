/**
 * The interface of a provider to which operators have connections: accounts of their own (SRV-4). The kind says which secrets an account
 * needs.
 */
import type { ConnectionMode } from '@opencashier/core/connections/connection-for';
import type { Provider } from './provider.ts';

/** The form of a secret or of an option. Messages name the form, and never the value. */
export interface ValueForm {
  readonly form: RegExp;
  /** What it must be, behind "must be". */
  readonly meaning: string;
}

export interface SecretForm extends ValueForm {
  /** `to-enable`: it is known only after the connection has its address for callbacks. */
  readonly isNeeded: 'to-create' | 'to-enable';
}

/** An operator's account with its opened secrets. Never log it, and never put it into an error. */
export interface OpenedAccount {
  readonly operatorId: string;
  /** The id of the connection. */
  readonly connectionId: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** The secrets before the last change, while callbacks may still be signed with them. */
  readonly oldSecrets?: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
}

/** `refused`: the secrets are wrong. `may-not-read`: they are right, but lack a right. `unreachable`: nobody knows. */
export type AccountTestResult = 'accepted' | 'refused' | 'may-not-read' | 'unreachable';

export interface AccountTest {
  readonly result: AccountTestResult;
  /** What it means and what to do. It contains no secret. */
  readonly message: string;
}

export interface ConnectionKind {
  readonly secrets: Readonly<Record<string, SecretForm>>;
  readonly options: Readonly<Record<string, ValueForm>>;
  readonly paysOut: boolean;
  readonly refunds: boolean;
  /** True: the company has a time of its own, so the clock of a sandbox must not be moved. */
  readonly hasOwnTime: boolean;
  /** The mode that the secrets themselves show. Undefined: they show none. */
  modeOf(secrets: Readonly<Record<string, string>>): ConnectionMode | undefined;
  /** Asks the company by a request that moves no money. Never throws, and ends within ten seconds. */
  test(account: OpenedAccount): Promise<AccountTest>;
}

/** Makes a provider that uses an account. */
export type OpenAccount = (account: OpenedAccount) => Provider;

/** The kinds of this server, by the name of the provider. */
export type ConnectionKinds = ReadonlyMap<string, ConnectionKind>;

/** Methods, groups, countries and currencies as data, per operator (LIST-7). */
import type { ConfirmationChannel, FormField, MethodList, PaymentMethod } from '@opencashier/contract/api';

/** A method as the server keeps it: what the widget sees, and which provider carries it out. */
export interface CatalogueMethod extends PaymentMethod {
  readonly provider: string;
  readonly countries: readonly string[];
  readonly directions: readonly ('deposit' | 'withdrawal')[];
  /** Asked for by `deposit-prepare`, beyond `fields`; the create call carries and checks them like those. */
  readonly preparationFields: readonly FormField[];
  /** Words for the provider alone; each provider documents its own. */
  readonly providerOptions?: Readonly<Record<string, string>>;
  /** Whoever pays decides how much: what comes is credited, from the asked amount on (CRY-1). Never a client's to say. */
  readonly isOpenAmount?: boolean;
  /** Coin boxes can be bought by it (SWP-1). */
  readonly sellsBoxes?: boolean;
  /** Withdrawals by it are confirmed by a code that the operator sends (WD-2). */
  readonly confirmationCode?: { readonly channel: ConfirmationChannel } | undefined;
}

export interface Country {
  readonly code: string;
  readonly name: string;
  readonly currencies: readonly string[];
}

export interface Catalogue {
  countries(operatorId: string): readonly Country[];
  /** Groups and methods offered for a country and a currency, in order of position; empty where there are none. */
  list(query: {
    readonly operatorId: string;
    readonly direction: 'deposit' | 'withdrawal';
    readonly country: string;
    readonly currency: string;
    /** Texts are narrowed to it and English. */
    readonly language: string;
  }): MethodList;
  /** One method as offered there, or `undefined`. Without a country or a currency: wherever the operator offers it. */
  method(query: {
    readonly operatorId: string;
    readonly name: string;
    readonly currency?: string;
    readonly country?: string;
  }): CatalogueMethod | undefined;
  /** A method as it ships, whatever operators have switched off: for payments that were begun before. */
  shipped(name: string): CatalogueMethod | undefined;
  /** Of the operator's settings that this answers by now; 0 where it has none. */
  version(operatorId: string): number;
  /**
   * Brings the operator's settings up to what the database has.
   * @param version that the database was seen to have: nothing is asked when it is the known one. Absent: it is asked
   */
  follow(operatorId: string, version?: number): Promise<void>;
}

/** Methods, groups, countries and currencies as data, per operator (LIST-7). */
import type { ConfirmationChannel, FormField, MethodList, PaymentMethod } from '@opencashier/contract/api';

/** A method on the server: the widget's view, and the provider that executes it. */
export interface CatalogueMethod extends PaymentMethod {
  readonly provider: string;
  readonly countries: readonly string[];
  readonly directions: readonly ('deposit' | 'withdrawal')[];
  /** Fields of `deposit-prepare`, beyond `fields`. The create call contains and checks them, too. */
  readonly preparationFields: readonly FormField[];
  /** Options for the provider only. Each provider documents its own. */
  readonly providerOptions?: Readonly<Record<string, string>>;
  /**
   * The payer decides the amount: any received amount from the requested amount on is credited (CRY-1).
   * A client cannot set this.
   */
  readonly isOpenAmount?: boolean;
  /** Steps for the payer, by language. Shown where the provider sends no instruction of its own. */
  readonly instruction?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The method can buy coin boxes (SWP-1). */
  readonly sellsBoxes?: boolean;
  /** Withdrawals by this method are confirmed by a code that the operator sends (WD-2). */
  readonly confirmationCode?: { readonly channel: ConfirmationChannel } | undefined;
}

export interface Country {
  readonly code: string;
  readonly name: string;
  readonly currencies: readonly string[];
}

/** The catalogue of every operator, with its settings applied (LIST-1, LIST-7). */
export interface Catalogue {
  countries(operatorId: string): readonly Country[];
  /** The groups and methods for a country and a currency, by position. Empty when there are none. */
  list(query: {
    readonly operatorId: string;
    readonly direction: 'deposit' | 'withdrawal';
    readonly country: string;
    readonly currency: string;
    /** Texts are narrowed to this language and English. */
    readonly language: string;
  }): MethodList;
  /** One offered method, or `undefined`. Without a country or a currency: wherever the operator offers the method. */
  method(query: {
    readonly operatorId: string;
    readonly name: string;
    readonly currency?: string;
    readonly country?: string;
  }): CatalogueMethod | undefined;
  /** A method even if the operator has disabled or removed it, for payments that already started. */
  started(operatorId: string, name: string): CatalogueMethod | undefined;
  /** The drawing of any operator's own icon by its public name, as SVG. The name is made of the content. */
  ownIcon(id: string): string | undefined;
  /** Whether the page of the widget may show the operator's list before it knows the user. */
  isListInPage(operatorId: string): boolean;
  /** The version of the operator's settings in memory; 0 when the operator has none. */
  version(operatorId: string): number;
  /**
   * Updates the operator's settings from the database.
   * @param version the version in the database: an equal version needs no query. Absent: the settings are read
   */
  follow(operatorId: string, version?: number): Promise<void>;
}

/** What a catalogue must know of a provider to check methods over it, without asking its company. */

export interface ProviderFacts {
  /** Whether this server has the settings that the provider needs. */
  readonly isSetUp: boolean;
  /** Whether the provider pays out. */
  readonly paysOut: boolean;
  /** Whether it pays out by refunds alone, so that its withdrawal methods need the flag `paysToPaidCards`. */
  readonly paysToPaidCardsOnly?: boolean;
  /** The provider's own limits in a currency, as decimal strings. No catalogue goes beyond them. Absent: it declares none. */
  readonly limitsOf?: (currency: string) => { readonly min?: string; readonly max?: string } | undefined;
  /** The values of an option that takes only some, by the option's name. Other options take any text. */
  readonly options?: Readonly<Record<string, readonly string[]>>;
}

/** What a server knows beside the files of its catalogue. */
export interface CatalogueFacts {
  /** By the provider's name. Absent: the providers that shipped methods name, without limits of their own. */
  readonly providers?: ReadonlyMap<string, ProviderFacts>;
  /** The names of the icons that the built widget has. Absent: any name is accepted. */
  readonly icons?: ReadonlySet<string> | undefined;
}

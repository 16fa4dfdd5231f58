/** How a package makes its provider. */
import { ManifestError, OPTIONAL_METHODS, type OptionalMethod, type ProviderManifest } from './manifest.ts';
import type { Provider } from './provider.ts';

/** What the cashier gives to a package. */
export interface ProviderSetup {
  /** The values of the manifest's `secrets`, by their names. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The values of the manifest's `settings`, by their names. */
  readonly settings: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The export `createProvider` of a package. Throw an error that says what is wrong with a setting; it stops the start. */
export type CreateProvider = (setup: ProviderSetup) => Provider | Promise<Provider>;

/**
 * Checks that a provider has exactly the methods that its manifest declares.
 * @throws ManifestError
 */
export function checkProvider(manifest: ProviderManifest, provider: Provider): void {
  if (provider.name !== manifest.name) {
    throw new ManifestError(`provider.json: name is ${manifest.name}, and the provider calls itself ${provider.name}.`);
  }
  for (const method of OPTIONAL_METHODS) {
    const has = provider[method as OptionalMethod] !== undefined;
    if (has !== manifest.does.includes(method)) {
      throw new ManifestError(
        has
          ? `provider.json: does lacks ${method}, which the provider has.`
          : `provider.json: does names ${method}, which the provider lacks.`,
      );
    }
  }
}

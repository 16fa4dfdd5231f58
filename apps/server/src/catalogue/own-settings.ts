/** What an operator changed of the shipped catalogue; the contract says which settings there are. */
import type { CatalogueSettings } from '@opencashier/contract/operator';

export const noSettings: CatalogueSettings = { methods: {}, groups: {} };

/** The settings of one name. A name such as `constructor` has none. */
export function settingOf<Setting>(settings: Readonly<Record<string, Setting>>, name: string): Setting | undefined {
  return Object.hasOwn(settings, name) ? settings[name] : undefined;
}

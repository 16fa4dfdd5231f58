/** Paths of a withdrawal's screens. They name its key, so that a reload finds it again (NAV-7). */

export const confirmPath = (tree: string, withdrawalId: string): string =>
  `${tree}/confirm?${new URLSearchParams({ withdrawalId })}`;

export const completePath = (tree: string, withdrawalId: string): string =>
  `${tree}/complete?${new URLSearchParams({ withdrawalId })}`;

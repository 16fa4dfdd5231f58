/** Who can sign in here. A demo asks for no password; an operator has its own sign-in. */

export interface User {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly currency: string;
}

export const demoUsers: readonly User[] = [
  { id: 'ada', name: 'Ada', country: 'DE', currency: 'USD' },
  { id: 'anita', name: 'Anita', country: 'IN', currency: 'INR' },
  { id: 'joao', name: 'João', country: 'BR', currency: 'BRL' },
  { id: 'aigerim', name: 'Aigerim', country: 'KZ', currency: 'KZT' },
];

const guest = /^guest-[a-z0-9]{1,32}$/;

/** A listed user, or a guest: `guest-` and up to 32 letters or digits, so that anybody can begin with an empty balance. */
export function findUser(id: unknown): User | undefined {
  if (typeof id !== 'string') return undefined;
  const listed = demoUsers.find((user) => user.id === id);
  return listed ?? (guest.test(id) ? { id, name: 'Guest', country: 'DE', currency: 'USD' } : undefined);
}

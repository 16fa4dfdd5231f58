/** The addresses that a command may save, because the server will call them. */
import { leadsInside, webhookAddressProblem } from '../webhooks/webhook-address.ts';
import { CommandError, type Session, UsageError } from './command.ts';

type AddressOption = '--webhook-url' | '--wallet-url';

function refusal(option: AddressOption, problem: string): string {
  return `${option} must begin with https://, contain no user, and lead to a public address. Only SANDBOX=1 allows others. (${problem})`;
}

/** Checks the text of an address. @throws UsageError */
export function checkAddress(
  { config }: Pick<Session, 'config'>,
  option: AddressOption,
  address: string | undefined,
): void {
  const problem = address === undefined ? undefined : webhookAddressProblem(address, config().isSandbox);
  if (problem !== undefined) throw new UsageError(refusal(option, problem));
}

/** Resolves the name of an address. @throws CommandError if it leads to a private address */
export async function refuseInside(
  { config }: Pick<Session, 'config'>,
  option: AddressOption,
  address: string | undefined,
): Promise<void> {
  if (address === undefined || config().isSandbox || !(await leadsInside(address))) return;
  throw new CommandError(refusal(option, 'its name leads to a private address'));
}

/** The command that lets further pages of an operator show the cashier. */
import { parseArgs } from 'node:util';
import { addOrigins } from '../operators/manage-operators.ts';
import { type Command, CommandError, UsageError } from './command.ts';

/** @throws UsageError where it is no origin, letter by letter as a browser says it */
export function checkOrigin(origin: string): void {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin || !/^https?:/.test(origin)) {
    throw new UsageError(`An origin is such as https://www.example.com, without a path: not ${origin}`);
  }
}

export const addOriginCommand: Command = ({ args, output }) => {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
  const [partnerKey, ...origins] = positionals;
  if (partnerKey === undefined || origins.length === 0) {
    throw new UsageError('Give the public name of the operator, and each origin that shows the cashier.');
  }
  for (const origin of origins) checkOrigin(origin);
  return async (database) => {
    const all = await addOrigins(database, partnerKey, origins);
    if (all === undefined) throw new CommandError(`There is no operator ${partnerKey}.`);
    output.out(`Pages of ${partnerKey}: ${all.join(' ')}. A running cashier knows them within ten seconds.`);
    return 0;
  };
};

/** Options that mean nothing without another one are refused, so that no command leaves out silently what was asked. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from './command.ts';

/** For each option, those of which it needs one. The names are the long ones. */
export type OptionNeeds = Readonly<Record<`--${string}`, readonly `--${string}`[]>>;

/** A hook for `preAction`. An option that has only its default is not given. @throws UsageError that names what is missing */
export function optionNeeds(needs: OptionNeeds): (command: CommandUnknownOpts) => void {
  return (command) => {
    const isGiven = (name: string): boolean => {
      const option = command.options.find(({ long }) => long === name);
      if (option === undefined) throw new Error(`${command.name()} has no option ${name}`);
      return command.getOptionValueSource(option.attributeName()) === 'cli';
    };
    for (const [name, others] of Object.entries(needs)) {
      if (!isGiven(name) || others.some(isGiven)) continue;
      throw new UsageError(`${name} does nothing without ${others.join(' or ')}. Give both, or leave ${name} out.`);
    }
  };
}

/** `clock`: shows and moves the time of a sandbox, so that nobody waits for an expiry (docs/sandbox.md). */
import { mostSecondsOfMove, type SandboxClock } from '@opencashier/contract/operator';
import { isClockMovable } from '../assembly/foundations.ts';
import { moved, readClock } from '../sandbox-clock/clock-view.ts';
import { advanceClock, resetClock } from '../sandbox-clock/move-clock.ts';
import { type AddCommands, CommandError, type Output, type Session, UsageError } from './command.ts';

export const addClockCommands: AddCommands = (program, session) => {
  const { output, clock: machine, withDatabase } = session;
  const clock = program.command('clock').description('the time of a sandbox, for all its operators and nodes');
  clock
    .command('show', { isDefault: true })
    .description('shows the time of the sandbox, and how far it is ahead')
    .action(() =>
      withDatabase(async (database) => {
        print(output, await readClock(database, machine));
        return 0;
      }),
    );
  clock
    .command('advance')
    .description('moves the time ahead; what is due then follows within seconds')
    .argument('<time>', 'such as 90s, 30m, 2h or 7d; at most a year')
    .action((time) => {
      const seconds = secondsOf(time);
      requireMovable(session);
      return withDatabase(
        async (database) => {
          print(output, await moved(database, machine, (of) => advanceClock(of, seconds)));
          return 0;
        },
        { asOwner: true },
      );
    });
  clock
    .command('reset')
    .description('sets the time back to the machine’s, while nothing has happened since the move')
    .action(() => {
      requireMovable(session);
      return withDatabase(
        async (database) => {
          print(output, await moved(database, machine, resetClock));
          return 0;
        },
        { asOwner: true },
      );
    });
};

function print(output: Output, { now, aheadSeconds }: SandboxClock): void {
  output.out(aheadSeconds === 0 ? `${now}, the machine’s time` : `${now}, ${aheadSeconds} seconds ahead`);
}

function requireMovable({ config }: Session): void {
  if (isClockMovable(config())) return;
  throw new CommandError(
    'Only the time of a sandbox can be moved: set SANDBOX=1, and neither STRIPE_SECRET_KEY nor CRYPTO_FILE.',
  );
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function secondsOf(time: string): number {
  const [, count, unit = ''] = /^(\d{1,8})([smhd])$/.exec(time) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? Number.NaN);
  if (seconds >= 1 && seconds <= mostSecondsOfMove) return seconds;
  throw new UsageError(`${time} is no time such as 90s, 30m, 2h or 7d, of at most a year.`);
}

/** Commands that end mismatches and book settlements: one person proposes, and another approves (SRV-1, SRV-2). */
import { randomUUID } from 'node:crypto';
import type { Command } from '@commander-js/extra-typings';
import {
  type BookingView,
  bookingQuery,
  decideBookingSchema,
  resolveMismatch,
  resolveMismatchSchema,
} from '@opencashier/contract/operator';
import { bookingPage, decideBooking, resolveOnce } from '../settlements/bookings.ts';
import type { Output, Session } from './command.ts';
import { operatorArgument, operatorIdOf, print, type Row, readOptions, withPages } from './listing.ts';

export function addBookingCommands(settlements: Command, session: Session): void {
  addResolve(settlements, session);
  addBookings(settlements, session);
  addDecision(settlements, session, 'approve');
  addDecision(settlements, session, 'reject');
}

function addResolve(settlements: Command, { output, withDatabase }: Session): void {
  settlements
    .command('resolve')
    .description('proposes how a mismatch ends; another person approves it')
    .argument(...operatorArgument)
    .argument('<mismatch>', 'a mismatch of `settlements mismatches`')
    .requiredOption(
      '--account <account>',
      'provider_fee, write_off, none if nothing is booked, or settlement_account for coins that you moved',
    )
    .requiredOption('--by <name>', 'who proposes it')
    .requiredOption('--reason <text>', 'why')
    .action((partnerKey, mismatch, { by: decidedBy, ...others }) => {
      const { mismatchId } = readOptions(resolveMismatch.params, { mismatchId: mismatch });
      const request = readOptions(resolveMismatchSchema, { decisionId: randomUUID(), decidedBy, ...others });
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const booking = await resolveOnce(database, operatorId, mismatchId, request);
        output.out(`Proposed as booking ${booking.bookingId}: ${words(booking)}. Another person must approve it.`);
        return 0;
      });
    });
}

function addBookings(settlements: Command, { output, withDatabase }: Session): void {
  withPages(settlements.command('bookings').argument(...operatorArgument))
    .description('lists fees, settlements and differences that wait for a second person, or were decided')
    .option('--state <state>', 'proposed, approved or rejected')
    .action((partnerKey, { json = false, ...filter }) => {
      const query = readOptions(bookingQuery, filter);
      return withDatabase(async (database) => {
        const page = await bookingPage(database, await operatorIdOf(database, partnerKey), query);
        const rowOf = ({
          bookingId,
          kind,
          state,
          provider,
          account,
          amount,
          currency,
          proposedBy,
          decidedBy,
        }: BookingView): Row => ({
          booking: bookingId,
          kind,
          state,
          provider,
          account,
          amount,
          currency,
          proposed: proposedBy,
          decided: decidedBy,
        });
        print(output, page.bookings, rowOf, json, page.nextCursor);
        return 0;
      });
    });
}

function addDecision(settlements: Command, { output, withDatabase }: Session, decision: 'approve' | 'reject'): void {
  settlements
    .command(decision)
    .description(decision === 'approve' ? 'approves a booking of another person, and books it' : 'rejects a booking')
    .argument(...operatorArgument)
    .argument('<booking>', 'a booking of `settlements bookings`')
    .requiredOption('--by <name>', 'who decides')
    .action((partnerKey, bookingId, { by: decidedBy }) => {
      const request = readOptions(decideBookingSchema, { decision, decidedBy });
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        sayDecided(output, await decideBooking(database, operatorId, bookingId, request));
        return 0;
      });
    });
}

function sayDecided(output: Output, booking: BookingView): void {
  output.out(booking.state === 'approved' ? `Approved: ${words(booking)}.` : 'Rejected. Nothing was booked.');
}

function words({ account, amount, currency, provider }: BookingView): string {
  if (account === 'none') return 'nothing is booked';
  return `${amount} ${currency} from the account of ${provider} to ${account}`;
}

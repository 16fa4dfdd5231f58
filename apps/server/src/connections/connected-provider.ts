/** Marks every report of an operator's own account with its connection, so that the report can only change payments of it. */
import type { DepositReport, Provider } from '../providers/provider.ts';
import type { WithdrawalReport } from '../providers/withdrawal-provider.ts';

/** The same provider, whose reports name the connection and its operator, whatever the company has sent. */
export function connectedProvider(
  provider: Provider,
  { connectionId, operatorId }: { readonly connectionId: string; readonly operatorId: string },
): Provider {
  // An operator knows the secrets of its own connection. So it must not be able to use up the event id of another one.
  const marks = (eventId: string) => ({ connectionId, eventId: `${connectionId}/${eventId}` });
  const ofDeposit = (report: DepositReport | undefined) =>
    report && { ...report, operatorId, ...marks(report.eventId) };
  const ofWithdrawal = (report: WithdrawalReport | undefined) => report && { ...report, ...marks(report.eventId) };
  // The account of the installation watches and starts for all.
  const { withdrawals, watch: _watch, beforeStart: _beforeStart, ...rest } = provider;
  return {
    ...rest,
    inquire: async (query) => ofDeposit(await provider.inquire(query)),
    read: (rawBody) => afterRead(provider.read(rawBody), ofDeposit),
    ...(withdrawals && {
      withdrawals: {
        ...withdrawals,
        inquire: async (query) => ofWithdrawal(await withdrawals.inquire(query)),
        read: (rawBody) => afterRead(withdrawals.read(rawBody), ofWithdrawal),
      },
    }),
  };
}

/** A provider in a process of its own reads a callback later, and one of this process at once. */
function afterRead<Read, Marked>(read: Read | Promise<Read>, mark: (read: Read) => Marked): Marked | Promise<Marked> {
  return read instanceof Promise ? read.then(mark) : mark(read);
}

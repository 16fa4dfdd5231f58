/** The calls by which a widget reports about itself. */
import { events, sessionFormOnCloseModal } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** Stores timings and analytics events, in a fixed vocabulary (NET-8, ERR-3). */
export const eventsHandler = answer(events, async (request, { caller }, { telemetry }) => {
  await telemetry.take(caller?.operatorId, request.events);
  return {};
});

/** Counts that a widget was closed while it created a deposit (DEP-9). Cancels nothing. */
export const sessionFormOnCloseModalHandler = answer(sessionFormOnCloseModal, async (_request, _scope, { metrics }) => {
  metrics.closedDuringCreation();
  return {};
});

/** What a widget reports about itself. */
import { events, sessionFormOnCloseModal } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** Keeps timings and analytics events in the words of a fixed vocabulary (NET-8, ERR-3). */
export const eventsHandler = answer(events, async (request, { caller }, { telemetry }) => {
  await telemetry.take(caller?.operatorId, request.events);
  return {};
});

/** Counts that a widget was closed while a deposit was being created (DEP-9). Never a cancel. */
export const sessionFormOnCloseModalHandler = answer(sessionFormOnCloseModal, async (_request, _scope, { metrics }) => {
  metrics.closedDuringCreation();
  return {};
});

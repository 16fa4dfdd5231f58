import { events } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** Keeps timings and analytics events in the words of a fixed vocabulary (NET-8, ERR-3). */
export const eventsHandler = answer(events, async (request, { caller }, { telemetry }) => {
  await telemetry.take(caller?.operatorId, request.events);
  return {};
});

import { events } from '@opencashier/contract/api';
import { answer } from './call.ts';

/** Counts timings and analytics events by key (NET-8). */
export const eventsHandler = answer(events, async (request, _scope, { metrics }) => {
  for (const { key } of request.events) metrics.event(key);
  return {};
});

/** A closed loop of HTTP clients on kept-alive connections, with a fixed number of requests in flight, until the time is up. */
import { performance } from 'node:perf_hooks';
import { openLine, requestBytes } from './http-lines.mjs';

/**
 * @typedef {{ perSecond: number, p50Ms: number, p99Ms: number, failed: number, statuses: Record<string, number>,
 *   clientBusy: number, processorMsEach?: number | undefined }} Load
 * `clientBusy`: the share of the time in which this process was busy. Near 1, the client is measured and not the server.
 * `processorMsEach`: the processor time of the server for each answer; absent: the system does not tell it
 */

/**
 * @param {{ url: string, connections: number, durationMs: number, warmUpMs: number,
 *   next: () => import('./http-lines.mjs').Call, processorMs?: () => number | undefined }} options
 * @returns {Promise<Load>}
 */
export async function load({ url, connections, durationMs, warmUpMs, next, processorMs = () => undefined }) {
  const { host } = new URL(url);
  const latencies = [];
  const statuses = {};
  let failed = 0;
  const start = performance.now();
  const countFrom = start + warmUpMs;
  const end = countFrom + durationMs;
  const idle = performance.eventLoopUtilization();
  let processorBefore;
  const warmUp = setTimeout(() => {
    processorBefore = processorMs();
  }, warmUpMs);

  const work = async () => {
    const line = openLine(url);
    while (performance.now() < end) {
      const request = requestBytes(host, next());
      const sentAt = performance.now();
      const { status } = await line.send(request);
      const now = performance.now();
      if (sentAt < countFrom || now > end) continue;
      if (status === 200) latencies.push(now - sentAt);
      else failed += 1;
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    line.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  clearTimeout(warmUp);
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const processorMsEach = processorBefore === undefined ? undefined : (processorMs() - processorBefore) / answers;
  latencies.sort((a, b) => a - b);
  return {
    ...(processorMsEach !== undefined && { processorMsEach }),
    perSecond: latencies.length / (durationMs / 1000),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    failed,
    statuses,
    clientBusy: performance.eventLoopUtilization(idle).utilization,
  };
}

/** The medians of several rounds, and all failures together. @param {readonly Load[]} rounds */
export function summary(rounds) {
  return {
    perSecond: median(rounds.map((round) => round.perSecond)),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    failed: rounds.reduce((sum, round) => sum + round.failed, 0),
    clientBusy: median(rounds.map((round) => round.clientBusy)),
    ...(rounds.every((round) => round.processorMsEach !== undefined) && {
      processorMsEach: median(rounds.map((round) => round.processorMsEach)),
    }),
  };
}

/** @param {readonly number[]} sorted ascending @param {number} q from 0 to 1 */
export function quantile(sorted, q) {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

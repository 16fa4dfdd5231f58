/** A closed loop of HTTP clients on kept-alive connections, with a fixed number of requests in flight, until the time is up. */
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

/**
 * @param {{ url: string, connections: number, durationMs: number, warmUpMs: number,
 *   next: () => { path: string, headers: Record<string, string>, method?: string, body?: string } }} options
 * @returns {Promise<{ perSecond: number, p50Ms: number, p99Ms: number, failed: number, statuses: Record<string, number> }>}
 */
export async function load({ url, connections, durationMs, warmUpMs, next }) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies = [];
  const statuses = {};
  let failed = 0;
  const start = performance.now();
  const countFrom = start + warmUpMs;
  const end = countFrom + durationMs;

  const once = () =>
    new Promise((resolve, reject) => {
      const { path, headers, method = 'POST', body = '' } = next();
      const sentAt = performance.now();
      const call = request({
        hostname,
        port,
        path,
        method,
        agent,
        headers: method === 'GET' ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
      });
      call.on('error', reject);
      call.on('response', (answer) => {
        answer.resume();
        answer.on('end', () => {
          const now = performance.now();
          if (sentAt >= countFrom && now <= end) {
            if (answer.statusCode === 200) latencies.push(now - sentAt);
            else failed += 1;
            statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
          }
          resolve();
        });
      });
      call.end(body);
    });
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) await once();
    }),
  );
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / (durationMs / 1000),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    failed,
    statuses,
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

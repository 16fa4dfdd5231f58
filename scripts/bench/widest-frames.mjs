/** The widest frames at the top edge of a flame graph: the functions in which the processor was. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ id: number, children?: number[], callFrame: { functionName: string, url: string, lineNumber: number } }} Node
 * @typedef {{ nodes: Node[], samples: number[], timeDeltas: number[] }} Profile as Node writes it with `--cpu-prof`; µs
 * @typedef {{ name: string, share: number }} Frame `share`: of the busy time, 0 to 1
 */

/** Frames that only load the program. */
const loading = /internal\/modules\/|internal\/bootstrap\/|internal\/process\/esm_loader/;

/**
 * The widest frames, the widest first. The start of the program and idle time are left out.
 * @param {Profile} profile @param {number} count @returns {Frame[]}
 */
export function widestFrames({ nodes, samples, timeDeltas }, count) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const isLoading = (id) => {
    for (let at = id; at !== undefined; at = parents.get(at)) {
      if (loading.test(byId.get(at)?.callFrame.url ?? '')) return true;
    }
    return false;
  };
  const widths = new Map();
  let busy = 0;
  const times = new Map();
  for (const [index, id] of samples.entries()) times.set(id, (times.get(id) ?? 0) + (timeDeltas[index] ?? 0));
  for (const [id, time] of times) {
    const node = byId.get(id);
    if (node === undefined || node.callFrame.functionName === '(idle)' || isLoading(id)) continue;
    const name = nameOf(node);
    busy += time;
    widths.set(name, (widths.get(name) ?? 0) + time);
  }
  return [...widths]
    .sort(([, left], [, right]) => right - left)
    .slice(0, count)
    .map(([name, time]) => ({ name, share: time / busy }));
}

/** The frames of each profile in a folder, as lines of text. @param {string} folder @param {number} count */
export function linesOfProfiles(folder, count = 5) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cpuprofile'))
    .flatMap((name) => {
      const frames = widestFrames(JSON.parse(readFileSync(join(folder, name), 'utf8')), count);
      return [`${name}:`, ...frames.map((frame) => `  ${(frame.share * 100).toFixed(1)} % ${frame.name}`)];
    });
}

/** A function and its file; native functions have no file. @param {Node} node */
function nameOf({ callFrame: { functionName, url } }) {
  const file = url.split('/').slice(-2).join('/');
  return file === '' ? functionName || '(native)' : `${functionName || '(anonymous)'} ${file}`;
}

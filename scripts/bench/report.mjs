/** The results of the server's bench as a table and as ratios. A part that did not run has no row. */

const kB = (bytes) => (bytes / 1024).toFixed(1);
const seconds = (value) => `${value.toFixed(1)} s`;

/** @param {readonly Record<string, any>[]} results */
export function rowsOf(results) {
  const columns = [
    'database',
    'what',
    'per second',
    'p50 ms',
    'p99 ms',
    'event loop late, p99 ms',
    'load generator busy',
    "server's processor, ms each",
  ];
  const lines = results.flatMap((result) =>
    rows(result).map(([what, perSecond, p50Ms, p99Ms, { loopDelayP99Ms, clientBusy, processorMsEach } = {}]) => [
      result.database,
      what,
      perSecond.toFixed(0),
      p50Ms.toFixed(1),
      p99Ms.toFixed(1),
      loopDelayP99Ms === undefined ? '' : loopDelayP99Ms.toFixed(0),
      clientBusy === undefined ? '' : `${(clientBusy * 100).toFixed(0)} %`,
      processorMsEach === undefined ? '' : processorMsEach.toFixed(3),
    ]),
  );
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...lines.map(line)].join('\n');
}

function rows({ sockets, callbacks, idle, ...loads }) {
  const timed = ([what, load]) => load && [what, load.perSecond, load.p50Ms, load.p99Ms, load];
  return [
    sockets && [
      `sockets opened (${sockets.held} held)`,
      sockets.opensPerSecond,
      sockets.openP50Ms,
      sockets.openP99Ms,
      sockets,
    ],
    callbacks && [
      'callbacks taken',
      callbacks.answeredPerSecond,
      callbacks.answerP50Ms,
      callbacks.answerP99Ms,
      { ...callbacks, processorMsEach: undefined },
    ],
    callbacks && [
      "callbacks applied, on the user's screen",
      callbacks.appliedPerSecond,
      callbacks.toldP50Ms,
      callbacks.toldP99Ms,
      { processorMsEach: callbacks.processorMsEach },
    ],
    ...[
      ['deposits created', loads.creates],
      ['bare Fastify, same insert', loads.bareInserts],
      ['deposits created, one in flight', loads.singleCreates],
      ['bare Fastify, same insert, one in flight', loads.singleBareInserts],
      ['method lists', loads.lists],
      ['bare Fastify, same list as text', loads.bareLists],
    ].map(timed),
    idle && [`idle sockets opened (${idle.held} held)`, idle.opensPerSecond, idle.openP50Ms, idle.openP99Ms, idle],
  ].filter((row) => row !== undefined);
}

/** @param {Record<string, any>} result of one database @returns {string[]} its ratios, a line for each part */
export function ratiosOf({ database, sockets, callbacks, idle, ...loads }) {
  const { creates, bareInserts, singleCreates, singleBareInserts, lists, bareLists, listBytes } = loads;
  const ratio = (ours, theirs) => (ours / theirs).toFixed(2);
  const lines = [
    sockets && `${kB(sockets.heapBytesEach)} kB of heap for each socket (the process grew by ${kB(sockets.bytesEach)})`,
    callbacks && `${callbacks.appliedPerSecond.toFixed(0)} callbacks applied a second`,
    creates &&
      `a create is ${ratio(creates.perSecond, bareInserts.perSecond)} of the bare insert (p99 ${ratio(creates.p99Ms, bareInserts.p99Ms)} times its)`,
    creates && callbacks && `an applied callback is ${ratio(callbacks.appliedPerSecond, bareInserts.perSecond)} of it`,
    singleCreates &&
      `one create alone takes ${ratio(singleCreates.p50Ms, singleBareInserts.p50Ms)} times the bare insert (p99 ${ratio(singleCreates.p99Ms, singleBareInserts.p99Ms)} times)`,
    lists &&
      `a list of ${kB(listBytes)} kB is ${ratio(lists.perSecond, bareLists.perSecond)} of the bare list (p99 ${ratio(lists.p99Ms, bareLists.p99Ms)} times its)`,
    lists?.processorMsEach !== undefined &&
      `a list takes ${ratio(lists.processorMsEach, bareLists.processorMsEach)} times the server's processor time of the bare list`,
    idle &&
      `${idle.held} idle sockets: ${kB(idle.heapBytesEach)} kB of heap each (the process grew by ${kB(idle.bytesEach)} each)`,
    ...(idle?.returns ?? []).map(
      ({ signal, backSeconds, readySeconds, failedAttempts, creates: paid }) =>
        `after ${signal} all are back in ${seconds(backSeconds)} (ready after ${seconds(readySeconds)}, ${failedAttempts} attempts failed); creates meanwhile: ${paid.answered} answered, ${paid.refused} refused, p50 ${paid.p50Ms.toFixed(0)} ms, p99 ${paid.p99Ms.toFixed(0)} ms, longest ${paid.longestMs.toFixed(0)} ms`,
    ),
  ];
  const failed = [callbacks, ...Object.values(loads)].reduce((sum, part) => sum + (part?.failed ?? 0), 0);
  return [...lines.filter(Boolean), `${failed} failed`].map((line) => `${database}: ${line}.`);
}

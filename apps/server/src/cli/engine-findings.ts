/** The checks of `doctor` about operators' own bonus engines: each is asked once, as the cashier asks it. */
import { bonusWaitMs } from '@opencashier/contract/operator';
import type { Clock } from '@opencashier/core/time/clock';
import { askEngine } from '../bonus-engine/ask-engine.ts';
import { readBonusesNow } from '../bonuses/bonus-store.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { counted } from '../languages/counted.ts';
import { createQuestionCircuit } from '../signed-questions/question-circuit.ts';
import type { Finding } from './finding.ts';

/** No user has this id. An engine answers an empty list, or the bonuses of everybody. */
const DOCTOR = 'opencashier-doctor';

export async function engineFindings(database: Database, { isSandbox }: Config, clock: Clock): Promise<Finding[]> {
  const operators = await database.query<{ id: string; partnerKey: string }>({
    text: `select id, partner_key as "partnerKey" from operator where settings -> 'bonusEngine' ->> 'isOn' = 'true'
      order by partner_key`,
  });
  const ports = { clock, allowInsecure: isSandbox, circuit: createQuestionCircuit(clock) };
  const findings: Finding[] = [];
  for (const { id: operatorId, partnerKey } of operators) {
    const { engine } = await readBonusesNow(database, operatorId);
    if (engine === undefined) continue;
    const begin = clock.now();
    const asked = await askEngine(ports, { operatorId, userId: DOCTOR, engine });
    findings.push(findingOf(partnerKey, asked, clock.now() - begin));
  }
  return findings;
}

function findingOf(
  partnerKey: string,
  { bonuses, problem }: Awaited<ReturnType<typeof askEngine>>,
  tookMs: number,
): Finding {
  const name = `bonus engine of ${partnerKey}`;
  const [wrong] = problem?.fields ?? [];
  if (bonuses === undefined) {
    const advice =
      'Users see the last answer, then the fallback. Check the address, the webhook secret and the answer (docs/bonuses.md).';
    return { name, found: problem?.why ?? 'no answer', advice };
  }
  if (wrong !== undefined) {
    return {
      name,
      found: `leaves out bonuses: ${wrong.path}: ${wrong.message}`,
      advice: 'Correct the engine’s answer.',
    };
  }
  const found = `${counted(bonuses.length, 'bonus')} in ${tookMs} ms`;
  if (tookMs <= bonusWaitMs) return { name, found };
  return { name, found, advice: `Answer within ${bonusWaitMs} ms: a list of bonuses waits no longer.`, isNote: true };
}

/** The checks of `doctor` about the settings of operators. */
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { webhookAddressProblem } from '../webhooks/webhook-address.ts';
import type { Finding } from './finding.ts';
import { strayFindingsOf } from './provider-findings.ts';

interface OperatorRow {
  readonly partnerKey: string;
  readonly webhookUrl: string | null;
  readonly switchedOffSince: Date | null;
  readonly origins: number;
  readonly secrets: number;
}

export async function operatorFindings(database: Database, config: Config): Promise<Finding[]> {
  const operators = await database.query<OperatorRow>({
    text: `select partner_key as "partnerKey", webhook_url as "webhookUrl", webhook_disabled_at as "switchedOffSince",
        cardinality(allowed_origins) as origins, cardinality(webhook_secrets) as secrets from operator order by partner_key`,
  });
  if (operators.length === 0) {
    return [{ name: 'operators', found: 'none', advice: 'Create an operator: opencashier create-operator.' }];
  }
  return [
    { name: 'operators', found: `${operators.length}` },
    ...strayFindingsOf(
      config,
      operators.map(({ partnerKey }) => partnerKey),
    ),
    ...operators.flatMap((operator) => findingsOf(operator, config.isSandbox)),
  ];
}

function findingsOf(
  { partnerKey, webhookUrl, switchedOffSince, origins, secrets }: OperatorRow,
  isSandbox: boolean,
): Finding[] {
  const findings: Finding[] = [];
  if (origins === 0) {
    findings.push({
      name: `origins of ${partnerKey}`,
      found: 'none, so no page can show the cashier',
      advice: `Allow the operator’s site: opencashier add-origin ${partnerKey} https://…`,
    });
  }
  if (webhookUrl === null) {
    findings.push({
      name: `webhook address of ${partnerKey}`,
      found: 'none, so the operator hears of no payment',
      advice: 'Give the operator a webhook address, unless its backend asks for every payment.',
      isNote: true,
    });
  } else if (secrets === 0) {
    findings.push({
      name: `webhook secret of ${partnerKey}`,
      found: 'none, so no webhook is sent',
      advice: `Create one: opencashier rotate-webhook-secret ${partnerKey}`,
    });
  }
  const problem = webhookUrl === null ? undefined : webhookAddressProblem(webhookUrl, isSandbox);
  if (problem !== undefined) {
    const advice = 'No webhook is sent to this address. Set a public https:// address.';
    findings.push({ name: `webhook address of ${partnerKey}`, found: problem, advice });
  }
  if (switchedOffSince !== null) {
    findings.push({
      name: `webhooks of ${partnerKey}`,
      found: `switched off since ${switchedOffSince.toISOString()}, because every attempt failed`,
      advice: `Fix the receiver, then replay a delivery. To find one: opencashier list deliveries ${partnerKey} --status exhausted`,
    });
  }
  return findings;
}

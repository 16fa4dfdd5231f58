/** The alert rules and the dashboard that ship with the cashier, as tests read them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly { readonly expr: string }[];
}

export const projectFile = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

const read = (path: string): string => readFileSync(projectFile(path), 'utf8');

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly AlertRule[] }[];
}

export const alertRules: readonly AlertRule[] = (
  parse(read('deploy/prometheus/alerts.yaml')) as RuleFile
).groups.flatMap(({ rules }) => rules);

export const dashboard = JSON.parse(read('deploy/grafana/opencashier.json')) as {
  readonly title: string;
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
};

/** The names of the metrics in an expression. @throws Error if it is no PromQL */
export function metricsIn(expr: string): string[] {
  const names: string[] = [];
  parser.parse(expr).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`${expr} is no PromQL, near ${node.from}`);
      if (node.name === 'VectorSelector') {
        const name = node.node.getChild('Identifier');
        if (name !== null) names.push(expr.slice(name.from, name.to));
      }
    },
  });
  return names;
}

/** Every expression of the alerts and of the dashboard. */
export const expressions: readonly string[] = [
  ...alertRules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
];

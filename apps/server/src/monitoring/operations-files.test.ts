import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alertRules, dashboard, expressions, metricsIn, projectFile } from './operations-files.fixture.ts';

test('[SRV-9] every expression of the alerts and of the dashboard is PromQL', () => {
  expect(expressions.length).toBeGreaterThan(60);
  for (const expr of expressions) expect(metricsIn(expr), expr).not.toEqual([]);
  expect(() => metricsIn('sum by (provider (rate(x[5m]))')).toThrow('is no PromQL');
});

test('[SRV-9] every alert says how bad it is, what happened, and where its runbook is', () => {
  const names = alertRules.map(({ alert }) => alert);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(20);
  for (const rule of alertRules) {
    expect(['critical', 'warning'], rule.alert).toContain(rule.labels.severity);
    expect(rule.for, rule.alert).toMatch(/^\d+[mh]$/);
    expect(rule.annotations.summary, rule.alert).toMatch(/^.{20,120}\.$/);
    expect(rule.annotations.runbook).toBe(`docs/runbooks/${rule.alert}.md`);
  }
});

test('[SRV-9] every runbook says what the alert means, how to check, what to do, and when to escalate', () => {
  const overview = readFileSync(projectFile('docs/runbooks/README.md'), 'utf8');
  for (const { alert, annotations, labels } of alertRules) {
    expect(existsSync(projectFile(annotations.runbook)), alert).toBe(true);
    const text = readFileSync(projectFile(annotations.runbook), 'utf8');
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings, alert).toEqual(['What it means', 'Check', 'What to do', 'When to escalate']);
    expect(overview).toContain(`| [${alert}](${alert}.md) | ${labels.severity} |`);
  }
  const pages = readdirSync(projectFile('docs/runbooks')).filter((name) => name !== 'README.md');
  expect(pages.sort()).toEqual(alertRules.map(({ alert }) => `${alert}.md`).sort());
});

test('[SRV-9] every panel of the dashboard has a unit and a description, and an id of its own', () => {
  const { panels, ...rest } = dashboard;
  expect(rest).toMatchObject({ title: 'OpenCashier', uid: 'opencashier', schemaVersion: 39 });
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { type, title, description, fieldConfig, targets = [] } of panels) {
    if (type === 'row') continue;
    expect(['timeseries', 'stat'], title).toContain(type);
    expect(description, title).toMatch(/\.$/);
    expect(fieldConfig?.defaults.unit, title).toMatch(/^(?:short|s|reqps)$/);
    expect(targets.length, title).toBeGreaterThan(0);
  }
});

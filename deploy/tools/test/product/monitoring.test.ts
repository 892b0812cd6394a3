import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '@interview-prep/local/settings';
import { expect, inject, test } from 'vitest';

const read = (path: string) => readFile(join(REPOSITORY, path), 'utf8');
const alerts = await read('deploy/monitoring/alerts.yml');
const scaling = await read('deploy/helm/templates/worker-scaling.yaml');
const dashboard = JSON.parse(await read('deploy/monitoring/dashboard.json')) as {
  panels: { targets: { expr: string }[] }[];
};

const processes = ['gateway', 'auth', 'catalog', 'recording', 'history', 'worker'];

/** The names of the metrics that a process of the running product exports. */
async function exportedBy(name: string, dataDir: string): Promise<string[]> {
  const lines = (await readFile(join(dataDir, 'logs', `${name}.log`), 'utf8')).split('\n');
  const listening = lines.findLast((line) => line.includes('accepting requests')) ?? '';
  const { address } = JSON.parse(listening) as { address: { port: number } };
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as { metricsToken: string };
  const headers = { authorization: `Bearer ${secrets.metricsToken}` };
  const response = await fetch(`http://127.0.0.1:${address.port}/metrics`, { headers });
  expect(response.status, name).toBe(200);
  const types = [...(await response.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  return types.flatMap(([, metric = '', type]) =>
    type === 'histogram' ? ['_bucket', '_count', '_sum'].map((suffix) => metric + suffix) : [metric],
  );
}

/** The metrics in a PromQL expression: words that are not functions, operators, labels or in strings. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replace(/\b(?:by|without)\s*\([^)]*\)/g, ' ')
    .replace(/\w+\s*(?=\()/g, ' ');
  return bare.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
}

test('every metric in the alerts, the dashboard and the worker scaling is exported by the running product, and named as Prometheus recommends', async () => {
  const dataDir = inject('productDataDir');
  const exported = new Set((await Promise.all(processes.map((name) => exportedBy(name, dataDir)))).flat());
  const expressions = [
    ...[...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, expression = '']) => expression),
    ...[...scaling.matchAll(/"metric" "(\w+)"/g)].map(([, metric = '']) => metric),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(20);
  expect(expressions).toContain('recording_worker_jobs');
  for (const expression of expressions) {
    const metrics = metricsIn(expression);
    expect(metrics, expression).not.toEqual([]);
    for (const metric of metrics) expect(exported, expression).toContain(metric);
  }
  const own = [...exported].filter((name) =>
    /^(recording|outbox|mail|spool|backup|app|http|job|object_store)_/.test(name),
  );
  expect(own.length).toBeGreaterThan(12);
  for (const name of own) expect(name).toMatch(/_(seconds|ratio|bytes|total|jobs|workers|info|bucket|count|sum)$/);
});

const names = [...alerts.matchAll(/- alert: (\w+)$/gm)].map(([, name = '']) => name);

test('each alert has a promtool case in which it fires and one in which it does not', async () => {
  const cases = await read('deploy/monitoring/alerts.test.yml');
  for (const name of names) {
    expect(cases).toMatch(new RegExp(`- alertname: ${name}$`, 'm'));
    expect(cases).toMatch(new RegExp(`alertname: ${name}, eval_time: .+, exp_alerts: \\[\\] }`));
  }
});

test('each alert links to its runbook entry', async () => {
  const runbook = await read('docs/runbook.md');
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    expect(runbook).toMatch(new RegExp(`^### ${name}\n.`, 'm'));
    expect(alerts).toContain(`runbook_url: docs/runbook.md#${name.toLowerCase()}\n`);
  }
});

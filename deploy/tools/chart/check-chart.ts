import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorSettings, settings } from '@interview-prep/kit/settings';
import { REPOSITORY } from '@interview-prep/local/settings';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';

interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

/** The package with the schemas of an API group and version. */
function modelsOf(apiVersion: string): string {
  const [group = ''] = apiVersion.split('/');
  if (group === 'keda.sh') return `@kubernetes-models/keda/${apiVersion}`;
  if (group === 'gateway.networking.k8s.io') return `@kubernetes-models/gateway-api/${apiVersion}`;
  return `kubernetes-models/${apiVersion}`;
}

/**
 * Validates objects against the schemas. Since `validate` accepts unknown fields, the objects are also compiled as literals
 * of their types: TypeScript rejects every excess property.
 */
async function schemaProblems(objects: readonly KubernetesObject[]): Promise<string[]> {
  const problems: string[] = [];
  const lines: string[] = [];
  for (const object of objects) {
    const { apiVersion, kind } = object;
    const models = modelsOf(apiVersion);
    const model = ((await import(models)) as Record<string, new (data: object) => { validate(): void }>)[kind];
    if (!model) {
      problems.push(`${apiVersion} has no ${kind}`);
      continue;
    }
    try {
      new model(object).validate();
    } catch (error) {
      problems.push(`${kind} ${object.metadata.name}: ${(error as Error).message}`);
    }
    lines.push(`export const _${lines.length}: import('${models}').I${kind} = ${JSON.stringify(object)};`);
  }
  return [...problems, ...excessFields(lines.join('\n'))];
}

function excessFields(text: string): string[] {
  const path = join(import.meta.dirname, 'rendered.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === path ? ts.createSourceFile(name, text, ts.ScriptTarget.ESNext) : getSourceFile(name, ...rest);
  const program = ts.createProgram([path], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/**
 * `npm run chart`: renders deploy/helm with each of its examples, and checks every object against the schemas of Kubernetes,
 * KEDA and the Gateway API, and the chart against docker-compose.yml. Needs Helm on the PATH, or at HELM; never skips.
 */

const CHART = join(REPOSITORY, 'deploy/helm');
const EXAMPLES = join(CHART, 'examples');
const processes = ['gateway', 'auth', 'catalog', 'recording', 'history', 'worker'] as const;
const problems: string[] = [];

function expect(isRight: boolean, problem: string): void {
  if (!isRight) problems.push(problem);
}

function expectSame(what: string, found: unknown, wanted: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  expect(one === other, `${what}: ${one} instead of ${other}`);
}

function helm(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(process.env.HELM ?? 'helm', args, { encoding: 'utf8' });
  if (error || status !== 0) throw new Error(`helm ${args.join(' ')}: ${error?.message ?? stdout + stderr}`);
  return stdout;
}

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
}
interface Container {
  env: Variable[];
  resources: { limits: { cpu?: number; memory: string } };
  ports: { containerPort: number }[];
  securityContext: object;
}
interface Pod {
  securityContext: { runAsNonRoot: boolean; seccompProfile: { type: string } };
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  containers: [Container];
}
interface Peers {
  matchExpressions?: { values: string[] }[];
}
/** The spec of a workload or a NetworkPolicy. */
interface Spec {
  template: { spec: Pod };
  podSelector: Peers;
  policyTypes: string[];
  ingress?: { from?: { podSelector: Peers }[] }[];
  egress?: { to?: object[] }[];
}
type Rendered = KubernetesObject & { spec: Spec };

function render(example: string, ...args: string[]): Rendered[] {
  const target = ['--namespace', 'demo', '--kube-version', '1.34.0'];
  const text = helm('template', 'demo', CHART, ...target, '--values', join(EXAMPLES, example), ...args);
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Rendered | null) ?? []);
}

const nameOf = ({ kind, metadata }: Rendered) => `${kind} ${metadata.name}`;

function find(objects: Rendered[], kind: string, suffix: string): Rendered {
  const found = objects.find((object) => object.kind === kind && object.metadata.name.endsWith(`-${suffix}`));
  if (!found) throw new Error(`The chart has no ${kind} ${suffix}`);
  return found;
}

const podOf = (objects: Rendered[], process: string) => find(objects, 'Deployment', process).spec.template.spec;

// ── Compose, as the chart must be ──
interface ComposeService {
  environment: Record<string, string>;
  networks: string[];
  mem_limit: string;
  cpus: number;
}
const compose = (
  parse(readFileSync(join(REPOSITORY, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<(typeof processes)[number], ComposeService>;
  }
).services;

/** Compose variables that the chart sets elsewhere, or that a pod doesn't need. */
const notInChart = ['WORKERS'];
/** Variables that compose fixes for its own S3, or leaves to its override file. */
const tracing = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const onlyInChart = ['S3_REGION', tracing];

/** `512m` and `2g` of compose as `512Mi` and `2Gi`. */
const quantity = (limit: string) => limit.replace(/([mg])$/, (unit) => `${unit.toUpperCase()}i`);

function compareWithCompose(objects: Rendered[]): void {
  for (const process of processes) {
    const service = compose[process];
    const pod = podOf(objects, process);
    const [container] = pod.containers;
    const names = container.env.map(({ name }) => name).filter((name) => !onlyInChart.includes(name));
    const wanted = Object.keys(service.environment).filter((name) => !notInChart.includes(name));
    expectSame(`settings of ${process}`, names.toSorted(), wanted.toSorted());
    const { cpu, memory } = container.resources.limits;
    expectSame(`limits of ${process}`, [memory, cpu ?? 0], [quantity(service.mem_limit), service.cpus]);
    expectSame(`port of ${process}`, container.ports, [{ name: 'http', containerPort: 8080 }]);
  }
}

/** Compares the defaults with those of compose without a .env, by process. */
function compareDefaults(objects: Rendered[]): void {
  for (const process of processes) {
    const { environment } = compose[process];
    for (const { name, value } of podOf(objects, process).containers[0].env) {
      const [, fallback] = /^\$\{\w+:-(.+)\}$/.exec(environment[name] ?? '') ?? [];
      if (fallback !== undefined && value !== undefined && name !== 'SMTP_URL')
        expectSame(`${name} of ${process} by default`, value, fallback);
    }
  }
}

/** Compares the connections that the policies allow between pods with compose's networks `services` and `data`. */
function compareNetworks(objects: Rendered[], storeRule: boolean): void {
  const policy = (name: string) => find(objects, 'NetworkPolicy', name).spec;
  const members = (peers: Peers | undefined) => peers?.matchExpressions?.[0]?.values.toSorted() ?? [];
  const on = (network: string) => processes.filter((process) => compose[process].networks.includes(network)).toSorted();
  expectSame('pods on edge', members(policy('edge').podSelector), on('edge'));
  const callers = on('services');
  const called = callers.filter((name) => name !== 'gateway');
  expectSame('pods that services reach', members(policy('services').podSelector), called);
  expectSame('pods that reach services', members(policy('services').ingress?.[0]?.from?.[0]?.podSelector), callers);
  expectSame('pods with a way to services', members(policy('to-services').podSelector), callers);
  expectSame('pods with a way to the stores', members(policy('data').podSelector), on('data'));
  expectSame('rules to the stores', policy('data').egress?.some(({ to }) => to === undefined) ?? true, !storeRule);
  expectSame('directions that are closed', policy('closed').policyTypes, ['Ingress', 'Egress']);
}

const restricted = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };

function checkPods(objects: Rendered[], label: string): void {
  const workloads = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  for (const workload of workloads) {
    const pod = workload.spec.template.spec;
    const where = `${label}: ${nameOf(workload)}`;
    expect(pod.securityContext.runAsNonRoot && !pod.automountServiceAccountToken, `${where} has rights`);
    expectSame(`${where} seccomp`, pod.securityContext.seccompProfile, { type: 'RuntimeDefault' });
    for (const container of pod.containers) {
      expectSame(`${where} security`, container.securityContext, restricted);
      for (const { name, valueFrom } of container.env) {
        if (workload.kind === 'StatefulSet') continue;
        expect(
          name in settings || ['NODE_OPTIONS', tracing].includes(name),
          `${where}: ${name} is no setting of the product`,
        );
        const key = valueFrom?.secretKeyRef.key;
        const isKey = key === undefined || key in settings || /^(MONGODB_\w+_URI|REDIS_\w+_URL)$/.test(key);
        expect(isKey, `${where}: no setting is in the key ${key}`);
      }
    }
  }
  for (const process of processes) find(objects, 'PodDisruptionBudget', process);
}

/** Checks that pods are killed only after the preStop pause and the process's own shutdown time. */
function checkGracePeriod(objects: Rendered[]): void {
  const source = readFileSync(join(REPOSITORY, 'services/kit/src/process/run-process.ts'), 'utf8');
  const deadlineSeconds = Number(/deadlineMs = (\d+)/.exec(source)?.[1]) / 1000;
  for (const process of processes) {
    const given = podOf(objects, process).terminationGracePeriodSeconds;
    expect(given >= 5 + deadlineSeconds, `${process} gets ${given} s to stop, and needs ${5 + deadlineSeconds}`);
  }
}

function checkScaling(): void {
  const kindsOf = (by: string) => {
    const objects = render('keda.yaml', '--set', `worker.scaling.by=${by}`);
    const kinds = objects.flatMap(({ kind }) => (/Scale|Autoscaler/.test(kind) ? [kind] : []));
    return [...kinds, 'replicas' in find(objects, 'Deployment', 'worker').spec];
  };
  expectSame('scaling by keda', kindsOf('keda'), ['ScaledObject', false]);
  expectSame('scaling by cpu', kindsOf('cpu'), ['HorizontalPodAutoscaler', false]);
  expectSame('scaling by none', kindsOf('none'), [true]);
}

/** Checks that the chart rejects invalid values. */
function checkRefusals(): void {
  for (const bad of [
    'imagee.tag=1',
    'settings.PUBLIC_ULR=http://x',
    'worker.scaling.by=queue',
    'worker.scaling.minReplicas=30',
    'existingSecrets.mongodb=',
    'settings.S3_ENDPOINT=null',
  ]) {
    try {
      render('keda.yaml', '--set', bad);
      problems.push(`The chart accepts ${bad}`);
    } catch {
      // Rejected, as it should be.
    }
  }
}

const examples = readdirSync(EXAMPLES);
const checked: string[] = [];
for (const example of examples) {
  helm('lint', '--strict', CHART, '--values', join(EXAMPLES, example));
  const objects = render(example);
  for (const problem of await schemaProblems(objects)) problems.push(`${example}: ${problem}`);
  checkPods(objects, example);
  checkGracePeriod(objects);
  compareNetworks(objects, example === 'quickstart.yaml' || example === 'keda.yaml');
  checked.push(`${example}: ${objects.length} objects`);
}
// With all settings set, the environments must equal those of compose.
const everySetting = Object.entries(operatorSettings).flatMap(([name, row]) =>
  'secret' in row || ['PORT', 'HOST', 'DATA_DIR', 'TLS_CERT_FILE'].includes(name)
    ? []
    : ['--set-string', `settings.${name}=${'options' in row.type ? row.type.options[0] : '1'}`],
);
compareWithCompose(render('keda.yaml', ...everySetting));
compareDefaults(render('quickstart.yaml', '--set', 'settings.SEED=none'));
checkScaling();
checkRefusals();
const version = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
const { appVersion } = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as { appVersion: string };
expectSame('appVersion of the chart', appVersion, version.version);

console.log(`${helm('version', '--short').trim()}\n${checked.join('\n')}`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

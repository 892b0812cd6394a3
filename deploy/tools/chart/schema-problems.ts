import { join } from 'node:path';
import ts from 'typescript';

export interface KubernetesObject {
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
export async function schemaProblems(objects: readonly KubernetesObject[]): Promise<string[]> {
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

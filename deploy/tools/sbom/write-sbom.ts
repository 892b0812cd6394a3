/**
 * Writes the software bill of materials: the npm packages that ship, with versions, licenses and checksums from the lockfile,
 * as CycloneDX 1.5.
 *
 *     npm run sbom [-- FILE]        FILE: sbom.cdx.json by default; `-` writes to standard output
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { REPOSITORY } from '@interview-prep/local/settings';

interface Component {
  'bom-ref': string;
  properties: { name: string }[];
}

interface Sbom {
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Runs `npm sbom` on the lockfile, with the npm that runs this script, since the product's bundled Node has none. */
function listLocked(): Sbom {
  const npm = process.env.npm_execpath;
  const [command, before] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const what = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const maxBuffer = 64 * 1024 * 1024;
  const text = execFileSync(command, [...before, ...what], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer,
    stdio: [...stdio],
  });
  return JSON.parse(text) as Sbom;
}

/**
 * Removes development dependencies. npm's own `--omit dev` also drops packages that one workspace needs for development and
 * another one ships, such as mongoose.
 */
function withoutDevelopment({ components, dependencies, ...rest }: Sbom): Sbom {
  const isShipped = ({ properties }: Component) =>
    properties.every(({ name }) => name !== 'cdx:npm:package:development');
  const dropped = new Set(components.filter((one) => !isShipped(one)).map((one) => one['bom-ref']));
  return {
    ...rest,
    components: components.filter(isShipped),
    dependencies: dependencies
      .filter(({ ref }) => !dropped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => !dropped.has(other)) })),
  };
}

const [file = 'sbom.cdx.json'] = process.argv.slice(2);
const sbom = withoutDevelopment(listLocked());
const text = `${JSON.stringify(sbom, null, 2)}\n`;
if (file === '-') {
  process.stdout.write(text);
} else {
  writeFileSync(file, text);
  process.stdout.write(`${file}: ${sbom.components.length} components\n`);
}

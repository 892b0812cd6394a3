import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@interview-prep/local/settings';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../local/test/temporary-folder.ts';

interface Component {
  purl: string;
  version: string;
  scope: string;
  hashes?: { alg: string }[];
}

interface Package {
  dependencies: Record<string, string>;
}

const read = <Content>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as Content;

test('lists shipped packages with versions and checksums, and no development tools', async () => {
  const file = join(await temporaryFolder(), 'sbom.json');
  const script = join(REPOSITORY, 'deploy/tools/sbom/write-sbom.ts');
  const output = execFileSync(process.execPath, [script, file], { encoding: 'utf8' });
  const { bomFormat, components } = read<{ bomFormat: string; components: Component[] }>(file);
  expect(bomFormat).toBe('CycloneDX');
  expect(output).toBe(`${file}: ${components.length} components\n`);

  const nameOf = ({ purl }: Component) => decodeURIComponent(purl.slice('pkg:npm/'.length, purl.lastIndexOf('@')));
  const listed = new Set(components.map((component) => `${nameOf(component)} ${component.version}`));
  for (const workspace of ['services/kit', 'services/auth', 'services/recording', 'gateway', 'web']) {
    const { dependencies } = read<Package>(join(REPOSITORY, workspace, 'package.json'));
    const missing = Object.entries(dependencies).filter(([name, version]) => !listed.has(`${name} ${version}`));
    expect(missing, workspace).toEqual([]);
  }
  const names = new Set(components.map(nameOf));
  for (const tool of ['vitest', 'typescript', 'knip']) expect(names.has(tool), tool).toBe(false);
  // npm lacks checksums for some other platforms' builds.
  const needed = components.filter(({ purl, scope }) => !purl.includes('%40interview-prep/') && scope !== 'optional');
  expect(needed.length).toBeGreaterThan(100);
  expect(needed.filter(({ hashes }) => !hashes?.some(({ alg }) => alg === 'SHA-512'))).toEqual([]);
}, 60_000);

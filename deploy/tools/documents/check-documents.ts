import { globSync } from 'node:fs';
import { REPOSITORY } from '@interview-prep/local/settings';
import { asvsFaults } from './asvs.ts';
import { citationFault, citations, inCode, readText } from './citations.ts';
import { linkFaults } from './links.ts';
import { specificationFaults } from './specification.ts';

/** What is wrong with docs/security.md: cited tests, RFC 8725, the inventory of collections. */
function securityFaults(): string[] {
  const page = readText('docs/security.md');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('.test.ts'));
  const faults = rows.flatMap(citations).flatMap((cited) => citationFault(cited) ?? []);
  const items = [...page.matchAll(/^\| 3\.(\d+) \|/gm)].map(([, item]) => Number(item));
  if (items.join() !== '1,2,3,4,5,6,7,8,9,10,11,12') faults.push('RFC 8725 lacks an item');
  const inventory = inCode(page.slice(page.indexOf('\n## Data\n'), page.indexOf('\n## Logs\n')));
  const sources = globSync('services/*/src/**/*.ts', { cwd: REPOSITORY }).filter((path) => !path.includes('/testing/'));
  const collections = sources.flatMap((path) => [...readText(path).matchAll(/collection: '(\w+)'/g)]);
  for (const name of new Set(collections.map(([, name]) => name ?? '')))
    if (!inventory.includes(name)) faults.push(`the inventory lacks ${name}`);
  return faults;
}

// The documents say which tests hold what they claim. A renamed test or file is named here.
const faults = [
  ...(await specificationFaults()).map((fault) => `docs/specification.md: ${fault}`),
  ...asvsFaults().map((fault) => `docs/asvs.md: ${fault}`),
  ...securityFaults().map((fault) => `docs/security.md: ${fault}`),
  ...linkFaults(),
];
for (const fault of faults) console.error(`✗ ${fault}`);
if (faults.length === 0) console.log('The documents cite what is there.');
process.exitCode = faults.length === 0 ? 0 : 1;

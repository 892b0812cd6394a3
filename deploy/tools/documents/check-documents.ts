import { asvsFaults } from './asvs.ts';
import { linkFaults } from './links.ts';
import { securityFaults } from './security-page.ts';
import { specificationFaults } from './specification.ts';

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

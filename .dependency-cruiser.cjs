/**
 * Imports run one way: web → contracts, gateway → kit and contracts, service → kit and contracts, kit → contracts.
 * A service never imports another service. Inside web: app → features → components → lib, and no feature imports another.
 * Tests and the local stack may start what they test.
 */
const SERVICES = '(auth|catalog|recording|history)';
const WEB_TESTS = '(\\.test\\.tsx?$|^web/src/test/)';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'contracts-import-nothing-of-ours',
      severity: 'error',
      from: { path: '^services/contracts/src' },
      to: { path: '^(services|gateway|web|deploy)/', pathNot: '^services/contracts/' },
    },
    {
      name: 'kit-imports-only-contracts',
      severity: 'error',
      from: { path: '^services/kit/src' },
      to: { path: '^(services|gateway|web|deploy)/', pathNot: '^services/(kit|contracts)/' },
    },
    {
      name: 'production-code-imports-no-test-helpers',
      severity: 'error',
      from: { path: '^(services/[^/]+|gateway)/src/' },
      to: { path: '^services/kit/testing/' },
    },
    {
      name: 'a-service-never-imports-another',
      severity: 'error',
      from: { path: `^services/${SERVICES}/` },
      to: { path: `^services/${SERVICES}/`, pathNot: '^services/$1/' },
    },
    {
      name: 'services-import-kit-and-contracts-only',
      severity: 'error',
      from: { path: `^services/${SERVICES}/src` },
      to: { path: '^(gateway|web|deploy)/' },
    },
    {
      name: 'gateway-imports-kit-and-contracts-only',
      severity: 'error',
      from: { path: '^gateway/src' },
      to: { path: '^(services|web|deploy)/', pathNot: '^services/(kit|contracts)/' },
    },
    {
      name: 'web-imports-contracts-only',
      severity: 'error',
      from: { path: '^web/src' },
      to: { path: '^(services|gateway|deploy)/', pathNot: '^services/contracts/' },
    },
    {
      name: 'web-lib-imports-only-lib',
      severity: 'error',
      from: { path: '^web/src/lib/', pathNot: WEB_TESTS },
      to: { path: '^web/src/', pathNot: '^web/src/lib/' },
    },
    {
      name: 'web-components-import-only-lib',
      severity: 'error',
      from: { path: '^web/src/components/', pathNot: WEB_TESTS },
      to: { path: '^web/src/', pathNot: '^web/src/(lib|components)/' },
    },
    {
      name: 'a-web-feature-never-imports-another',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/', pathNot: WEB_TESTS },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    {
      name: 'web-features-import-components-and-lib-only',
      severity: 'error',
      from: { path: '^web/src/features/', pathNot: WEB_TESTS },
      to: { path: '^web/src/', pathNot: '^web/src/(lib|components|features)/' },
    },
    {
      name: 'web-production-code-imports-no-tests',
      severity: 'error',
      from: { path: '^web/src/', pathNot: WEB_TESTS },
      to: { path: WEB_TESTS },
    },
    {
      name: 'the-embedded-servers-stand-alone',
      severity: 'error',
      from: { path: '^deploy/embedded/([a-z0-9]+)/' },
      to: { path: '^(services|gateway|web|deploy)/', pathNot: '^deploy/embedded/$1/' },
    },
    {
      name: 'the-launcher-imports-no-tools',
      severity: 'error',
      from: { path: '^deploy/local/' },
      to: { path: '^deploy/tools/' },
    },
    {
      name: 'no-folder-of-a-service-imports-its-root',
      severity: 'error',
      from: { path: `^services/${SERVICES}/src/[^/]+/` },
      to: { path: '^services/$1/src/[^/]+$', dependencyTypesNot: ['type-only'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(node_modules|dist|\\.types)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};

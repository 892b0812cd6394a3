/**
 * Inside a service no two folders need each other at run time. Types do not count: a model may hold what another folder
 * describes. dependency-cruiser leaves them out for a whole run only, so this is one beside `.dependency-cruiser.cjs`.
 */
const { options } = require('../../.dependency-cruiser.cjs');

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles-of-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^services/(auth|catalog|recording|history)/src/' },
      to: { circular: true },
    },
  ],
  options: { ...options, tsPreCompilationDeps: false },
};

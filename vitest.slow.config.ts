import { define, nodeTests, productTests, runOf, slowFiles, withServices } from './vitest.config.ts';

/** What `npm test` leaves out. */
export default runOf([
  { define, test: { ...productTests, name: 'slow-e2e', include: [`web/e2e/${slowFiles}`] } },
  { test: { ...withServices, name: 'slow-services', include: [`{services,deploy/tools/test/product}/${slowFiles}`] } },
  { test: { ...nodeTests, name: 'slow-standalone', include: ['deploy/{local,tools}/test/*.slow.test.ts'] } },
]);

import { setRoutes } from '@interview-prep/contracts/catalog/sets';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { Catalog } from '../catalog.ts';
import { choosePoints } from '../sets/choose-points.ts';
import { presentPracticeSet } from '../sets/present-set.ts';
import { createSet, deleteSet, listSets, requireSet, updateSet } from '../sets/save-set.ts';
import { technologyNames } from '../technologies/technology-names.ts';

/** Serves practice sets: every user reads them, admins change them. */
export function servePracticeSets(server: RouteServer, catalog: Catalog): void {
  server.serve(setRoutes.listPracticeSets, async ({ user }) => {
    const names = await technologyNames(catalog.technologies);
    const sets = await listSets(catalog.sets, 'practice');
    return { practiceSets: sets.map((set) => presentPracticeSet(set, names, user.role)) };
  });

  server.serve(setRoutes.createPracticeSet, async ({ body, user, res }) => {
    const set = await createSet(catalog, 'practice', { ...body, expertPoints: choosePoints(body.answers) }, user);
    addToAudit(res, { target: `set:${set._id}` });
    return { practiceSet: presentPracticeSet(set, await technologyNames(catalog.technologies), user.role) };
  });

  server.serve(setRoutes.updatePracticeSet, async ({ params, body, user }) => {
    const previous = await requireSet(catalog.sets, 'practice', params.id);
    const expertPoints = choosePoints(body.answers, { previous });
    const set = await updateSet(catalog, 'practice', params.id, { ...body, expertPoints });
    return { practiceSet: presentPracticeSet(set, await technologyNames(catalog.technologies), user.role) };
  });

  for (const route of [setRoutes.deletePracticeSet, setRoutes.deletePracticeSetByItsPath]) {
    server.serve(route, async ({ params }) => {
      await deleteSet(catalog, 'practice', params.id);
      return null;
    });
  }
}

import { setRoutes } from '@interview-prep/contracts/catalog/sets';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { Catalog } from '../catalog.ts';
import { choosePoints } from '../sets/choose-points.ts';
import type { SetRecord } from '../sets/model.ts';
import { presentPracticeSet } from '../sets/present-set.ts';
import { createSet, deleteSet, listSets, requireSet, updateSet } from '../sets/save-set.ts';
import { technologyNames } from '../technologies/model.ts';

/** Routes of practice sets: every user can read them, admins change them. */
export function servePracticeSets(server: RouteServer, catalog: Catalog): void {
  server.serve(setRoutes.listPracticeSets, async ({ query, user }) => {
    const names = await technologyNames(catalog.technologies);
    const { sets, ...page } = await listSets(catalog.sets, 'practice', query, user.role);
    const present = (set: SetRecord) => presentPracticeSet(set, names, user.role);
    return {
      practiceSets: sets.map((set) => (query.answers ? present(set) : { ...present(set), answers: undefined })),
      ...page,
    };
  });

  server.serve(setRoutes.getPracticeSet, async ({ params, user }) => {
    const set = await requireSet(catalog.sets, 'practice', params.id, user.role);
    return { practiceSet: presentPracticeSet(set, await technologyNames(catalog.technologies), user.role) };
  });

  server.serve(setRoutes.createPracticeSet, async ({ body, user, res }) => {
    const set = await createSet(catalog, 'practice', { ...body, expertPoints: choosePoints(body.answers) }, user);
    addToAudit(res, { target: `set:${set._id}`, details: { kind: 'practice' } });
    return { practiceSet: presentPracticeSet(set, await technologyNames(catalog.technologies), user.role) };
  });

  server.serve(setRoutes.updatePracticeSet, async ({ params, body, ...call }) => {
    const set = await updateSet(catalog, { kind: 'practice', id: params.id, ...call }, (previous) => ({
      ...body,
      expertPoints: choosePoints(body.answers, { previous }),
    }));
    return { practiceSet: presentPracticeSet(set, await technologyNames(catalog.technologies), call.user.role) };
  });

  server.serve(setRoutes.changePracticeSetStatus, async ({ params, body, ...call }) => {
    const set = await updateSet(catalog, { kind: 'practice', id: params.id, ...call }, () => body);
    return { practiceSet: presentPracticeSet(set, await technologyNames(catalog.technologies), call.user.role) };
  });

  for (const route of [setRoutes.deletePracticeSet, setRoutes.deletePracticeSetByItsPath]) {
    server.serve(route, async ({ params, res }) => {
      await deleteSet(catalog, { kind: 'practice', id: params.id, res });
      return null;
    });
  }
}

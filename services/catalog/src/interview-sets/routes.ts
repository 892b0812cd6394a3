import { setRoutes } from '@interview-prep/contracts/sets';
import type { RouteServer } from '@interview-prep/kit/serve-route';
import type { Catalog } from '../catalog.ts';
import { presentInterviewSet } from '../sets/present-set.ts';
import { createSet, deleteSet, findSet, listSets, updateSet } from '../sets/save-set.ts';
import { technologyNames } from '../technologies/technology-names.ts';
import { keptAnswers } from './kept-answers.ts';

export function serveInterviewSets(server: RouteServer, catalog: Catalog): void {
  server.serve(setRoutes.listInterviewSets, async ({ user }) => {
    const names = await technologyNames(catalog.technologies);
    const sets = await listSets(catalog.sets, 'interview');
    return { interviewSets: sets.map((set) => presentInterviewSet(set, names, user.role)) };
  });

  server.serve(setRoutes.createInterviewSet, async ({ body, user }) => {
    const { expertAnswers, ...rest } = body;
    const answers = expertAnswers ?? rest.questions.map(() => '');
    const set = await createSet(catalog, 'interview', { ...rest, answers }, user);
    return { interviewSet: presentInterviewSet(set, await technologyNames(catalog.technologies), user.role) };
  });

  server.serve(setRoutes.updateInterviewSet, async ({ params, body, user }) => {
    const { expertAnswers, ...rest } = body;
    const answers = expertAnswers ?? keptAnswers(await findSet(catalog.sets, 'interview', params.id), rest.questions);
    const set = await updateSet(catalog, 'interview', params.id, { ...rest, answers });
    return { interviewSet: presentInterviewSet(set, await technologyNames(catalog.technologies), user.role) };
  });

  server.serve(setRoutes.deleteInterviewSet, async ({ params }) => {
    await deleteSet(catalog, 'interview', params.id);
    return null;
  });
}

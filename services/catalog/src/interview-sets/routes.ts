import { fitsTimeLimit, hintTooLong } from '@interview-prep/contracts/catalog/answer-timing';
import { setRoutes } from '@interview-prep/contracts/catalog/sets';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { badRequest } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { Catalog } from '../catalog.ts';
import { choosePoints } from '../sets/choose-points.ts';
import { presentInterviewSet } from '../sets/present-set.ts';
import { createSet, deleteSet, listSets, requireSet, updateSet } from '../sets/save-set.ts';
import { technologyNames } from '../technologies/technology-names.ts';
import { keptAnswers } from './kept-answers.ts';

/** Serves interview sets: every user reads them, only admins see expert answers and change sets. */
export function serveInterviewSets(server: RouteServer, catalog: Catalog): void {
  server.serve(setRoutes.listInterviewSets, async ({ user }) => {
    const names = await technologyNames(catalog.technologies);
    const sets = await listSets(catalog.sets, 'interview');
    return { interviewSets: sets.map((set) => presentInterviewSet(set, names, user.role)) };
  });

  server.serve(setRoutes.createInterviewSet, async ({ body, user, res }) => {
    const { expertAnswers, expertPoints: sent, ...rest } = body;
    const answers = expertAnswers ?? rest.questions.map(() => '');
    const expertPoints = choosePoints(answers, { sent });
    const set = await createSet(catalog, 'interview', { ...rest, answers, expertPoints }, user);
    addToAudit(res, { target: `set:${set._id}` });
    return { interviewSet: presentInterviewSet(set, await technologyNames(catalog.technologies), user.role) };
  });

  server.serve(setRoutes.updateInterviewSet, async ({ params, body, user }) => {
    const { expertAnswers, expertPoints: sent, ...rest } = body;
    const previous = await requireSet(catalog.sets, 'interview', params.id);
    // A time that is absent stays as it was.
    const timeLimitSeconds = rest.timeLimitSeconds === undefined ? previous.timeLimitSeconds : rest.timeLimitSeconds;
    const lengthHintSeconds =
      rest.lengthHintSeconds === undefined ? previous.lengthHintSeconds : rest.lengthHintSeconds;
    if (!fitsTimeLimit({ timeLimitSeconds, lengthHintSeconds })) {
      throw badRequest(hintTooLong, [{ path: 'lengthHintSeconds', message: hintTooLong }]);
    }
    const answers = expertAnswers ?? keptAnswers(previous, rest.questions);
    const expertPoints = choosePoints(answers, { sent, previous });
    const set = await updateSet(catalog, 'interview', params.id, { ...rest, answers, expertPoints });
    return { interviewSet: presentInterviewSet(set, await technologyNames(catalog.technologies), user.role) };
  });

  server.serve(setRoutes.deleteInterviewSet, async ({ params }) => {
    await deleteSet(catalog, 'interview', params.id);
    return null;
  });
}

import { fitsTimeLimit, hintTooLong } from '@interview-prep/contracts/catalog/answer-timing';
import { setRoutes } from '@interview-prep/contracts/catalog/sets';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { badRequest } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { Catalog } from '../catalog.ts';
import { choosePoints } from '../sets/choose-points.ts';
import type { SetRecord } from '../sets/model.ts';
import { presentInterviewSet } from '../sets/present-set.ts';
import { createSet, deleteSet, listSets, requireSet, updateSet } from '../sets/save-set.ts';
import { technologyNames } from '../technologies/model.ts';

/**
 * Expert answers for an update without any. A question with unchanged text keeps its answer, even if it moved; others get ''.
 */
function keptAnswers(
  previous: { questions: readonly string[]; answers: readonly string[] },
  questions: readonly string[],
): string[] {
  const answers = new Map(previous.questions.map((question, index) => [question, previous.answers[index] ?? '']));
  return questions.map((question) => answers.get(question) ?? '');
}

/** Routes of interview sets: every user can read them, only admins see expert answers and change sets. */
export function serveInterviewSets(server: RouteServer, catalog: Catalog): void {
  server.serve(setRoutes.listInterviewSets, async ({ query, user }) => {
    const names = await technologyNames(catalog.technologies);
    const { sets, ...page } = await listSets(catalog.sets, 'interview', query, user.role);
    const withoutAnswers = { expertAnswers: undefined, expertPoints: undefined };
    const present = (set: SetRecord) => presentInterviewSet(set, names, user.role);
    return {
      interviewSets: sets.map((set) => (query.answers ? present(set) : { ...present(set), ...withoutAnswers })),
      ...page,
    };
  });

  server.serve(setRoutes.getInterviewSet, async ({ params, user }) => {
    const set = await requireSet(catalog.sets, 'interview', params.id, user.role);
    return { interviewSet: presentInterviewSet(set, await technologyNames(catalog.technologies), user.role) };
  });

  server.serve(setRoutes.createInterviewSet, async ({ body, user, res }) => {
    const { expertAnswers, expertPoints: sent, ...rest } = body;
    const answers = expertAnswers ?? rest.questions.map(() => '');
    const expertPoints = choosePoints(answers, { sent });
    const set = await createSet(catalog, 'interview', { ...rest, answers, expertPoints }, user);
    addToAudit(res, { target: `set:${set._id}`, details: { kind: 'interview' } });
    return { interviewSet: presentInterviewSet(set, await technologyNames(catalog.technologies), user.role) };
  });

  server.serve(setRoutes.updateInterviewSet, async ({ params, body, ...call }) => {
    const { expertAnswers, expertPoints: sent, ...rest } = body;
    const set = await updateSet(catalog, { kind: 'interview', id: params.id, ...call }, (previous) => {
      // Absent times stay unchanged.
      const timeLimitSeconds = rest.timeLimitSeconds === undefined ? previous.timeLimitSeconds : rest.timeLimitSeconds;
      const lengthHintSeconds =
        rest.lengthHintSeconds === undefined ? previous.lengthHintSeconds : rest.lengthHintSeconds;
      if (!fitsTimeLimit({ timeLimitSeconds, lengthHintSeconds })) {
        throw badRequest(hintTooLong, [{ path: 'lengthHintSeconds', message: hintTooLong }]);
      }
      const answers = expertAnswers ?? keptAnswers(previous, rest.questions);
      return { ...rest, answers, expertPoints: choosePoints(answers, { sent, previous }) };
    });
    return { interviewSet: presentInterviewSet(set, await technologyNames(catalog.technologies), call.user.role) };
  });

  server.serve(setRoutes.changeInterviewSetStatus, async ({ params, body, ...call }) => {
    const set = await updateSet(catalog, { kind: 'interview', id: params.id, ...call }, () => body);
    return { interviewSet: presentInterviewSet(set, await technologyNames(catalog.technologies), call.user.role) };
  });

  server.serve(setRoutes.deleteInterviewSet, async ({ params, res }) => {
    await deleteSet(catalog, { kind: 'interview', id: params.id, res });
    return null;
  });
}

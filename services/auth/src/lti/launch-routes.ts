import { type LtiLoginRequest, ltiRoutes } from '@interview-prep/contracts/auth/lti';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { HttpError, unauthorized } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { RequestHandler, Response } from 'express';
import type { Auth } from '../auth.ts';
import { passFirstFactor } from '../sign-in/sign-in.ts';
import { clientOf } from '../sign-ins/client-of.ts';
import { requireUser } from '../users/find-user.ts';
import {
  beginLaunch,
  choose,
  contentFor,
  enterCourse,
  giveBack,
  linkAccount,
  takeAnswer,
  takeLaunch,
} from './launches.ts';
import { errorPage, plainPolicy, sendLaunchedPage, sendLoginPage, sendReturnPage } from './pages.ts';
import { accountExists, userOf } from './people.ts';

/** The web app's landing page for launches. */
const launchedPath = '/lti';

/** Shows errors as HTML pages, not JSON. */
const shownToPeople: RequestHandler = (_req, res, next) => {
  res.locals.errorPage = errorPage;
  res.set('Content-Security-Policy', plainPolicy);
  next();
};

export function serveLtiLaunches(server: RouteServer, auth: Auth): void {
  const { lti, limits, requireFreshSignIn, users } = auth;

  server.serveAnyone(ltiRoutes.ltiKeys, async () => ({ keys: lti.keyring.published() }));

  const gates = [shownToPeople, ...limits.google];
  const logIn = async (request: LtiLoginRequest, res: Response) => {
    sendLoginPage(res, await beginLaunch(auth, request));
    return null;
  };
  server.serveAnyone(ltiRoutes.beginLtiLogin, ({ body, res }) => logIn(body, res), ...gates);
  server.serveAnyone(ltiRoutes.openLtiLogin, ({ query, res }) => logIn(query, res), ...gates);

  server.serveAnyone(
    ltiRoutes.ltiLaunch,
    async ({ body, res }) => {
      await takeAnswer(auth, body);
      sendLaunchedPage(res, launchedPath);
      return null;
    },
    ...gates,
  );

  server.serveAnyone(
    ltiRoutes.finishLtiLaunch,
    async ({ body: { attempt }, req, res }) => {
      const arrived = await takeLaunch(auth, attempt);
      const { platform, claims } = arrived;
      addToAudit(res, { details: { platform: String(platform._id) } });
      const user = await userOf(auth, platform, claims).catch(async (error: unknown) => {
        if (error instanceof HttpError && error.code === accountExists().code) await giveBack(auth, arrived);
        throw error;
      });
      addToAudit(res, { actor: String(user._id) });
      await limits.countSignIn(user, req, res);
      const place = await enterCourse(auth, user, arrived);
      const signIn = await passFirstFactor(auth, user._id, clientOf(req));
      if (!signIn) throw unauthorized(`${platform.name} did not sign you in.`);
      return { signIn, place };
    },
    ...limits.google,
  );

  server.serve(ltiRoutes.linkLti, async ({ body: { attempt }, user: claims, res }) => {
    requireFreshSignIn(claims);
    const user = await requireUser(users, claims.sub);
    const arrived = await takeLaunch(auth, attempt).catch((error: unknown) => {
      // On a signed-in route, 401 would mean that our own token is invalid.
      throw error instanceof HttpError ? new HttpError(409, 'conflict', error.message) : error;
    });
    addToAudit(res, { details: { provider: 'lti', platform: String(arrived.platform._id) } });
    await linkAccount(auth, claims.sub, arrived).catch(async (error: unknown) => {
      await giveBack(auth, arrived);
      throw error;
    });
    return { place: await enterCourse(auth, user, arrived) };
  });

  server.serve(ltiRoutes.chooseLtiContent, async ({ body, user, res }) => {
    const place = await choose(auth, body, user);
    addToAudit(res, { target: `assignment:${body.assignmentId}`, details: { group: place.groupId } });
    return { place };
  });

  server.serveAnyone(
    ltiRoutes.returnLtiContent,
    async ({ body, res }) => {
      const content = await contentFor(auth, body);
      if (content) sendReturnPage(res, content.url, content.jwt);
      else res.status(204).end();
      return null;
    },
    shownToPeople,
  );
}

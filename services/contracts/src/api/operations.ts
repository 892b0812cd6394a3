import { z } from 'zod';
import { WorkerEngines } from '../recording/recordings.ts';
import { routesOf } from './route.ts';

const state = z.enum(['ok', 'down']);

/** The components of the health check. The workers' status comes from recording: `unknown` while recording is down. */
const HealthServices = z.object({
  auth: state,
  catalog: state,
  recording: state,
  history: state,
  /** `down`: no heartbeat from any worker for 30 seconds. */
  worker: z.enum(['ok', 'down', 'unknown']),
});
const HealthComponent = HealthServices.keyof();

export const Health = z.object({
  status: z.enum(['ok', 'degraded']),
  services: HealthServices,
  /** Only for admins: the running release. */
  version: z.string().optional(),
  /** Only for admins: the engines of the running workers. */
  workers: z.array(WorkerEngines).optional(),
});
export type Health = z.infer<typeof Health>;

/** Public settings of the web app, available before sign-in. `demoLogins` only in a demonstration on this machine. */
export const PublicSettings = z.object({
  googleClientId: z.string().nullable(),
  /** The label of the OpenID provider's sign-in button; null if no provider is configured. */
  oidc: z.object({ name: z.string() }).nullable(),
  /** URL template of the avatar service; `{seed}` stands for the set's title. Null: icons are drawn locally. */
  avatarUrl: z.string().nullable(),
  demoLogins: z.array(z.object({ email: z.string(), password: z.string() })),
});
export type PublicSettings = z.infer<typeof PublicSettings>;

const gateway = routesOf('gateway');

/** The gateway's own routes. */
export const operationRoutes = {
  health: gateway.get('/api/health', 'anyone', {
    summary: 'Whether the product and its services work; for admins also its version and the engines of its workers',
    description:
      'Always answers 200, so that nobody takes the gateway out of service for it; the body says what works.',
    result: Health,
  }),
  componentHealth: gateway.get('/api/health/:component', 'anyone', {
    summary: 'Whether one service works, or any worker, for monitors that read only statuses',
    description: 'Answers 503 where it does not: for `worker`, where no worker has reported for 30 seconds.',
    params: z.object({ component: HealthComponent }),
    result: z.object({ status: z.literal('ok') }),
  }),
  settings: gateway.get('/api/settings', 'anyone', {
    summary: 'Settings that the web app needs before sign-in',
    description:
      'What the login page needs: the client id of Google sign-in, the OpenID provider, the avatar service, and the logins of a demonstration.',
    result: PublicSettings,
  }),
  openapi: gateway.get('/api/openapi.json', 'anyone', {
    summary: 'This document',
    description: 'Generated from the schemas that validate each request and answer.',
    result: z.record(z.string(), z.unknown()),
  }),
};

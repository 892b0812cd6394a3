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
    summary: "Health of the product and its services; for admins also the version and the workers' engines",
    description: 'Always returns 200, so that load balancers keep the gateway in service; the body has the details.',
    result: Health,
  }),
  componentHealth: gateway.get('/api/health/:component', 'anyone', {
    summary: 'Health of one service, or of the workers, for monitors that read only status codes',
    description: '503 if it is down: for `worker`, without a heartbeat from any worker for 30 seconds.',
    params: z.object({ component: HealthComponent }),
    result: z.object({ status: z.literal('ok') }),
  }),
  settings: gateway.get('/api/settings', 'anyone', {
    summary: 'Settings that the web app needs before sign-in',
    description:
      'For the login page: the client id of Google sign-in, the OpenID provider, the avatar service, and the logins of a demonstration.',
    result: PublicSettings,
  }),
  openapi: gateway.get('/api/openapi.json', 'anyone', {
    summary: 'This document',
    description: 'Generated from the schemas that validate requests and responses.',
    result: z.record(z.string(), z.unknown()),
  }),
};

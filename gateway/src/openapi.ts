import { ErrorBody } from '@interview-prep/contracts/api/error-body';
import type { Route } from '@interview-prep/contracts/api/route';
import { allRoutes } from '@interview-prep/contracts/api/routes';
import { contentDigest } from '@interview-prep/contracts/recording/uploads';
import { z } from 'zod';

/** A JSON Schema (2020-12) for OpenAPI 3.1: `input` for requests, `output` for responses. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

/** `:id` as `{id}`. */
const templated = (path: string) => path.replace(/:(\w+)/g, '{$1}');

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

const errorMeanings: Record<number, string> = {
  400: 'Malformed or invalid request',
  401: 'Missing or invalid token',
  403: 'Not allowed',
  404: 'Not found, or hidden from you',
  409: 'Conflict',
  413: 'Too large',
  415: 'Not a recording, or unsupported body encoding',
  416: 'Range outside of the media',
  429: 'Too many requests; see Retry-After',
  431: 'URL or headers too long',
  501: 'Not configured',
  502: 'A service closed the connection',
  503: 'A dependency is down; see Retry-After',
  504: 'A service timed out',
};

function parameters(route: Route) {
  const from = (place: 'path' | 'query', schema: z.ZodType) => {
    const json = schemaOf(schema, 'input') as { properties?: Record<string, unknown>; required?: string[] };
    return Object.entries(json.properties ?? {}).map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path' || Boolean(json.required?.includes(name)),
      schema: property,
    }));
  };
  const digest = {
    name: 'Content-Digest',
    in: 'header',
    required: true,
    schema: { type: 'string', pattern: contentDigest.source },
  };
  const ifMatch = {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `version` that was edited, in double quotes. Without it the change overwrites the current version.',
    schema: { type: 'string' },
  };
  const headers = [...(route.accepts === 'bytes' ? [digest] : []), ...(route.versioned ? [ifMatch] : [])];
  return [...from('path', route.params), ...from('query', route.query), ...headers];
}

/** The field name of the file in each multipart route. */
const fileParts: Record<string, string> = { '/api/interviews/recordings': 'audio', '/api/practice/recordings': 'file' };

function requestBody(route: Route) {
  if (route.accepts === 'nothing') return {};
  if (route.accepts === 'bytes')
    return { requestBody: { required: true, content: { 'application/octet-stream': {} } } };
  const schema = schemaOf(route.body, 'input') as { properties?: object; required?: string[] };
  if (route.accepts === 'form')
    return { requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema } } } };
  if (route.accepts === 'json') {
    const required = !route.body.safeParse({}).success;
    return { requestBody: { required, content: { 'application/json': { schema } } } };
  }
  const file = fileParts[route.path] ?? 'file';
  const withFile = {
    ...schema,
    properties: { ...schema.properties, [file]: { type: 'string', format: 'binary' } },
    required: [...(schema.required ?? []), file],
  };
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema: withFile } } } };
}

/** Who may call; by default every signed-in user. With a bearer token the array names the roles (OpenAPI 3.1). */
function securityOf({ access, scopes }: Route) {
  if (access === 'anyone') return { security: [] };
  // Any one of these scopes is enough.
  const keys = scopes.map((scope) => ({ apiKey: [scope] }));
  return access === 'admin' || keys.length > 0
    ? { security: [{ bearer: access === 'admin' ? ['admin'] : [] }, ...keys] }
    : {};
}

/** The error statuses of the gates that a request passes, derived from the route's declaration. */
function gateStatuses({ access, accepts, service }: Route): number[] {
  return [
    400,
    431,
    // 403: for API keys, if no other caller can get one.
    ...(access === 'anyone' ? [] : [401, 403]),
    ...(accepts === 'json' || accepts === 'form' ? [413, 415] : []),
    ...(service === 'gateway' ? [] : [502, 503, 504]),
  ];
}

function successContent(route: Route) {
  if (route.streams) return { content: Object.fromEntries(route.streams.map((type) => [type, {}])) };
  if (route.result) return { content: { 'application/json': { schema: schemaOf(route.result, 'output') } } };
  return {};
}

function responses(route: Route) {
  const content = successContent(route);
  const successes = Object.entries({ [route.status]: 'Success', ...route.otherStatuses });
  const errors = new Set([...gateStatuses(route), ...route.errorStatuses]);
  return {
    ...Object.fromEntries(successes.map(([status, description]) => [status, { description, ...content }])),
    ...Object.fromEntries(
      Object.entries(route.emptyStatuses).map(([status, description]) => [status, { description }]),
    ),
    ...Object.fromEntries(
      [...errors].map((status) => [status, { description: errorMeanings[status] ?? 'Error', content: errorContent }]),
    ),
  };
}

/** The OpenAPI 3.1 document, generated from the same schemas that validate requests. */
export function openApiDocument(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, route] of allRoutes) {
    paths[templated(route.path)] = {
      ...paths[templated(route.path)],
      [route.method]: {
        operationId,
        tags: [route.service],
        summary: route.summary,
        description: route.description,
        ...securityOf(route),
        parameters: parameters(route),
        ...requestBody(route),
        responses: responses(route),
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Interview Preparation Platform', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This installation' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of an admin or a coach, from POST /api/auth/api-keys. The array names the required scope; a key never has more rights than its owner.',
        },
      },
    },
  };
}

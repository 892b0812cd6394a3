import { ErrorBody } from '@interview-prep/contracts/error-body';
import type { Route } from '@interview-prep/contracts/route';
import { allRoutes } from '@interview-prep/contracts/routes';
import { z } from 'zod';

/** A JSON Schema (2020-12) for OpenAPI 3.1. `input` describes what a client sends, `output` what it receives. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

/** `:id` as `{id}`. */
const templated = (path: string) => path.replace(/:(\w+)/g, '{$1}');

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

/** Error statuses with what each means. */
const errorMeanings: Record<number, string> = {
  400: 'Malformed or invalid',
  401: 'No token, or a bad one',
  403: 'Not allowed',
  404: 'Not there, or not yours to know of',
  409: 'Conflict',
  413: 'Too large',
  415: 'Not a recording',
  416: 'The range is not in the media',
  429: 'Too many requests; see Retry-After',
  501: 'Not set up',
  503: 'Something behind is down',
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
  return [...from('path', route.params), ...from('query', route.query)];
}

/** The name of the file part of each multipart route. */
const fileParts: Record<string, string> = { '/api/interviews/recordings': 'audio', '/api/practice/recordings': 'file' };

function requestBody(route: Route) {
  if (route.accepts === 'nothing') return {};
  const schema = schemaOf(route.body, 'input') as { properties?: object; required?: string[] };
  if (route.accepts === 'json') return { requestBody: { required: true, content: { 'application/json': { schema } } } };
  const file = fileParts[route.path] ?? 'file';
  const withFile = {
    ...schema,
    properties: { ...schema.properties, [file]: { type: 'string', format: 'binary' } },
    required: [...(schema.required ?? []), file],
  };
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema: withFile } } } };
}

function responses(route: Route) {
  const gates = route.access === 'anyone' ? [400] : route.access === 'admin' ? [400, 401, 403] : [400, 401];
  const statuses = [...new Set([...gates, ...route.errorStatuses])].sort((a, b) => a - b);
  const content = route.streams
    ? { content: { [route.streams]: {} } }
    : route.result
      ? { content: { 'application/json': { schema: schemaOf(route.result, 'output') } } }
      : {};
  return {
    [route.status]: { description: 'Success', ...content },
    ...Object.fromEntries(
      statuses.map((status) => [status, { description: errorMeanings[status] ?? 'Error', content: errorContent }]),
    ),
  };
}

/** The OpenAPI 3.1 document, generated from the schemas that validate. */
export function openApiDocument(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, route] of allRoutes) {
    paths[templated(route.path)] = {
      ...paths[templated(route.path)],
      [route.method]: {
        operationId,
        tags: [route.service],
        summary: route.summary,
        ...(route.access === 'anyone' ? { security: [] } : {}),
        parameters: parameters(route),
        ...requestBody(route),
        responses: responses(route),
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Interview Preparation Platform', version, license: { name: 'MIT', identifier: 'MIT' } },
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

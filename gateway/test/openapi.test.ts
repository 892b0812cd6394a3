import { readFile } from 'node:fs/promises';
import { allRoutes } from '@interview-prep/contracts/api/routes';
import { productVersion } from '@interview-prep/contracts/api/version';
import { describe, expect, it, test } from 'vitest';
import { openApiDocument } from '../src/openapi.ts';

interface Operation {
  operationId: string;
  description?: string;
  security?: unknown[];
  parameters: { schema: { pattern?: string } }[];
  requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown> } }> };
  responses: Record<string, { description: string; content?: Record<string, unknown> }>;
}

const document = openApiDocument('1.0.0') as { paths: Record<string, Record<string, Operation>>; servers: unknown[] };
const operations = new Map(
  Object.values(document.paths).flatMap((path) => Object.values(path).map((each) => [each.operationId, each] as const)),
);

function operation(name: string): Operation {
  const found = operations.get(name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
}

test("the version is the package's version", async () => {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ version: productVersion });
});

describe('the OpenAPI document', () => {
  it('describes every operation, on one server', () => {
    expect([...operations.keys()].sort()).toEqual(allRoutes.map(([name]) => name).sort());
    for (const { operationId, description } of operations.values())
      expect(description?.length, operationId).toBeGreaterThan(20);
    expect(document.servers).toHaveLength(1);
  });

  it.each(['uploadInterviewRecording', 'uploadPracticeRecording'])(
    '%s returns 200 for a repeated upload, with the same result as a new one',
    (name) => {
      const { responses } = operation(name);
      expect(responses[200]?.content).toEqual(responses[201]?.content);
      expect(responses[200]?.content).toHaveProperty('application/json');
    },
  );

  it('describes the statuses and content types of media', () => {
    const { responses } = operation('media');
    for (const status of [200, 206])
      expect(Object.keys(responses[status]?.content ?? {})).toEqual(
        expect.arrayContaining(['audio/webm', 'video/webm', 'audio/mp4', 'audio/mpeg']),
      );
    expect(responses[304]).toEqual({ description: expect.any(String) });
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403', '404', '416', '503']));
  });

  it('describes that the event stream can be refused for too many windows', () => {
    expect(operation('events').responses).toHaveProperty('429');
    expect(operation('events').responses[200]?.content).toHaveProperty('text/event-stream');
  });

  it('describes for every JSON body that it can be too large, or in an unknown encoding', () => {
    const withJson = [...operations.values()].filter(({ requestBody }) => requestBody?.content['application/json']);
    expect(withJson.length).toBeGreaterThan(10);
    for (const { operationId, responses } of withJson)
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['413', '415']));
  });

  it('describes for every URL that it can be too long, and which roles may call it', () => {
    for (const { operationId, responses } of operations.values()) expect(responses, operationId).toHaveProperty('431');
    expect(operation('login').security).toEqual([]);
    expect(operation('me').security).toBeUndefined();
    expect(operation('listUsers').security).toEqual([{ bearer: ['admin'] }]);
  });

  it('has schemas that match what clients send: ids in both cases, an email with surrounding spaces, any setUpdatedAt', () => {
    const matches = (pattern: unknown, text: string) => new RegExp(String(pattern), 'u').test(text);
    const [id] = operation('updateUser').parameters;
    expect(matches(id?.schema.pattern, 'ABCDEF0123456789abcdef01')).toBe(true);
    const { email } = operation('register').requestBody?.content['application/json']?.schema.properties ?? {};
    expect(matches((email as { pattern: string }).pattern, ' new@example.com\n')).toBe(true);
    const upload = operation('uploadPracticeRecording').requestBody?.content['multipart/form-data'];
    expect(upload?.schema.properties.setUpdatedAt).not.toHaveProperty('pattern');
  });

  it('has the lengths for a new developer that the code enforces', () => {
    const { schema } = operation('register').requestBody?.content['application/json'] ?? {};
    expect(schema?.properties).toMatchObject({
      email: { minLength: 1, maxLength: 254, format: 'email' },
      password: { minLength: 8, maxLength: 128 },
      technologies: { minItems: 1, maxItems: 100 },
    });
  });
});

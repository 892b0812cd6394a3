import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The parts of a JSON Schema 2020-12 that the harness uses. */
export interface JsonSchema {
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
}

/** A parameter of a path or a query. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: JsonSchema;
}

export type SchemaCheck = ValidateFunction;

/** An operation of the document, with schema checks for its body and responses. */
export interface Operation {
  id: string;
  /** In upper case. */
  method: string;
  /** With templates: `/api/users/{id}`. */
  path: string;
  isOpen: boolean;
  /** Whether only admins may call it. */
  isForAdmins: boolean;
  parameters: readonly Parameter[];
  body: { mediaType: 'application/json' | 'multipart/form-data'; schema: JsonSchema; matches: SchemaCheck } | null;
  /** By status: null if the body must be empty, else a check by media type, which is null without a schema. */
  responses: ReadonlyMap<number, ReadonlyMap<string, SchemaCheck | null> | null>;
}

type Content = Record<string, { schema?: JsonSchema }>;

interface DocumentOperation {
  operationId: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

/** The parts of an OpenAPI 3.1 document that the harness uses. */
export interface ApiDocument {
  paths: Record<string, Record<string, DocumentOperation>>;
  security: Record<string, string[]>[];
  components: object;
}

/** The document's operations, in its order. */
export function operationsOf(document: ApiDocument): Operation[] {
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false, code });
  const checks = new Map<string, SchemaCheck>();
  // Most operations share their error responses.
  const check = (schema: JsonSchema): SchemaCheck => {
    const key = JSON.stringify(schema);
    // References are resolved from the document's root.
    const compiled = checks.get(key) ?? ajv.compile({ ...schema, components: document.components });
    checks.set(key, compiled);
    return compiled;
  };

  const bodyOf = ({ requestBody }: DocumentOperation): Operation['body'] => {
    const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    // URL-encoded forms are posted by other sites: only their statuses are tested, without a body.
    if (!content?.schema || mediaType === 'application/x-www-form-urlencoded') return null;
    if (mediaType !== 'application/json' && mediaType !== 'multipart/form-data')
      throw new Error(`The harness cannot send ${mediaType}`);
    return { mediaType, schema: content.schema, matches: check(content.schema) };
  };
  const contentChecks = (content: Content) =>
    new Map(Object.entries(content).map(([type, { schema }]) => [type, schema ? check(schema) : null]));

  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const security = operation.security ?? document.security;
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        isOpen: security.length === 0,
        isForAdmins: security.some((scheme) => Object.values(scheme).some((roles) => roles.includes('admin'))),
        parameters: operation.parameters ?? [],
        body: bodyOf(operation),
        responses: new Map(
          Object.entries(operation.responses).map(([status, { content }]) => [
            Number(status),
            content ? contentChecks(content) : null,
          ]),
        ),
      };
    }),
  );
}

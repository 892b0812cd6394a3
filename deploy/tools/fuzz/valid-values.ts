import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from './api-document.ts';

/** Values that are more likely to be accepted than random ones, by field name. */
export type KnownValues = (name: string) => Arbitrary<unknown> | undefined;

/** Text that is known to break software. */
const hostileText = fc.constantFrom(
  'a\u0000b',
  '\ud800',
  '‮שלום 👩‍💻',
  '\u2028\r\n',
  '<script>alert(1)</script>',
  '$where',
  '{"$gt":""}',
  '__proto__',
  '../../etc/passwd',
  '%00%2e%2e%2f',
  "' OR 1=1 --",
  '0x10',
  '１２',
);

/** The maximum length of random text; boundary values go up to the schema's limit. */
const usualLength = 40;
const usualItems = 4;

/** Any character except lone surrogates. fast-check's `binary` would first build a table of all of them, which takes seconds. */
export const anyCharacter = fc
  .nat(0x10_ffff - 0x800)
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));

/** Any text: letters, arbitrary code points, or hostile text. */
export function anyText(bounds: { minLength?: number; maxLength?: number } = {}): Arbitrary<string> {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = bounds;
  const lengths = { minLength, maxLength: Math.min(Math.max(minLength, usualLength), maxLength) };
  const isInside = (text: string) => [...text].length >= minLength && [...text].length <= maxLength;
  return fc.oneof(
    { weight: 4, arbitrary: fc.string(lengths) },
    { weight: 2, arbitrary: fc.string({ ...lengths, unit: anyCharacter }).filter(isInside) },
    { weight: 1, arbitrary: hostileText.map((text) => text.padEnd(minLength, '.')).filter(isInside) },
  );
}

type TextBounds = { [Bound in 'pattern' | 'minLength' | 'maxLength']: JsonSchema[Bound] | undefined };

const texts = new Map<string, Arbitrary<unknown>>();

/** Cached: many fields share a pattern and bounds, and building the generator takes far longer than using it. */
function text({ pattern, minLength, maxLength }: JsonSchema): Arbitrary<unknown> {
  const key = JSON.stringify([pattern, minLength, maxLength]);
  const built = texts.get(key) ?? buildText({ pattern, minLength, maxLength });
  texts.set(key, built);
  return built;
}

function buildText({ pattern, minLength = 0, maxLength }: TextBounds): Arbitrary<unknown> {
  if (pattern !== undefined) {
    const isInside = (value: string) => value.length >= minLength && value.length <= (maxLength ?? value.length);
    return fc.stringMatching(new RegExp(pattern), { size: 'small' }).filter(isInside);
  }
  const bounds = { minLength, ...(maxLength === undefined ? {} : { maxLength }) };
  const longest = fc.constant('x'.repeat(maxLength ?? usualLength));
  return fc.oneof({ weight: 15, arbitrary: anyText(bounds) }, { weight: 1, arbitrary: longest });
}

function numeric({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): Arbitrary<unknown> {
  const max = maximum ?? 1000;
  const min = minimum ?? exclusiveMinimum ?? -1000;
  if (type === 'integer') return fc.integer({ min: Math.max(min, Number.MIN_SAFE_INTEGER), max });
  return fc.double({ min, minExcluded: exclusiveMinimum !== undefined, max, noNaN: true });
}

function list(schema: JsonSchema, known: KnownValues, name: string): Arbitrary<unknown> {
  const { items = {}, minItems = 0, maxItems = usualItems } = schema;
  const item = validValues(items, known, name);
  const usual = fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, Math.max(usualItems, minItems)) });
  const longest = item.map((value) => Array.from({ length: maxItems }, () => value));
  // Items often refer to missing objects. An empty list gives the rest of the request a chance.
  const empty = minItems === 0 ? [{ weight: 12, arbitrary: fc.constant([]) }] : [];
  return fc.oneof({ weight: 25, arbitrary: usual }, { weight: 1, arbitrary: longest }, ...empty);
}

function object({ properties = {}, required = [] }: JsonSchema, known: KnownValues): Arbitrary<object> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, validValues(schema, known, name)]),
  );
  return fc.record(fields, { requiredKeys: [...required], noNullPrototype: true });
}

function anyValueOf(schema: JsonSchema, known: KnownValues, name: string): Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => validValues(each, known, name)));
  if (schema.allOf) {
    const parts = schema.allOf.map((each) => validValues(each, known, name) as Arbitrary<object>);
    return fc.tuple(...parts).map((values) => Object.assign({}, ...values));
  }
  if (schema.type === 'string') return text(schema);
  if (schema.type === 'integer' || schema.type === 'number') return numeric(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'array') return list(schema, known, name);
  if (schema.type === 'object') return object(schema, known);
  return fc.jsonValue();
}

/** Values that match a schema, mostly known ones if the field has any. */
export function validValues(schema: JsonSchema, known: KnownValues, name = ''): Arbitrary<unknown> {
  const any = anyValueOf(schema, known, name);
  const likely = schema.type === 'array' ? undefined : known(name);
  return likely ? fc.oneof({ weight: 4, arbitrary: likely }, { weight: 1, arbitrary: any }) : any;
}

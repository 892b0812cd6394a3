import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from './api-document.ts';
import { anyCharacter, anyText, type KnownValues, validValues } from './valid-values.ts';

/** Values of every JSON type; the caller filters out those that match the schema. */
const otherTypes: Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  true,
  42,
  1.5,
  -1,
  1e308,
  'text',
  [],
  {},
  [[[]]],
  ['text'],
  { $ne: null },
  [{ $gt: '' }],
  { constructor: { prototype: {} } },
);

function brokenText({ minLength = 0, maxLength, pattern, enum: members }: JsonSchema): Arbitrary<unknown>[] {
  return [
    ...(minLength > 0
      ? [fc.string({ maxLength: minLength - 1 }), fc.string({ maxLength: minLength - 1, unit: anyCharacter })]
      : []),
    ...(maxLength === undefined
      ? []
      : [
          fc.constant('x'.repeat(maxLength + 1)),
          fc.constant(`${'x'.repeat(maxLength)} `),
          fc.constant(`\n${'x'.repeat(maxLength)}`),
          fc.constant('👩'.repeat(maxLength + 1)),
          fc.constant(' '.repeat(maxLength + 1)),
        ]),
    ...(pattern === undefined && members === undefined ? [] : [anyText()]),
  ];
}

function brokenNumber({ minimum, maximum, exclusiveMinimum }: JsonSchema): Arbitrary<unknown>[] {
  return [
    ...(minimum === undefined ? [] : [fc.integer({ max: minimum - 1 }), fc.constant(minimum - 0.5)]),
    ...(exclusiveMinimum === undefined ? [] : [fc.constant(exclusiveMinimum), fc.integer({ max: exclusiveMinimum })]),
    ...(maximum === undefined
      ? []
      : [fc.integer({ min: maximum + 1, max: Math.max(maximum + 1, 2 ** 31 - 1) }), fc.constant(maximum + 0.5)]),
  ];
}

function brokenList(schema: JsonSchema, known: KnownValues): Arbitrary<unknown>[] {
  const { items = {}, minItems = 0, maxItems } = schema;
  const good = fc.array(validValues(items, known), { maxLength: 2 });
  return [
    ...(minItems > 0 ? [fc.array(validValues(items, known), { maxLength: minItems - 1 })] : []),
    ...(maxItems === undefined
      ? []
      : [validValues(items, known).map((item) => Array.from({ length: maxItems + 1 }, () => item))]),
    fc.tuple(good, broken(items, known)).map(([before, bad]) => [...before, bad]),
  ];
}

function brokenObject(schema: JsonSchema, known: KnownValues): Arbitrary<unknown>[] {
  const { properties = {}, required = [] } = schema;
  const good = validValues(schema, known) as Arbitrary<Record<string, unknown>>;
  const without = (name: string) => good.map(({ [name]: _, ...rest }) => rest);
  const withBroken = ([name, field]: [string, JsonSchema]) =>
    fc.tuple(good, broken(field, known)).map(([base, bad]) => ({ ...base, [name]: bad }));
  return [...required.map(without), ...Object.entries(properties).map(withBroken)];
}

const breaksByType: Record<string, (schema: JsonSchema, known: KnownValues) => Arbitrary<unknown>[]> = {
  string: brokenText,
  integer: brokenNumber,
  number: brokenNumber,
  array: brokenList,
  object: brokenObject,
};

/** Values that most likely don't match: of a wrong type, out of bounds, or broken in one nested place. */
function broken(schema: JsonSchema, known: KnownValues): Arbitrary<unknown> {
  const breaks = breaksByType[schema.type ?? '']?.(schema, known) ?? [];
  const all = fc.oneof(...breaks, otherTypes);
  // Objects are more often broken inside than replaced.
  return schema.type === 'object' && breaks.length > 0
    ? fc.oneof({ weight: 9, arbitrary: fc.oneof(...breaks) }, { weight: 1, arbitrary: otherTypes })
    : all;
}

/** Values that don't match a schema, as decided by `matches`. */
export function invalidValues(
  schema: JsonSchema,
  known: KnownValues,
  matches: (value: unknown) => boolean,
): Arbitrary<unknown> {
  return broken(schema, known).filter((value) => !matches(value));
}

/** Invalid texts, for paths, queries and forms. */
export function invalidTexts(schema: JsonSchema, matches: (value: string) => boolean): Arbitrary<string> {
  const texts = fc.oneof(...brokenText({ ...schema, pattern: schema.pattern ?? '' }));
  return (texts as Arbitrary<string>).filter((value) => !matches(value));
}

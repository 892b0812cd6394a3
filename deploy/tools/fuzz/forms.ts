import { limits } from '@interview-prep/contracts/api/limits';
import fc, { type Arbitrary } from 'fast-check';
import { silentRecording } from '../silent-recording.ts';
import type { JsonSchema } from './api-document.ts';
import { invalidTexts } from './invalid-values.ts';
import type { FormPart, FuzzRequest } from './request.ts';
import { type KnownValues, validValues } from './valid-values.ts';

type Form = Extract<FuzzRequest['body'], { kind: 'form' }>;

const isFile = ([, schema]: [string, JsonSchema]) => schema.format === 'binary';

/** A valid file. The small number of marks makes some bytes repeat. */
const goodFile = fc.integer({ min: 1, max: 100 }).map((mark) => silentRecording(`case ${mark}`));
/** Files that the schema allows but that are not recordings. */
const otherFiles = fc.constantFrom(
  Buffer.alloc(0),
  Buffer.alloc(limits.recordingMinBytes - 1),
  Buffer.alloc(5000, 'x'),
  silentRecording('').subarray(0, 1200),
  Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(3000)]),
  Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42', 'latin1'), Buffer.alloc(3000)]),
);
const tooLargeFile = fc.constant(limits.recordingMaxBytes + 1).map((size) => Buffer.alloc(size));

function fileParts(schema: JsonSchema): Arbitrary<FormPart[]> {
  const [name = ''] = Object.entries(schema.properties ?? {}).find(isFile) ?? [];
  const file = fc.oneof(
    { weight: 20, arbitrary: goodFile },
    { weight: 8, arbitrary: otherFiles },
    { weight: 1, arbitrary: tooLargeFile },
  );
  const fileName = fc.constantFrom('recording.webm', '../../x', 'שלום.wav', '');
  return fc.tuple(file, fileName).map(([content, given]) => [{ name, content, fileName: given }]);
}

function textSchema({ properties = {}, required = [] }: JsonSchema): JsonSchema & { required: readonly string[] } {
  const texts = Object.fromEntries(Object.entries(properties).filter((field) => !isFile(field)));
  return { type: 'object', properties: texts, required: required.filter((name) => name in texts) };
}

const textPart = ([name, value]: [string, unknown]): FormPart => ({ name, content: Buffer.from(String(value)) });

/** Forms that match a schema, with parts in random order. */
export function formParts(schema: JsonSchema, known: KnownValues): Arbitrary<Form> {
  const texts = validValues(textSchema(schema), known).map((fields) => Object.entries(fields as object).map(textPart));
  return fc
    .tuple(texts, fileParts(schema))
    .chain(([fields, file]) => {
      const parts = [...fields, ...file];
      return fc.shuffledSubarray(parts, { minLength: parts.length });
    })
    .map((parts) => ({ kind: 'form', parts }));
}

/** Whether a text part can be invalid: without constraints any text is valid. */
const isLimited = ([, { pattern, minLength, maxLength, enum: members }]: [string, JsonSchema]) =>
  [pattern, minLength, maxLength, members].some((limit) => limit !== undefined);

/** Forms with a missing required part, a duplicate part, or an invalid text. */
export function invalidForms(
  schema: JsonSchema,
  known: KnownValues,
  matches: (value: unknown) => boolean,
): Arbitrary<Form> {
  const good = formParts(schema, known);
  const { properties = {}, required } = textSchema(schema);
  const without = (name: string) => good.map(({ parts }) => parts.filter((part) => part.name !== name));
  const asObject = (parts: readonly FormPart[]) =>
    Object.fromEntries(parts.map(({ name, content }) => [name, content.toString()]));
  const broken = Object.entries(properties)
    .filter(isLimited)
    .map(([name, field]) =>
      fc
        .tuple(
          good,
          invalidTexts(field, () => false),
        )
        .map(([{ parts }, text]) => [
          ...parts.filter((part) => part.name !== name),
          textPart([name, text.toWellFormed()]),
        ])
        .filter((parts) => !matches(asObject(parts))),
    );
  const twice = required.map((name) =>
    good.map(({ parts }) => [...parts, ...parts.filter((part) => part.name === name)]),
  );
  return fc
    .oneof(...(schema.required ?? []).map(without), ...broken, ...twice)
    .map((parts) => ({ kind: 'form', parts }));
}

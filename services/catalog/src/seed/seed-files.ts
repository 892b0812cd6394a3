import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requiredText, slug } from '@interview-prep/contracts/api/fields';
import { limits } from '@interview-prep/contracts/api/limits';
import { z } from 'zod';

/** `key` identifies a set permanently, even if its title changes: the loader remembers it. */
const setHead = {
  key: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'A key is lower-case words joined by hyphens'),
  title: requiredText('Title', limits.titleMaxLength),
  technology: slug,
  tags: z.array(requiredText('Tag', limits.tagMaxLength)).max(limits.tagsPerSet),
};

/** A question with an expert answer in spoken sentences, each making one point. */
const interviewQuestion = z.strictObject({
  question: requiredText('Question', limits.questionMaxLength),
  expertAnswer: requiredText('Expert answer', limits.answerMaxLength),
});

/** A practice question. Its answer types itself out on screen while the candidate speaks. */
const practiceQuestion = z.strictObject({
  question: requiredText('Question', limits.questionMaxLength),
  answer: requiredText('Answer', limits.answerMaxLength),
});

/** Schema of technologies.json. */
const technologiesFile = z.array(z.strictObject({ name: requiredText('Technology name', limits.nameMaxLength), slug }));
export type SeedTechnology = z.infer<typeof technologiesFile>[number];

/** Schema of a file in interview-sets/. `technology` is a slug from technologies.json. */
const interviewSetFile = z.strictObject({
  ...setHead,
  questions: z.array(interviewQuestion).min(1).max(limits.questionsPerSet),
});
export type SeedInterviewSet = z.infer<typeof interviewSetFile>;

/** Schema of a file in practice-sets/. `technology` is a slug from technologies.json. */
const practiceSetFile = z.strictObject({
  ...setHead,
  questions: z.array(practiceQuestion).min(1).max(limits.questionsPerSet),
});
export type SeedPracticeSet = z.infer<typeof practiceSetFile>;

/** The demonstration data, in display order: the first set is the one to try first. */
export interface SeedFiles {
  technologies: SeedTechnology[];
  interviewSets: SeedInterviewSet[];
  practiceSets: SeedPracticeSet[];
}

/** The folder of the demonstration data: services/catalog/seed. */
export const seedDirectory = fileURLToPath(new URL('../../seed', import.meta.url));

/**
 * Reads technologies.json and every file of interview-sets/ and practice-sets/ under `directory`.
 * Set files are named `<number>-<key>.json` and returned in order of their numbers.
 * @throws an Error with the file name if the file isn't JSON, doesn't match its schema, isn't named after its key, or uses a
 * technology that technologies.json lacks
 */
export async function readSeedFiles(directory: string = seedDirectory): Promise<SeedFiles> {
  const technologies = await readJson(join(directory, 'technologies.json'), technologiesFile);
  const slugs = new Set(technologies.map((technology) => technology.slug));
  const interviewSets = await readSets(join(directory, 'interview-sets'), interviewSetFile, slugs);
  const practiceSets = await readSets(join(directory, 'practice-sets'), practiceSetFile, slugs);
  return { technologies, interviewSets, practiceSets };
}

async function readSets<SeedSet extends { key: string; technology: string }>(
  directory: string,
  schema: z.ZodType<SeedSet>,
  slugs: ReadonlySet<string>,
): Promise<SeedSet[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      const set = await readJson(path, schema);
      if (basename(name, '.json').replace(/^\d+-/, '') !== set.key) {
        throw new Error(`${path}: the file must be named after its key, '${set.key}'`);
      }
      if (!slugs.has(set.technology)) {
        throw new Error(`${path}: technologies.json has no technology '${set.technology}'`);
      }
      return set;
    }),
  );
}

async function readJson<Value>(path: string, schema: z.ZodType<Value>): Promise<Value> {
  const source = await readFile(path, 'utf8');
  let json: unknown;
  try {
    json = JSON.parse(source);
  } catch (error) {
    throw new Error(`${path}: not JSON`, { cause: error });
  }
  const result = schema.safeParse(json);
  if (!result.success) throw new Error(`${path}: ${z.prettifyError(result.error)}`, { cause: result.error });
  return result.data;
}

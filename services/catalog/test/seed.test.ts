import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expertAnswerText } from '@interview-prep/contracts/catalog/expert-sentence';
import { NewInterviewSet, NewPracticeSet } from '@interview-prep/contracts/catalog/sets';
import { slugOf } from '@interview-prep/contracts/catalog/technologies';
import { parseQuestions, withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSeedFiles, seedDirectory } from '../src/seed/seed-files.ts';

const { technologies, interviewSets, practiceSets } = await readSeedFiles();
const sets = [...interviewSets, ...practiceSets];
const expertAnswers = interviewSets.flatMap((set) => set.questions.map((question) => question.expertAnswer));
const practiceAnswers = practiceSets.flatMap((set) => set.questions.map((question) => question.answer));
const questionsOf = (list: readonly { questions: { question: string }[] }[]) =>
  list.flatMap((set) => set.questions.map(({ question }) => question));
const [interviewQuestions, practiceQuestions] = [questionsOf(interviewSets), questionsOf(practiceSets)];
const questions = [...interviewQuestions, ...practiceQuestions];
const texts = [
  ...technologies.map(({ name }) => name),
  ...sets.flatMap((set) => [set.title, ...set.tags]),
  ...questions,
  ...expertAnswers,
  ...practiceAnswers,
];

const warmUpKey = 'javascript-warm-up';

/** A text normalized for case, punctuation and spacing. */
const words = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
const folded = (text: string): string => words(text).join(' ');

function doubles(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const known = seen.has(folded(value));
    seen.add(folded(value));
    return known;
  });
}

const wordCount = (text: string): number => text.split(/\s+/).length;

const outside = (answers: readonly string[], min: number, max: number) =>
  answers.filter((answer) => wordCount(answer) < min || wordCount(answer) > max);

const setsPerTechnology = (list: readonly { technology: string }[]) =>
  technologies.map(({ slug }) => list.filter((set) => set.technology === slug).length);

describe('the demonstration data', () => {
  it('has enough technologies, interview sets and practice sets, and some of each for every technology', () => {
    expect(technologies.length).toBeGreaterThanOrEqual(10);
    expect(interviewSets.length).toBeGreaterThanOrEqual(18);
    expect(practiceSets.length).toBeGreaterThanOrEqual(9);
    expect(Math.min(...setsPerTechnology(interviewSets))).toBeGreaterThanOrEqual(1);
    expect(Math.min(...setsPerTechnology(practiceSets))).toBeGreaterThanOrEqual(1);
  });

  it('gives every technology the slug that the product would assign', () => {
    expect(technologies.map(({ slug }) => slug)).toEqual(technologies.map(({ name }) => slugOf(name)));
    expect(doubles(technologies.map(({ name }) => name))).toEqual([]);
  });

  it('has no duplicate key, title or question, ignoring case and punctuation', () => {
    expect(doubles(sets.map((set) => set.key))).toEqual([]);
    expect(doubles(sets.map((set) => set.title))).toEqual([]);
    for (const own of [interviewQuestions, practiceQuestions, expertAnswers, practiceAnswers]) {
      expect(doubles(own)).toEqual([]);
    }
    for (const set of sets) expect(doubles(set.tags), set.key).toEqual([]);
  });

  it('has a practice set with the questions and expert answers of an interview set, for rehearsal', () => {
    const shared = (warmUp: { question: string }[] | undefined) => warmUp?.map(({ question }) => question);
    const practiced = practiceSets.find(({ key }) => key === `practice-${warmUpKey}`);
    expect(shared(practiced?.questions)).toEqual(shared(interviewSets.find(({ key }) => key === warmUpKey)?.questions));
    expect(doubles(questions)).toHaveLength(practiced?.questions.length ?? 0);
  });

  it('is valid for the API', () => {
    for (const { title, technology, tags, questions: asked } of interviewSets) {
      const set = {
        title,
        technology,
        tags,
        questions: asked.map(({ question }) => question),
        expertAnswers: asked.map(({ expertAnswer }) => expertAnswer),
      };
      expect(NewInterviewSet.parse(set)).toEqual(set);
    }
    for (const { title, technology, tags, questions: asked } of practiceSets) {
      const set = {
        title,
        technology,
        tags,
        questions: asked.map(({ question }) => question),
        answers: asked.map(({ answer }) => answer),
      };
      expect(NewPracticeSet.parse(set)).toEqual(set);
    }
  });

  it('keeps set and answer sizes in range', () => {
    for (const set of interviewSets.filter(({ key }) => key !== warmUpKey)) {
      expect(set.questions.length, set.key).toBeGreaterThanOrEqual(5);
      expect(set.questions.length, set.key).toBeLessThanOrEqual(8);
    }
    for (const set of practiceSets.filter(({ key }) => key !== `practice-${warmUpKey}`)) {
      expect(set.questions.length, set.key).toBeGreaterThanOrEqual(4);
      expect(set.questions.length, set.key).toBeLessThanOrEqual(6);
    }
    expect(outside(expertAnswers, 60, 140)).toEqual([]);
    expect(outside(practiceAnswers, 40, 90)).toEqual([]);
  });

  it('has answers of several sentences that can be judged separately', () => {
    for (const answer of [...expertAnswers, ...practiceAnswers]) {
      expect(answer).toMatch(/[.?]$/);
      expect(answer.split(/(?<=[.?])\s+/).length, answer).toBeGreaterThanOrEqual(4);
    }
  });

  it('is plain printable text: no markup, no stray spaces, balanced code marks', () => {
    for (const text of texts) {
      expect(text).toMatch(/^[\x20-\x7e]+$/);
      expect(text).not.toMatch(/<\/?[a-z!][^>]*>|&[a-z]+;|&#\d+;/i);
      expect(text).not.toMatch(/ {2}|^ | $|^#|\*\*|```/);
      expect((text.match(/`/g) ?? []).length % 2, text).toBe(0);
    }
  });

  it('loses nothing when screens strip prefixes', () => {
    expect(questions.map(withoutQuestionPrefix)).toEqual(questions);
    expect(questions.flatMap(parseQuestions)).toEqual(questions);
    const answers = [...expertAnswers, ...practiceAnswers];
    expect(answers.map(expertAnswerText)).toEqual(answers);
  });

  it('starts with a warm-up of two questions in everyday words', () => {
    const warmUp = interviewSets[0];
    expect(warmUp?.key).toBe(warmUpKey);
    expect(warmUp?.technology).toBe('javascript');
    expect(warmUp?.questions).toHaveLength(2);
    for (const { expertAnswer } of warmUp?.questions ?? []) expect(expertAnswer).not.toMatch(/[`()]|[a-z][A-Z]/);
  });
});

describe('reading the seed files', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'seed-'));
    await cp(seedDirectory, directory, { recursive: true });
  });
  afterEach(() => rm(directory, { recursive: true }));

  const warmUpFile = () => join(directory, 'interview-sets', `010-${warmUpKey}.json`);
  const rewriteWarmUp = async (change: (source: string) => string) =>
    writeFile(warmUpFile(), change(await readFile(warmUpFile(), 'utf8')));

  it('reads another directory in the order of the file names', async () => {
    await writeFile(join(directory, 'interview-sets', '005-first.json'), await firstSet());
    const read = await readSeedFiles(directory);
    expect(read.interviewSets.map((set) => set.key)).toEqual(['first', ...interviewSets.map((set) => set.key)]);
  });

  it.each([
    ['is cut off', (source: string) => source.slice(0, -20), /010-javascript-warm-up\.json: not JSON/],
    [
      'has a blank title',
      (source: string) => source.replace(/"title": "[^"]*"/, '"title": " "'),
      /warm-up\.json: .*Title is required/,
    ],
    [
      'has a misspelled field',
      (source: string) => source.replace('"expertAnswer"', '"expertanswer"'),
      /warm-up\.json: .*Expert answer is required/s,
    ],
    [
      'names an unknown technology',
      (source: string) => source.replace('"technology": "javascript"', '"technology": "cobol"'),
      /no technology 'cobol'/,
    ],
    [
      'is not named after its key',
      (source: string) => source.replace(`"key": "${warmUpKey}"`, '"key": "other"'),
      /named after its key, 'other'/,
    ],
  ])('rejects a file that %s, and names it', async (_fault, change, message) => {
    await rewriteWarmUp(change);
    await expect(readSeedFiles(directory)).rejects.toThrow(message);
  });

  const firstSet = async () =>
    (await readFile(warmUpFile(), 'utf8')).replace(`"key": "${warmUpKey}"`, '"key": "first"');
});

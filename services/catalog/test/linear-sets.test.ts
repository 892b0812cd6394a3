import { limits } from '@interview-prep/contracts/api/limits';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StartedCatalog, startCatalog } from './start-catalog.ts';

let started: StartedCatalog;
beforeAll(async () => {
  started = await startCatalog();
  await send('/api/technologies', { name: 'Node.js' });
});
afterAll(() => started.stop());

const send = (path: string, body: object) =>
  request(started.app).post(path).set('Authorization', started.admin.authorization).send(body).expect(201);

/** Saves a set over HTTP. @returns the number of characters that expressions read meanwhile; each expression is linear in them */
async function charactersRead(question: string, expertAnswer: string): Promise<number> {
  const { exec } = RegExp.prototype;
  let read = 0;
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    read += 1 + (this.sticky ? 0 : (found ? found.index + found[0].length : String(text).length) - from);
    return found;
  };
  try {
    const set = {
      title: 'Steps',
      technology: 'node-js',
      questions: [question],
      expertAnswers: [expertAnswer],
      tags: [],
    };
    await send('/api/interviews/sets', set);
    return read;
  } finally {
    RegExp.prototype.exec = exec;
  }
}

const units = [
  '.',
  ' ',
  'a ',
  '(',
  '()',
  '. ',
  'a. ',
  'e.g. ',
  ', and a ',
  '; a ',
  ': a b c ',
  '# ',
  '1. a ',
  '`',
  '{',
  'a\n',
  '-',
];

// contracts' linear-expressions.test.ts proves that each expression is linear.
test.each(units)('a set with twice as many %j takes at most 2.5 times the steps', async (unit) => {
  // The start keeps the trimmed text from being empty.
  const filled = (length: number) => `a${unit.repeat(length / unit.length)}b`;
  const half = await charactersRead(filled(limits.questionMaxLength / 2 - 10), filled(limits.answerMaxLength / 2 - 10));
  const whole = await charactersRead(filled(limits.questionMaxLength - 10), filled(limits.answerMaxLength - 10));
  expect(whole / half).toBeLessThanOrEqual(2.5);
  expect(half).toBeGreaterThan(limits.answerMaxLength / 2);
});

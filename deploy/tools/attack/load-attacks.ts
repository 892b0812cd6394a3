import { createHash, randomUUID } from 'node:crypto';
import { inWords } from './requests.ts';
import { speak } from './score-attacks.ts';
import type { Attack, World } from './world.ts';

/** How long other users' requests may take during an attack. */
const patienceMs = 1500;

/** The shortest of three runs, to exclude other load on the machine. */
async function shortestMs(work: () => Promise<unknown>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3; tries += 1) {
    const startedAt = performance.now();
    await work();
    shortest = Math.min(shortest, performance.now() - startedAt);
  }
  return shortest;
}

/** Patterns for a text of 10,000 characters. Each was slow for some regular expression. */
const repeated = [
  '.',
  '. ',
  '…',
  '`',
  '``` ',
  '(',
  ')',
  '-',
  '- ',
  '* ',
  '1. ',
  '\n',
  '\n\n',
  ' ',
  'a',
  'a.',
  'a b ',
  '=',
  '#',
  '"',
  "'",
  ',',
  ';',
  '!',
  '?',
  '/',
  '\\',
  '<',
  '&',
  '_',
  '~',
  '|',
  '[',
  '{',
  '; a ',
  ', and a ',
  'O(n) ',
  '1,',
  'e.g.',
];

/** Saves a set with this expert answer. @returns the response's status */
async function saveSet({ call, admin }: World, expertAnswer: string): Promise<number> {
  const title = `Set ${randomUUID()}`;
  const body = { title, technology: 'javascript', questions: ['What?'], expertAnswers: [expertAnswer], tags: [] };
  return (await call({ method: 'POST', path: '/api/interviews/sets', body, token: await admin() })).status;
}

/** Issue 26, "Who can stop the service". */
export const loadAttacks: readonly Attack[] = [
  {
    name: 'Stop the service recording with a transcript correction of 99 kB, five at once',
    async run({ call, candidate, newSet, answer }) {
      const owner = await candidate();
      const spoken = await speak('I really do not know what this is. Let me think about it for a moment.');
      const { recordingId, interviewId } = await answer(owner, await newSet(), spoken);
      const words = Array.from({ length: 19_800 }, () => Math.random().toString(36).slice(2, 6).padEnd(4, 'x'));
      const body = { text: words.join(' ') };
      const path = `/api/recordings/${recordingId}/transcript`;
      const corrections = Array.from({ length: 5 }, () => call({ method: 'PUT', path, body, token: owner.token }));
      let slowestMs = 0;
      for (let n = 0; n < 10; n += 1) {
        const { tookMs } = await call({ path: `/api/sessions/${interviewId}/shares`, token: owner.token });
        slowestMs = Math.max(slowestMs, tookMs);
      }
      const answers = await Promise.all(corrections);
      return {
        succeeded: slowestMs > patienceMs || answers.some(({ status }) => status < 300),
        answered: `${inWords(answers[0]!)}; others waited ${Math.round(slowestMs)} ms at most`,
      };
    },
  },
  {
    name: 'As a visitor, have 4 MB of brackets parsed',
    async run({ call }) {
      const body = Buffer.from('['.repeat(1_900_000) + ']'.repeat(1_900_000));
      const headers = { 'content-type': 'application/json' };
      const answer = await call({ method: 'POST', path: '/api/shared', body, headers });
      return { succeeded: answer.status !== 413, answered: inWords(answer) };
    },
  },
  {
    name: 'Send 20 MB of one answer in parts, at once',
    async run({ call, candidate, newSet }) {
      const { token } = await candidate();
      const path = `/api/uploads/${randomUUID()}`;
      const body = { kind: 'interview', setId: await newSet(), sessionId: randomUUID(), questionId: 0 };
      await call({ method: 'PUT', path, body, token });
      const send = (number: number) => {
        const bytes = Buffer.alloc(512 * 1024, number);
        const digest = createHash('sha256').update(bytes).digest('base64');
        const headers = { 'content-type': 'application/octet-stream', 'content-digest': `sha-256=:${digest}:` };
        return call({ method: 'PUT', path: `${path}/parts/${number}`, body: bytes, headers, token });
      };
      await Promise.all(Array.from({ length: 40 }, (_, number) => send(number)));
      const received = (await call({ path, token })).body?.upload?.receivedBytes ?? Number.POSITIVE_INFINITY;
      return { succeeded: received > 10 * 1024 * 1024, answered: `${received} bytes are stored` };
    },
  },
  {
    name: 'Download twice, and twice at once, with one link of an export',
    async run({ call, candidate }) {
      const { token } = await candidate();
      const asked = async () => {
        const { body, headers } = await call({ method: 'POST', path: '/api/recordings/export', body: {}, token });
        const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
        return { path: body?.url ?? '/api/none', headers: { cookie } };
      };
      const link = await asked();
      const [first, second] = [await call(link), await call(link)];
      const other = await asked();
      const atOnce = await Promise.all([call(other), call(other)]);
      const taken = atOnce.filter(({ status }) => status === 200).length;
      return {
        succeeded: second.status === 200 || taken > 1,
        answered: `${first.status}, then ${inWords(second)}; ${taken} of 2 at once`,
      };
    },
  },
  {
    name: 'Write 5,000 and 10,000 characters that cost quadratic time',
    async run(world) {
      const slow: string[] = [];
      for (const text of repeated) {
        const fill = (length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
        const half = await shortestMs(() => saveSet(world, fill(5000)));
        const whole = await shortestMs(() => saveSet(world, fill(10_000)));
        if (whole > 250 && whole > 2.5 * half)
          slow.push(`${JSON.stringify(text)}: ${Math.round(half)} and ${Math.round(whole)} ms`);
      }
      return { succeeded: slow.length > 0, answered: slow.length > 0 ? slow.join(', ') : 'twice as much at most' };
    },
  },
];

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { removeFolder } from '@interview-prep/local/data-folder';
import { inWords } from './requests.ts';
import type { Attack, Attacker, World } from './world.ts';

const run = promisify(execFile);

/** Text spoken by flite, as WAV. */
export async function speak(text: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-attack-'));
  try {
    const path = join(folder, 'spoken.wav');
    await run('flite', ['-voice', 'slt', '-t', text, '-o', path]);
    return await readFile(path);
  } finally {
    await removeFolder(folder);
  }
}

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;

/** The concatenated texts of all files in a zip file. Sufficient for the product's own files; no ZIP64. */
function textsInZip(zip: Buffer): string {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== endOfDirectory) end -= 1;
  if (end < 0) throw new Error('This is not a zip file');
  const texts: string[] = [];
  let at = zip.readUInt32LE(end + 16);
  while (zip.readUInt32LE(at) === directoryEntry) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const lengths = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(start, start + size);
    texts.push((method === 8 ? inflateRawSync(content) : content).toString());
    at += 46 + lengths.reduce((sum, length) => sum + length, 0);
  }
  return texts.join('\n');
}

const everything = { media: true, transcript: true, verdicts: true };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const review = (percentage: number) => ({ correctnessPercentage: percentage, points: [], reason: 'Well done' });

/** An answer that an admin scored 20%, with its owner's link that lets guests review; null without such a link. */
async function reviewedWithLink(world: World) {
  const { call, candidate, newSet, answer, admin } = world;
  const owner = await candidate();
  const { recordingId, interviewId } = await answer(owner, await newSet());
  const path = `/api/recordings/${recordingId}/review`;
  await call({ method: 'PUT', path, body: review(20), token: await admin() });
  const body = { role: 'review', shows: everything };
  const made = await call({ method: 'POST', path: `/api/sessions/${interviewId}/shares`, body, token: owner.token });
  return { owner, recordingId, interviewId, made, token: made.body?.token as string | undefined };
}

const expert =
  'A closure is a function together with the variables of the scope in which it was created. It keeps access to them after the outer function has returned.';

/** A judged answer that covers nothing of the expert answer. */
async function unknowing({ candidate, newSet, answer }: World) {
  const owner = await candidate();
  const spoken = await speak('I really do not know what this is. Let me think about it for a moment.');
  return { owner, ...(await answer(owner, await newSet([expert, 'A value that comes later.']), spoken)) };
}

/** A guest's review, sent with a link's token. */
const guestReview = (world: World, recordingId: string, token: string | undefined, percentage = 100) =>
  world.call({
    method: 'PUT',
    path: `/api/shared/recordings/${recordingId}/review`,
    body: { token: token ?? '', ...review(percentage) },
  });

/** The percentage of an answer, as its owner sees it. */
async function percentageOf({ detail }: World, owner: Attacker, interviewId: string, recordingId: string) {
  const { recordings } = await detail(owner, interviewId);
  return recordings.find(({ _id }: { _id: string }) => _id === recordingId)?.correctnessPercentage as number | null;
}

/** Issue 26, "Who decides about a score". */
export const scoreAttacks: readonly Attack[] = [
  {
    name: 'Give oneself 100% by a review link of one’s own, in place of an admin’s 20%',
    async run(world) {
      const { owner, recordingId, interviewId, made, token } = await reviewedWithLink(world);
      const answer = await guestReview(world, recordingId, token);
      await sleep(3000);
      const percentage = await percentageOf(world, owner, interviewId, recordingId);
      return {
        succeeded: percentage !== 20,
        answered: `link: ${made.status}; review: ${inWords(answer)}; the answer has ${percentage}%`,
      };
    },
  },
  {
    name: 'Review by a link without leaving a trace that names the link',
    async run(world) {
      const { call, admin } = world;
      const { recordingId, made, token } = await reviewedWithLink(world);
      if (made.status !== 201) return { succeeded: false, answered: `no link: ${inWords(made)}` };
      await guestReview(world, recordingId, token);
      await sleep(2000);
      const log = await call({ method: 'POST', path: '/api/audit/search', body: {}, token: await admin() });
      const isNamed = log.bytes.toString().includes(made.body.share.id);
      return { succeeded: !isNamed, answered: isNamed ? 'the audit log names the link' : 'no entry names the link' };
    },
  },
  {
    name: 'Send 100 reviews by one link',
    async run(world) {
      const { recordingId, made, token } = await reviewedWithLink(world);
      if (made.status !== 201) return { succeeded: false, answered: `no link: ${inWords(made)}` };
      let taken = 0;
      let answer = await guestReview(world, recordingId, token, 1);
      for (; taken < 100 && answer.status !== 429; taken += 1)
        answer = await guestReview(world, recordingId, token, taken % 100);
      return { succeeded: answer.status !== 429, answered: `after ${taken} ${inWords(answer)}` };
    },
  },
  {
    name: 'Paste the expert answer as a "correction" of the transcript',
    async run(world) {
      const { owner, recordingId, interviewId } = await unknowing(world);
      const before = await percentageOf(world, owner, interviewId, recordingId);
      const path = `/api/recordings/${recordingId}/transcript`;
      const answer = await world.call({ method: 'PUT', path, body: { text: expert }, token: owner.token });
      let after = before;
      for (let tries = 0; tries < 40 && (after ?? 0) < 50; tries += 1) {
        await sleep(500);
        after = await percentageOf(world, owner, interviewId, recordingId);
      }
      return { succeeded: (after ?? 0) >= 50, answered: `${inWords(answer)}; ${before}% became ${after}%` };
    },
  },
  {
    name: 'Add the expert answer to the transcript in letters such as ⓐ, which count as symbols',
    async run(world) {
      const { owner, recordingId, interviewId } = await unknowing(world);
      const { call, detail } = world;
      const read = async () => {
        const { recordings } = await detail(owner, interviewId);
        return recordings.find(({ _id }: { _id: string }) => _id === recordingId);
      };
      const heard = (await read()).transcription.text as string;
      const circled = expert.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0x246f));
      const body = { text: `${heard} ${circled}` };
      const path = `/api/recordings/${recordingId}/transcript`;
      const answer = await call({ method: 'PUT', path, body, token: owner.token });
      await sleep(5000);
      const { text, proposed } = (await read()).transcription;
      return { succeeded: text !== heard, answered: `${inWords(answer)}; ${proposed ? 'a person decides' : text}` };
    },
  },
  {
    name: 'Claim word after word for a point, until the judge mistakes one for it',
    async run(world) {
      const { owner, recordingId, interviewId } = await unknowing(world);
      const path = `/api/recordings/${recordingId}/points/0/claim`;
      for (let claims = 0; claims < 15; claims += 1) {
        const body = { firstWord: claims, lastWord: claims };
        const claim = () => world.call({ method: 'POST', path, body, token: owner.token });
        let answer = await claim();
        for (; /processed/.test(answer.body?.message); answer = await claim()) await sleep(200);
        if (answer.status === 409) {
          const percentage = await percentageOf(world, owner, interviewId, recordingId);
          return { succeeded: (percentage ?? 0) >= 50, answered: `after ${claims} claims ${inWords(answer)}` };
        }
      }
      return { succeeded: true, answered: '15 claims, each judged' };
    },
  },
  {
    name: 'Create more than twenty links to an interview, at once',
    async run({ call, candidate, newSet, answer }) {
      const owner = await candidate();
      const { interviewId } = await answer(owner, await newSet());
      const path = `/api/sessions/${interviewId}/shares`;
      const body = { role: 'read', shows: everything };
      const create = () => call({ method: 'POST', path, body, token: owner.token });
      const statuses = (await Promise.all(Array.from({ length: 40 }, create))).map(({ status }) => status);
      const made = statuses.filter((status) => status === 201).length;
      return { succeeded: made > 20, answered: `${made} of 40` };
    },
  },
  {
    name: 'Read, continue, complete or discard the answer that another user is sending in parts',
    async run({ call, candidate, newSet }) {
      const [owner, other, setId, sessionId, id] = [
        await candidate(),
        await candidate(),
        await newSet(),
        randomUUID(),
        randomUUID(),
      ];
      const path = `/api/uploads/${id}`;
      const body = { kind: 'interview', setId, sessionId, questionId: 0 };
      const begun = await call({ method: 'PUT', path, body, token: owner.token });
      const part = { body: Buffer.from('x'), headers: { 'content-type': 'application/octet-stream' } };
      const tried = [
        await call({ path, token: other.token }),
        await call({ method: 'PUT', path, body, token: other.token }),
        await call({ method: 'PUT', path: `${path}/parts/0`, ...part, token: other.token }),
        await call({ method: 'POST', path: `${path}/complete`, body: { parts: 1 }, token: other.token }),
        await call({ method: 'DELETE', path, token: other.token }),
        await call({ method: 'PUT', path: `/api/uploads/${randomUUID()}`, body, token: other.token }),
      ];
      return {
        succeeded: begun.status !== 200 || tried.some(({ status }) => status < 300),
        answered: tried.map(({ status }) => status).join(', '),
      };
    },
  },
  {
    name: 'Read expert answers of questions that were never answered, in the export of one’s data',
    async run({ call, candidate, newSet, answer }) {
      const owner = await candidate();
      const secret = `secret-${randomUUID()}`;
      await answer(owner, await newSet(['A function with its scope.', secret]));
      const asked = await call({ method: 'POST', path: '/api/recordings/export', body: {}, token: owner.token });
      const cookie = asked.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      const zip = await call({ path: asked.body.url, headers: { cookie } });
      const isThere = textsInZip(zip.bytes).includes(secret);
      return { succeeded: isThere, answered: `${zip.status}, ${isThere ? 'with' : 'without'} the other expert answer` };
    },
  },
  {
    name: 'By a link for scores alone, read the reason of the appeal and the reviewer’s comments',
    async run({ call, candidate, newSet, answer, admin }) {
      const owner = await candidate();
      const { recordingId, interviewId } = await answer(owner, await newSet());
      const [reason, comment] = [`reason-${randomUUID()}`, `comment-${randomUUID()}`];
      const appeal = { method: 'POST', path: `/api/recordings/${recordingId}/appeal`, body: { reason } };
      await call({ ...appeal, token: owner.token });
      const verdict = { ...review(20), comments: [{ atMs: 10, text: comment }] };
      const path = `/api/recordings/${recordingId}/review`;
      await call({ method: 'PUT', path, body: verdict, token: await admin() });
      const body = { role: 'read', shows: { media: false, transcript: false, verdicts: true } };
      const shares = `/api/sessions/${interviewId}/shares`;
      const { body: made } = await call({ method: 'POST', path: shares, body, token: owner.token });
      const shared = await call({ method: 'POST', path: '/api/shared', body: { token: made?.token ?? '' } });
      const seen = [reason, comment].filter((text) => shared.bytes.includes(text)).length;
      return { succeeded: shared.status !== 200 || seen > 0, answered: `${shared.status}, ${seen} of 2 shown` };
    },
  },
  {
    name: 'By a link that shows the newest take, review an earlier one',
    async run(world) {
      const { call, candidate, newSet, answer } = world;
      const [owner, setId, sessionId] = [await candidate(), await newSet(), randomUUID()];
      const earlier = await answer(owner, setId, undefined, { sessionId });
      const { interviewId } = await answer(owner, setId, undefined, { sessionId });
      const path = `/api/sessions/${interviewId}/shares`;
      const body = { role: 'review', shows: everything };
      const made = await call({ method: 'POST', path, body, token: owner.token });
      if (made.status !== 201) return { succeeded: false, answered: `no link: ${inWords(made)}` };
      const refused = await guestReview(world, earlier.recordingId, made.body.token);
      return { succeeded: refused.status < 300, answered: inWords(refused) };
    },
  },
];

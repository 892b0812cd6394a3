import { loadavg } from 'node:os';
import type { Bench, Measure } from '../measure.ts';
import { type HeardAnswer, hearAnswer, hearWhileSpoken, type SpokenAnswer } from './hear-answer.ts';

const lengths = [60, 120];
let heard: Promise<HeardAnswer[]> | undefined;

/** Transcribes each answer once for all of these measures, sequentially. */
function hearAll(bench: Bench): Promise<HeardAnswer[]> {
  heard ??= (async () => {
    const all: HeardAnswer[] = [];
    for (const seconds of lengths) all.push(await hearAnswer(seconds, bench));
    return all;
  })();
  return heard;
}

const spokenLengths = [30, 60, 120];
let spoken: Promise<SpokenAnswer[]> | undefined;

/** Sends answers in real time, sequentially. */
function hearAllSpoken(bench: Bench): Promise<SpokenAnswer[]> {
  spoken ??= (async () => {
    const all: SpokenAnswer[] = [];
    for (const seconds of spokenLengths) all.push(await hearWhileSpoken(seconds, bench));
    return all;
  })();
  return spoken;
}

const describe = <One extends { answerSeconds: number }>(all: readonly One[], part: (one: One) => string): string =>
  all.map((one) => `${one.answerSeconds} s: ${part(one)}`).join('; ');

const worst = <One>(all: readonly One[], part: (one: One) => number): number => Math.max(...all.map(part));

/** Times and memory of the default speech engine in the running product. */
export const answerMeasures: Record<string, Measure> = {
  'stop-to-transcript': {
    what: 'time from Stop to the transcript of an answer sent while it was spoken, worst',
    unit: 's',
    limit: 4,
    async run(bench) {
      const all = await hearAllSpoken(bench);
      const each = describe(all, (one) => `${one.transcriptSeconds.toFixed(1)} s`);
      return { value: worst(all, (one) => one.transcriptSeconds), from: each };
    },
  },
  'stop-to-verdict': {
    what: 'time from Stop to the verdict on an answer sent while it was spoken, worst',
    unit: 's',
    limit: 5,
    async run(bench) {
      const all = await hearAllSpoken(bench);
      const each = describe(all, (one) => `${one.verdictSeconds.toFixed(1)} s`);
      return { value: worst(all, (one) => one.verdictSeconds), from: each };
    },
  },
  'three-speakers': {
    what: 'time from Stop to the transcripts of three 60 s answers spoken at the same time, worst',
    unit: 's',
    limit: 12,
    async run(bench) {
      const users = ['candidate@example.com', 'dev@example.com', 'admin@example.com'];
      const all = await Promise.all(users.map((email) => hearWhileSpoken(60, bench, email)));
      const each = all.map((one) => `${one.transcriptSeconds.toFixed(1)} s`).join(', ');
      return { value: worst(all, (one) => one.transcriptSeconds), from: each };
    },
  },
  'ahead-processor-time': {
    what: 'CPU time for answers sent while they are spoken, relative to single uploads',
    unit: '×',
    limit: 1.15,
    async run(bench) {
      const [ahead, whole] = [await hearAllSpoken(bench), await hearAll(bench)];
      const pairs = whole.map(({ answerSeconds, processorSeconds: of }) => {
        const { processorSeconds = Number.NaN } = ahead.find((one) => one.answerSeconds === answerSeconds) ?? {};
        return { answerSeconds, ratio: processorSeconds / of, processorSeconds, of };
      });
      const each = describe(pairs, (one) => `${one.processorSeconds.toFixed(1)} s over ${one.of.toFixed(1)} s`);
      return { value: worst(pairs, ({ ratio }) => ratio), from: each };
    },
  },
  'transcript-time': {
    what: 'time to transcribe an answer, relative to its length, worst',
    unit: '×',
    limit: 0.45,
    async run(bench) {
      const all = await hearAll(bench);
      const each = describe(
        all,
        (one) => `${one.transcriptSeconds.toFixed(1)} s, ${one.processorSeconds.toFixed(1)} s of a processor`,
      );
      const load = loadavg()[0]?.toFixed(1);
      return { value: worst(all, (one) => one.transcriptSeconds / one.answerSeconds), from: `${each}; load ${load}` };
    },
  },
  'first-words': {
    what: 'time from the upload of a 60 s answer to its first words on an open page',
    unit: 's',
    limit: 12,
    async run(bench) {
      const all = await hearAll(bench);
      const each = describe(all, (one) => `${one.firstWordsSeconds.toFixed(1)} s`);
      return { value: all[0]?.firstWordsSeconds ?? Number.NaN, from: each };
    },
  },
  'whisper-memory': {
    what: "peak memory of Whisper's child processes together",
    unit: 'MB',
    limit: 900,
    async run(bench) {
      const all = await hearAll(bench);
      const each = describe(all, (one) => `${one.childMegabytes.toFixed(0)} MB`);
      return { value: worst(all, (one) => one.childMegabytes), from: each };
    },
  },
};

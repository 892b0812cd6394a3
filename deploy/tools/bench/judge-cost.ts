import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createReferenceAssessor } from '../../../services/recording/src/engines/reference/reference-assessor.ts';
import type { LabeledQuestion } from './judge.ts';
import { type Measure, timed } from './measure.ts';
import { descendants, peakMegabytes, processorSeconds } from './processes.ts';

const wordsPerMinute = 150;

/** An answer of so many minutes, of rambling ones, and a question with so many points. */
function answerOf(questions: readonly LabeledQuestion[], minutes: number, points: number) {
  const rambling = questions.flatMap(({ answers }) => answers).filter(({ style }) => style === 'ramble');
  const said = rambling.flatMap(({ text }) => text.split(/\s+/));
  const words = Array.from({ length: minutes * wordsPerMinute }, (_, at) => said[at % said.length]!);
  const texts = questions.flatMap((question) => question.points).slice(0, points);
  return {
    question: questions[0]!.question,
    transcript: words.join(' '),
    words: [],
    points: texts.map((text) => ({ text, weight: 1, acceptedWordings: [], optional: false })),
  };
}

interface Cost {
  minuteSeconds: number;
  twoMinutesSeconds: number;
  /** What the child takes at most beyond a Node process that does nothing, with answers of up to two minutes and of half an hour. */
  megabytes: number;
  halfHourMegabytes: number;
  halfHourSeconds: number;
  cancelMs: number;
}

async function measureCost(): Promise<Cost> {
  const file = new URL('judge/second-set-choosing.jsonl', import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const questions = lines.map((line) => JSON.parse(line) as LabeledQuestion);
  const assessor = createReferenceAssessor();
  const child = () => descendants(process.pid).find(({ command }) => command.includes('judge-child.ts'))?.pid ?? 0;
  const assess = (minutes: number, points: number, signal = new AbortController().signal) =>
    assessor.assess({ ...answerOf(questions, minutes, points), signal });
  const secondsOf = async (minutes: number, points: number) => {
    const before = processorSeconds(child());
    await assess(minutes, points);
    return processorSeconds(child()) - before;
  };
  const idle = Number(
    execFileSync(process.execPath, ['-p', 'process.resourceUsage().maxRSS / 1024'], { encoding: 'utf8' }),
  );
  try {
    // Loads the model.
    await assess(1, 1);
    const minuteSeconds = await secondsOf(1, 5);
    const twoMinutesSeconds = await secondsOf(2, 8);
    const megabytes = peakMegabytes(child()) - idle;
    const halfHourSeconds = await secondsOf(30, 5);
    const halfHourMegabytes = peakMegabytes(child()) - idle;
    const cancel = new AbortController();
    const ended = assess(30, 5, cancel.signal).catch(() => undefined);
    setTimeout(() => cancel.abort(), 2000);
    await new Promise((resolve) => cancel.signal.addEventListener('abort', resolve));
    const cancelMs = await timed(() => ended);
    return { minuteSeconds, twoMinutesSeconds, megabytes, halfHourMegabytes, halfHourSeconds, cancelMs };
  } finally {
    assessor.close?.();
  }
}

let measuring: Promise<Cost> | undefined;
/** The measures share one run. */
const costOf = () => (measuring ??= measureCost());

const measure = (
  key: keyof Cost,
  what: string,
  unit: string,
  limit: number,
  fromOf: (cost: Cost) => string,
): Measure => ({
  what,
  unit,
  limit,
  async run() {
    const cost = await costOf();
    return { value: cost[key], from: fromOf(cost) };
  },
});
const oneCore = () => 'processor time of the child process, one thread';
const beyondNode = () => 'most resident memory of the child process, less that of a Node process that does nothing';

/** What the built-in judge costs, and whether it can be stopped. */
export const judgeCosts: Record<string, Measure> = {
  'judge-minute': measure('minuteSeconds', 'judge: an answer of 1 minute, 5 points', 's', 2, oneCore),
  'judge-two-minutes': measure('twoMinutesSeconds', 'judge: an answer of 2 minutes, 8 points', 's', 6, oneCore),
  'judge-memory': measure('megabytes', 'judge: memory', 'MB', 150, beyondNode),
  'judge-half-hour': measure(
    'halfHourMegabytes',
    'judge: memory for an answer of 30 minutes, 5 points',
    'MB',
    150,
    ({ halfHourSeconds }) => `${beyondNode()}; it takes ${halfHourSeconds.toFixed(0)} s of a processor`,
  ),
  'judge-cancel': measure('cancelMs', 'judge: stop an answer of 30 minutes', 'ms', 1000, () => 'from the abort on'),
};

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeFolder } from '@interview-prep/local/data-folder';
import { REPOSITORY } from '@interview-prep/local/settings';
import { startStack } from '@interview-prep/local/stack';
import { detailTakes } from './detail-takes.ts';
import { gatewayLatency, gatewayThroughput } from './gateway-latency.ts';
import { historyDepth } from './history-depth.ts';
import { idleCommands } from './idle-commands.ts';
import { invitations } from './invitations.ts';
import { judgeMeasures } from './judge.ts';
import { judgeCosts } from './judge-cost.ts';
import { loginTiming } from './login-timing.ts';
import type { Measure } from './measure.ts';
import { interactionDelay, largestPaint, layoutShift, loginJavascript } from './page-speed.ts';
import { pipeline } from './pipeline.ts';
import { memoryAtRest, memoryGrowth } from './product-memory.ts';
import { rosters } from './rosters.ts';
import { secondStart } from './second-start.ts';
import { answerMeasures } from './speech/answer-measures.ts';
import { peopleFolder } from './speech/clips.ts';
import { busyMachineTime, longAnswerErrors } from './speech/long-answers.ts';
import { peopleWordErrors, technicalWordErrors } from './speech/word-errors.ts';
import { twoWorkers } from './two-workers.ts';

/** A one-second tone, encoded as by Chromium's recorder. */
async function makeTone(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(folder, 'tone.webm');
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=300:duration=1', '-c:a', 'libopus', '-b:a', '32k', path];
  await promisify(execFile)('ffmpeg', ['-nostdin', '-loglevel', 'error', ...tone]);
  return new Uint8Array(await readFile(path));
}

const measures: Record<string, Measure> = {
  pipeline,
  'gateway-latency': gatewayLatency,
  'gateway-throughput': gatewayThroughput,
  'login-javascript': loginJavascript,
  'login-timing': loginTiming,
  'largest-paint': largestPaint,
  'interaction-delay': interactionDelay,
  'layout-shift': layoutShift,
  'memory-at-rest': memoryAtRest,
  'memory-growth': memoryGrowth,
  'history-depth': historyDepth,
  'detail-takes': detailTakes,
  rosters,
  invitations,
  'second-start': secondStart,
  'idle-commands': idleCommands,
  'two-workers': twoWorkers,
  ...answerMeasures,
  ...judgeMeasures,
  ...judgeCosts,
  'technical-word-errors': technicalWordErrors,
  'long-answer-errors': longAnswerErrors,
  'busy-machine-time': busyMachineTime,
  // Recordings of people don't ship with the product.
  ...(existsSync(peopleFolder) ? { 'people-word-errors': peopleWordErrors } : {}),
};

const say = (line: string) => process.stdout.write(`  ${line}\n`);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in measures));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no measure ${unknown.join(', ')}: choose among ${Object.keys(measures).join(', ')}.\n`,
  );
  process.exit(1);
}

const folder = await mkdtemp(join(tmpdir(), 'interview-prep-bench-'));
const stack = await startStack({
  env: {
    ...process.env,
    LOGIN_ATTEMPTS: '0',
    UPLOADS_PER_HOUR: '0',
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    SEED: 'demo',
  },
});
const tone = await makeTone(folder);
const rows: string[] = [];
let missed = 0;
try {
  for (const [name, measure] of Object.entries(measures)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    say(`… ${measure.what}`);
    const { value, from } = await measure.run({ stack, folder, tone, say: (line) => say(`  ${line}`) });
    const good = measure.atLeast ? value >= measure.limit : value <= measure.limit;
    if (!good) missed += 1;
    const shown = `${value.toFixed(2)} ${measure.unit}`;
    say(`${good ? '✓' : '✗'} ${shown} (${measure.atLeast ? 'at least' : 'at most'} ${measure.limit}): ${from}`);
    rows.push(
      `| ${measure.what} | ${shown} | ${measure.atLeast ? '≥' : '≤'} ${measure.limit} ${measure.unit} | ${from} |`,
    );
  }
} finally {
  await stack.stop();
  await removeFolder(folder);
}

if (wanted.length === 0) {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const path = join(REPOSITORY, 'docs/benchmarks.md');
  // Keeps the hand-written sections below the table.
  const [, ...sections] = (await readFile(path, 'utf8')).split(/^(?=## )/m);
  const page = `# Benchmarks

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)} (${machine}). Ratios and differences are of one run.

| what | measured | wanted | from |
|---|---|---|---|
${rows.join('\n')}

${sections.join('')}`;
  await writeFile(path, page);
}
process.exitCode = missed > 0 ? 1 : 0;

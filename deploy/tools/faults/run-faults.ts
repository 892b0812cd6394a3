import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkStores } from './checks/check-stores.ts';
import { PENDING_LIMIT_MS, settle, settlePages } from './checks/settle.ts';
import { openStores } from './checks/stores.ts';
import { chooseFaults, type Fault, type FaultContext } from './fault-table.ts';
import { createJournal, type Journal, type Violation } from './load/journal.ts';
import { type Load, startLoad } from './load/load.ts';
import type { Options } from './options.ts';
import { createRandom, type Random } from './random.ts';
import type { FaultOutcome } from './report.ts';
import type { System } from './system/system.ts';

const MIB = 2 ** 20;
const LIMIT = 1.2;

/** The total memory of the product's processes, in bytes. */
function memoryOf(system: System): number {
  return system.processes().reduce((sum, { rssBytes }) => sum + rssBytes, 0);
}

/** Reports memory growth of more than 20%. */
function checkMemory(beforeBytes: number, afterBytes: number, journal: Journal): void {
  if (afterBytes <= beforeBytes * LIMIT) return;
  const [before, after] = [beforeBytes, afterBytes].map((bytes) => `${Math.round(bytes / MIB)} MiB`);
  journal.report('memory', `The product uses ${after}, after ${before} at the start`, '', []);
}

const LIMIT_BYTES = 2 ** 20;
const WINDOW_MS = 60_000;
const SAMPLE_MS = 5000;

/** Log sizes by process, including rotated logs. */
function logSizes(folders: readonly string[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
      const process = basename(name).replace(/\.log.*$/, '');
      if (name.includes('.log')) sizes.set(process, (sizes.get(process) ?? 0) + size);
    }
  }
  return sizes;
}

/** Reports logs that grow by more than 1 MiB per minute. @returns a function that stops it */
function watchLogs(folders: readonly string[], journal: Journal): () => void {
  const samples: { at: number; sizes: Map<string, number> }[] = [];
  const sample = () => {
    const now = { at: journal.now(), sizes: logSizes(folders) };
    samples.push(now);
    while (samples[1] && samples[1].at <= now.at - WINDOW_MS) samples.shift();
    for (const [process, size] of now.sizes) {
      const grown = size - (samples[0]?.sizes.get(process) ?? 0);
      if (grown <= LIMIT_BYTES) continue;
      journal.report('log', `The log of ${process} grew by ${(grown / 2 ** 20).toFixed(1)} MiB in a minute`, process);
      samples.length = 0;
      samples.push(now);
      break;
    }
  };
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  return () => clearInterval(timer);
}

export interface Findings {
  journal: Journal;
  outcomes: FaultOutcome[];
  overlaps: number;
  /** Trials until the first violation, if there was one. */
  trialsUntilCaught: number | undefined;
  tookMs: number;
}

/** How long the load runs before the first fault. */
const WARM_UP_MS = { short: 3000, long: 20_000 };
/** The product must respond within this time, even if with 503. The short form runs in parallel with other tests, which slow it down. */
const ANSWER_LIMIT_MS = { short: 30_000, long: 10_000 };
/** In the short form the users pause while the product recovers; the load resumes this long before a fault. */
const LEAD_MS = 1000;
/** From the second pass on, the share of faults that overlap with another one. */
const OVERLAP_SHARE = 0.5;
/** The long form continues until this many faults have overlapped, even after enough trials. */
const LEAST_OVERLAPS = 12;
const POLL_MS = 250;

/** Resolves after this many seconds, or once `isOver`. */
async function wait(seconds: number, isOver: () => boolean = () => false): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end && !isOver()) await pause(Math.max(0, Math.min(POLL_MS, end - performance.now())));
}

/** The faults of one pass, one or two at a time. */
function* passOf(faults: readonly Fault[], pass: number, random: Random): Generator<Fault[]> {
  const rest = pass === 0 ? [...faults] : random.shuffled(faults.filter(({ isOnce = false }) => !isOnce));
  for (let fault = rest.shift(); fault; fault = rest.shift()) {
    const isAlone = pass === 0 || fault.isMute || random.next() >= OVERLAP_SHARE;
    const other = isAlone ? undefined : rest.find(({ isMute = false }) => !isMute);
    if (other) rest.splice(rest.indexOf(other), 1);
    yield other ? [fault, other] : [fault];
  }
}

/** Injects faults into a product under load, and checks its guarantees. */
export async function runFaults(
  system: System,
  options: Options,
  say: (line: string) => void,
  stopped: AbortSignal,
): Promise<Findings> {
  const startedAt = performance.now();
  const random = createRandom(options.seed);
  let trialsUntilCaught: number | undefined;
  let overlaps = 0;
  const onViolation = ({ check, what }: Violation) => {
    trialsUntilCaught ??= journal.trials().length;
    say(`  ✗ ${check}: ${what}`);
  };
  const journal = createJournal(onViolation);
  const form = options.short ? 'short' : 'long';
  const faults = chooseFaults(options.only, options.short);
  const outcomes = faults.map(({ name, unavailable }): FaultOutcome => {
    return { name, injected: 0, worstRecoveryMs: 0, skipped: unavailable?.(system) };
  });
  const usable = faults.filter((_fault, index) => outcomes[index]?.skipped === undefined);
  const context: FaultContext = { system, random, wait };
  await system.start();
  const load = await startLoad(system, createRandom(options.seed + 1), journal, ANSWER_LIMIT_MS[form]);
  const stopWatching = watchLogs(system.logFolders, journal);
  await pause(WARM_UP_MS[form]);
  if (options.short) load.rest();
  await settle(system, [...load.uploads], journal);
  const memoryBefore = memoryOf(system);
  const settled = new Set<string>();

  /** Injects faults concurrently, and waits until everything acknowledged by then is processed. */
  const inject = async (together: readonly Fault[]) => {
    if (options.short) {
      load.resume();
      await pause(LEAD_MS);
    }
    for (const { name, isMute = false } of together) journal.beginFault(name, isMute);
    await Promise.all(together.map((fault) => fault.run(context)));
    const acknowledged = load.uploads.filter(({ recordingId }) => recordingId && !settled.has(recordingId));
    const endHere = () => {
      for (const { name } of together) journal.endFault(name);
      if (options.short) load.rest();
    };
    const recoveryMs = await settle(system, acknowledged, journal, endHere);
    await settlePages(load.pages, acknowledged, journal);
    for (const { recordingId } of acknowledged) settled.add(recordingId ?? '');
    for (const { name } of together) {
      journal.closeFault(name);
      const outcome = outcomes.find((known) => known.name === name);
      if (!outcome) continue;
      outcome.injected += 1;
      outcome.worstRecoveryMs = Math.max(outcome.worstRecoveryMs, recoveryMs);
    }
    if (together.length > 1) overlaps += 1;
    const names = together.map(({ name }) => name).join(' + ');
    say(`${names}: recovered in ${(recoveryMs / 1000).toFixed(1)} s; ${journal.trials().length} trials`);
  };

  const isLong = options.only.length === 0 && !options.sabotage;
  const isCaught = () => options.sabotage !== undefined && journal.violations.length > 0;
  const isEnough = (pass: number) => {
    if (stopped.aborted || isCaught()) return true;
    if (options.short) return pass > 0;
    return journal.trials().length >= options.trials && (!isLong || overlaps >= LEAST_OVERLAPS);
  };
  for (let pass = 0; !isEnough(pass); pass += 1) {
    for (const together of passOf(usable, pass, random)) {
      if (isEnough(pass)) break;
      await inject(together);
    }
  }
  if (isCaught()) await load.stop();
  else await finish(system, load, journal, memoryBefore);
  for (const pages of load.pages) await pages.close();
  stopWatching();
  return { journal, outcomes, overlaps, trialsUntilCaught, tookMs: performance.now() - startedAt };
}

/** Stops the load, waits until all work is done, and checks everything. */
async function finish(system: System, load: Load, journal: Journal, memoryBefore: number): Promise<void> {
  await load.stop();
  await settle(system, [...load.uploads], journal);
  await settlePages(load.pages, load.uploads, journal);
  const stores = await openStores(system.backing());
  try {
    const deadline = journal.now() + PENDING_LIMIT_MS;
    while ((await stores.queuedJobs()).length > 0 && journal.now() < deadline) await pause(POLL_MS);
    await checkStores(load, stores, journal);
  } finally {
    await stores.close();
  }
  for (const token of load.revoked) {
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await fetch(`${system.url}/api/auth/me`, { headers });
    if (status !== 401) journal.report('token', `A revoked token answers ${status}`, `token ${token.slice(-12)}`);
  }
  checkMemory(memoryBefore, memoryOf(system), journal);
}

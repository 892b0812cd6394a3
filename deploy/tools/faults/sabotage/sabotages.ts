/** A mutation that breaks one safeguard of the product, to prove that the harness detects it. */
export interface Sabotage {
  what: string;
  /** The source file, relative to the repository's root. */
  file: string;
  /** Replacements, one after another, that are applied when the file is loaded, not on disk. Each text must occur exactly once. */
  replace: readonly (readonly [text: string, by: string])[];
}

/** Applies a sabotage to a source. @throws if a text is not in it exactly once */
export function applySabotage({ file, replace }: Sabotage, source: string): string {
  return replace.reduce((changed, [text, by]) => {
    const [before, after, ...more] = changed.split(text);
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error(`${file} does not contain "${text}" exactly once: update the sabotage`);
    }
    return before + by + after;
  }, source);
}

/** The sabotages of `--sabotage NAME`. */
export const sabotages: Readonly<Record<string, readonly Sabotage[]>> = {
  outbox: [
    {
      what: 'A change to a recording is never published if its event could not be queued at first',
      file: 'services/kit/src/redis/outbox.ts',
      replace: [
        [
          'await publishWhere({ unpublished: true })',
          "name === 'recordings' ? 0 : await publishWhere({ unpublished: true })",
        ],
      ],
    },
  ],
  sweeper: [
    {
      what: 'A recording whose job was lost is never queued again',
      file: 'services/recording/src/stages/sweep.ts',
      replace: [
        ['repeat(everyMs, lookAndSweep, logFailure),', ''],
        ['repeat(probeEveryMs, async () => isAnyWaiting && probe(deps, probeEveryMs), logFailure),', ''],
        ['await sweep(deps, 0);', ''],
      ],
    },
  ],
  fsync: [
    {
      what: 'The embedded MongoDB acknowledges writes that are not on disk',
      file: 'deploy/embedded/mongo/src/storage/database.ts',
      replace: [
        ['PRAGMA synchronous = FULL', 'PRAGMA synchronous = OFF'],
        ["if (toDisk) this.#sqlite.exec('PRAGMA synchronous = NORMAL')", ''],
        ['PRAGMA synchronous = NORMAL;', 'PRAGMA synchronous = OFF;'],
        ['if (this.#hasWritten() && !toDisk) this.#log.written();', ''],
      ],
    },
  ],
  live: [
    {
      what: 'Event streams stay open after recording statuses were lost',
      file: 'services/kit/src/redis/live-status.ts',
      replace: [['then(onGap,', 'then(() => undefined,']],
    },
  ],
  revision: [
    {
      what: 'History overwrites a newer event of a recording with an older one',
      file: 'services/history/src/projection/apply-recording.ts',
      replace: [['$or: [{ revision: trusted({ $lt: revision }) }, { revision, ...outdated }],', '']],
    },
  ],
};

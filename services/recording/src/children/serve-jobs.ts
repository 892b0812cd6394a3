import type { ChildReport } from './warm-children.ts';

/**
 * A child's side of `createWarmChildren`: takes the jobs that arrive one after another. Ends with its parent.
 * @param handle what it throws is reported as the job's failure
 */
export function serveJobs<Job, Step, Result>(
  handle: (job: Job, report: (step: Step) => void) => Promise<Result>,
): void {
  const send = (report: ChildReport<Step, Result>) => process.send?.(report);
  process.on('disconnect', () => process.exit(0));
  process.on('message', (job: Job) => {
    handle(job, (step) => send({ type: 'step', step })).then(
      (result) => send({ type: 'done', result }),
      (error: unknown) => send({ type: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    );
  });
}

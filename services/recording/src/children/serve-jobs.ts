import type { ChildReport } from './warm-children.ts';

/**
 * The child's side of `createWarmChildren`: handles jobs one at a time. Exits with its parent.
 * @param handle does a job; its errors are reported as the job's failure
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

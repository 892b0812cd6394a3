import type { Assessor } from '../assessor.ts';
import { EngineError } from '../engine-error.ts';

/** An assessor whose answers are judged by another one after its last attempt has failed. The verdict says so. */
export function fallBackTo(fallback: Assessor, assessor: Assessor): Assessor {
  return {
    ...assessor,
    async assess(request) {
      try {
        return await assessor.assess(request);
      } catch (error) {
        if (!(error instanceof EngineError) || !(error.permanent || request.isLastAttempt)) throw error;
        const verdict = await fallback.assess(request);
        if (verdict.status === 'unscored') throw error;
        const reasons = [error.message, `The ${fallback.name} engine judged the answer instead.`, verdict.reason];
        return { ...verdict, reason: reasons.filter(Boolean).join(' ') };
      }
    },
  };
}

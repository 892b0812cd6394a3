import type { Assessor } from '../assessor.ts';
import { type Engine, type EngineSettings, serverTimeoutMs } from '../define-engine.ts';
import { EngineError } from '../engine-error.ts';
import { createReferenceAssessor } from '../reference/reference-assessor.ts';
import type { OpenAiServer } from './openai-server.ts';

/** Wraps an assessor so that another one judges the answer if its last attempt fails. The verdict says so. */
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

function serverOf({ ASSESS_URL, ASSESS_API_KEY, ASSESS_MODEL }: EngineSettings): OpenAiServer {
  if (ASSESS_URL === undefined || ASSESS_MODEL === undefined) throw new Error('ASSESS_URL or ASSESS_MODEL is not set');
  return { url: ASSESS_URL, apiKey: ASSESS_API_KEY, model: ASSESS_MODEL, timeoutMs: serverTimeoutMs };
}

/** Judges by any OpenAI-compatible chat endpoint. */
export const openAiAssessEngine: Engine<Assessor> = {
  name: 'openai',
  rules: (['ASSESS_URL', 'ASSESS_MODEL'] as const).map((path) => ({
    path,
    message: 'is required where ASSESS_ENGINE is openai',
    holds: (given) => given[path] !== undefined,
  })),
  checkServer: async (given) => (await import('./openai-server.ts')).checkOpenAiServer('ASSESS', serverOf(given)),
  create: async (given, { readThresholds }) => {
    // Loaded lazily: the client takes 5 MB of the worker's memory.
    const { createOpenAiAssessor } = await import('./openai-assessor.ts');
    const [promptUsd, completionUsd] = given.ASSESS_PRICES ?? [];
    return fallBackTo(
      createReferenceAssessor({ readThresholds }),
      createOpenAiAssessor(serverOf(given), { promptUsd, completionUsd }),
    );
  },
};

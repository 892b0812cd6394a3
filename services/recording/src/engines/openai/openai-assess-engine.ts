import type { Assessor } from '../assessor.ts';
import { type Engine, type EngineSettings, serverTimeoutMs } from '../define-engine.ts';
import { createReferenceAssessor } from '../reference/reference-assessor.ts';
import { fallBackTo } from './fall-back.ts';
import type { OpenAiServer } from './openai-server.ts';

function serverOf({ ASSESS_URL, ASSESS_API_KEY, ASSESS_MODEL }: EngineSettings): OpenAiServer {
  if (ASSESS_URL === undefined || ASSESS_MODEL === undefined) throw new Error('ASSESS_URL or ASSESS_MODEL is not set');
  return { url: ASSESS_URL, apiKey: ASSESS_API_KEY, model: ASSESS_MODEL, timeoutMs: serverTimeoutMs };
}

/** Judgement by any OpenAI-compatible chat endpoint. */
export const openAiAssessEngine: Engine<Assessor> = {
  name: 'openai',
  rules: (['ASSESS_URL', 'ASSESS_MODEL'] as const).map((path) => ({
    path,
    message: 'is required where ASSESS_ENGINE is openai',
    holds: (given) => given[path] !== undefined,
  })),
  checkServer: async (given) => (await import('./openai-server.ts')).checkOpenAiServer('ASSESS', serverOf(given)),
  create: async (given, { readThresholds }) => {
    // Only where it is chosen: the client takes 5 MB of the worker's memory.
    const { createOpenAiAssessor } = await import('./openai-assessor.ts');
    const [promptUsd, completionUsd] = given.ASSESS_PRICES ?? [];
    return fallBackTo(
      createReferenceAssessor({ readThresholds }),
      createOpenAiAssessor(serverOf(given), { promptUsd, completionUsd }),
    );
  },
};

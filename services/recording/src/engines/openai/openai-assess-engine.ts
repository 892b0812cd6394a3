import { z } from 'zod';
import type { Assessor } from '../assessor.ts';
import { defineEngine, serverUrlSetting, timeoutSetting } from '../define-engine.ts';
import { createReferenceAssessor } from '../reference/reference-assessor.ts';
import { fallBackTo } from './fall-back.ts';
import type { OpenAiServer } from './openai-server.ts';

const settings = {
  /** Base URL of an OpenAI-compatible server, e.g. https://api.openai.com/v1. */
  ASSESS_URL: serverUrlSetting.optional(),
  ASSESS_API_KEY: z.string().optional(),
  ASSESS_MODEL: z.string().optional(),
  ASSESS_TIMEOUT_MS: timeoutSetting(120_000),
  /** US dollars for a million tokens of the prompt, and of the reply. */
  ASSESS_PRICE_IN: z.coerce.number().nonnegative().optional(),
  ASSESS_PRICE_OUT: z.coerce.number().nonnegative().optional(),
};

function serverOf(given: z.infer<z.ZodObject<typeof settings>>): OpenAiServer {
  const { ASSESS_URL, ASSESS_API_KEY, ASSESS_MODEL, ASSESS_TIMEOUT_MS } = given;
  if (ASSESS_URL === undefined || ASSESS_MODEL === undefined) throw new Error('ASSESS_URL or ASSESS_MODEL is not set');
  return { url: ASSESS_URL, apiKey: ASSESS_API_KEY, model: ASSESS_MODEL, timeoutMs: ASSESS_TIMEOUT_MS };
}

/** Judgement by any OpenAI-compatible chat endpoint. */
export const openAiAssessEngine = defineEngine<typeof settings, Assessor>({
  name: 'openai',
  settings,
  rules: (['ASSESS_URL', 'ASSESS_MODEL'] as const).map((path) => ({
    path,
    message: 'is required where ASSESS_ENGINE is openai',
    holds: (given) => given[path] !== undefined,
  })),
  checkServer: async (given) => (await import('./openai-server.ts')).checkOpenAiServer('ASSESS', serverOf(given)),
  create: async (given, { readThresholds }) => {
    // Only where it is chosen: the client takes 5 MB of the worker's memory.
    const { createOpenAiAssessor } = await import('./openai-assessor.ts');
    const { ASSESS_PRICE_IN: promptUsd, ASSESS_PRICE_OUT: completionUsd } = given;
    return fallBackTo(
      createReferenceAssessor({ readThresholds }),
      createOpenAiAssessor(serverOf(given), { promptUsd, completionUsd }),
    );
  },
});

import type { ExpertPoint } from '@interview-prep/contracts/expert-points';
import type { EarlierAnswer, NewTrial, TrialVerdict } from '@interview-prep/contracts/trials';
import { api } from '../../../lib/api/base-api.ts';
import { fallbacks } from '../../../lib/messages.ts';

const trials = '/api/recordings/trials';

/** Trying points before they are saved. */
const pointTrialsApi = api.injectEndpoints({
  endpoints: (build) => ({
    tryPoints: build.mutation<TrialVerdict, NewTrial>({
      query: (body) => ({ url: trials, method: 'POST', body }),
      extraOptions: { fallback: fallbacks.tryPoints },
    }),
    /** The points whose text the question already says. */
    checkPoints: build.mutation<string[], { question: string; points: ExpertPoint[] }>({
      query: (body) => ({ url: `${trials}/question-check`, method: 'POST', body }),
      transformResponse: ({ inQuestion }: { inQuestion: boolean[] }, _meta, { points }) =>
        points.filter((_, index) => inQuestion[index]).map(({ text }) => text),
      extraOptions: { fallback: fallbacks.checkPoints },
    }),
    earlierAnswers: build.query<EarlierAnswer[], { setId: string; question: string }>({
      query: (body) => ({ url: `${trials}/earlier-answers`, method: 'POST', body }),
      transformResponse: ({ answers }: { answers: EarlierAnswer[] }) => answers,
      // Answers come in while the form is open.
      keepUnusedDataFor: 0,
      extraOptions: { fallback: fallbacks.fetchEarlierAnswers },
    }),
  }),
});

export const { useTryPointsMutation, useCheckPointsMutation, useEarlierAnswersQuery } = pointTrialsApi;

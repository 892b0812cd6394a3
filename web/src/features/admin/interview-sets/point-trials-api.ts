import { api } from '../../../lib/api/base-api.ts';
import { endpoint, type RouteInput, type RouteResult } from '../../../lib/api/route-request.ts';
import { fallbacks } from '../../../lib/messages.ts';

/** Tests points before they are saved. */
const pointTrialsApi = api.injectEndpoints({
  endpoints: (build) => ({
    tryPoints: build.mutation({ ...endpoint('tryPoints'), extraOptions: { fallback: fallbacks.tryPoints } }),
    /** The points that the question already gives away. */
    checkPoints: build.mutation({
      ...endpoint('checkPoints'),
      transformResponse: (
        { inQuestion }: RouteResult<'checkPoints'>,
        _meta: unknown,
        { points }: RouteInput<'checkPoints'>,
      ) => points.filter((_, index) => inQuestion[index]).map(({ text }) => text),
      extraOptions: { fallback: fallbacks.checkPoints },
    }),
    earlierAnswers: build.query({
      ...endpoint('listEarlierAnswers', 'answers'),
      // Answers arrive while the form is open.
      keepUnusedDataFor: 0,
      extraOptions: { fallback: fallbacks.fetchEarlierAnswers },
    }),
  }),
});

export const { useTryPointsMutation, useCheckPointsMutation, useEarlierAnswersQuery } = pointTrialsApi;

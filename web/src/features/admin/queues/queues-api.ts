import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';

/** Answer processing, for admins. */
const queuesApi = api.enhanceEndpoints({ addTagTypes: ['Queues'] }).injectEndpoints({
  endpoints: (build) => ({
    queues: build.query({
      ...endpoint('listQueues'),
      extraOptions: { fallback: 'Failed to load the queues' },
      providesTags: ['Queues'],
    }),
    queuedAnswers: build.query({
      ...endpoint('listQueuedAnswers', 'answers'),
      extraOptions: { fallback: 'Failed to load the answers' },
      providesTags: ['Queues'],
    }),
    retryAnswers: build.mutation({
      ...endpoint('retryAnswers'),
      extraOptions: { fallback: 'Failed to try the answers again' },
      invalidatesTags: ['Queues'],
    }),
    giveUpAnswers: build.mutation({
      ...endpoint('giveUpAnswers'),
      extraOptions: { fallback: 'Failed to give the answers up' },
      invalidatesTags: ['Queues'],
    }),
  }),
});

export const { useQueuesQuery, useQueuedAnswersQuery, useRetryAnswersMutation, useGiveUpAnswersMutation } = queuesApi;

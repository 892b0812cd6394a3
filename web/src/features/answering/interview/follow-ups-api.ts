import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';

const followUpsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The follow-up questions of an interview that await an answer. */
    followUps: build.query({ ...endpoint('listFollowUps'), keepUnusedDataFor: 0 }),
  }),
});

export const { useLazyFollowUpsQuery } = followUpsApi;

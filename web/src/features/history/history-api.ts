import type { HistoryGroup } from '@interview-prep/contracts/history/history';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { ApiError } from '../../lib/api/api-error.ts';
import { api } from '../../lib/api/base-api.ts';
import { historyPageSize } from '../../lib/api/first-requests.ts';
import { endpoint, type RouteResult, routeRequest } from '../../lib/api/route-request.ts';
import { missingSession } from '../../lib/live/live-recordings-api.ts';
import { sessionKinds } from './session-kinds.ts';
import type { HistoryPage, SessionDetail, SessionRecording } from './session-types.ts';

/** Whether a call succeeded. The caller shows the error. */
export function isAccepted(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}

/** Filters a history by part of the participant's email, by part of a title or question, and by the sessions' start. */
export interface HistorySearch {
  email?: string;
  text?: string;
  from?: string;
  to?: string;
}

/** A history and its filters. */
export interface HistoryFilter {
  kind: SessionKind;
  search: HistorySearch;
  /** The fields of a technology's name. */
  technology?: string;
}

const isEmpty = (search: HistorySearch) => Object.keys(search).length === 0;

const noData = (message: string): ApiError => ({ status: null, code: 'no_data', message });

/** The kinds share endpoints but not fallback messages: the endpoint's is empty, and the kind's is filled in below. */
const emptyFallback = { extraOptions: { fallback: '' } };
const withFallback = (error: ApiError, fallback: string): ApiError => ({
  ...error,
  message: error.message || fallback,
});

/** Marks recordings that will be reprocessed as pending. */
function markPending(recording: SessionRecording): void {
  if (recording.transcription.status === 'failed') {
    recording.transcription = { status: 'pending', text: '', completedAt: null };
  }
  const { assessment } = recording;
  if (assessment) recording.assessment = { status: 'pending', ...(assessment.appeal && { appeal: assessment.appeal }) };
}

/** Finds an answer in a detail, by the id the detail was requested with. */
export interface OfAnswer {
  recordingId: string;
  detailId: string;
}

/** Lists, details and reprocessing, for both interviews and practice sessions. */
export const historyApi = api.enhanceEndpoints({ addTagTypes: ['Appeals', 'Shares'] }).injectEndpoints({
  endpoints: (build) => ({
    sessionHistory: build.infiniteQuery<HistoryPage, HistoryFilter, string | null>({
      ...emptyFallback,
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: (page) => page.nextCursor },
      queryFn: async ({ queryArg: { kind, search, technology }, pageParam }, _api, _options, baseQuery) => {
        const { routes, messages } = sessionKinds[kind];
        const page = {
          limit: historyPageSize,
          ...(technology && { technology }),
          ...(pageParam !== null && { cursor: pageParam }),
        };
        // A search goes into the body, since servers log URLs.
        const { data, error } = await baseQuery(
          isEmpty(search) ? routeRequest(routes.list, page) : routeRequest(routes.search, { ...search, ...page }),
        );
        if (error) return { error: withFallback(error, messages.fetchHistory) };
        const found = data as Partial<HistoryPage> | null;
        if (!Array.isArray(found?.recordings)) return { error: noData(messages.noData) };
        const { recordings, nextCursor = null, total = recordings.length, summary } = found;
        return { data: { recordings, nextCursor, total, summary } };
      },
      providesTags: (_result, _error, { kind }) => [sessionKinds[kind].tag],
    }),
    sessionGroups: build.query<HistoryGroup[], Omit<HistoryFilter, 'technology'> & { by: 'email' | 'technology' }>({
      ...emptyFallback,
      queryFn: async ({ kind, by, search }, _api, _options, baseQuery) => {
        const { routes, messages } = sessionKinds[kind];
        const { data, error } = await baseQuery(
          isEmpty(search) ? routeRequest(routes.groups, { by }) : routeRequest(routes.searchGroups, { by, ...search }),
        );
        if (error) return { error: withFallback(error, messages.fetchHistory) };
        const groups = (data as { groups?: HistoryGroup[] } | null)?.groups;
        return Array.isArray(groups) ? { data: groups } : { error: noData(messages.noData) };
      },
      providesTags: (_result, _error, { kind }) => [sessionKinds[kind].tag],
    }),
    sessionDetail: build.query<SessionDetail, { kind: SessionKind; id: string }>({
      ...emptyFallback,
      queryFn: async ({ kind, id }, _api, _options, baseQuery) => {
        const { routes, messages } = sessionKinds[kind];
        const { data, error } = await baseQuery(routeRequest(routes.detail, { id }));
        if (error) return { error: withFallback(error, messages.fetchDetail) };
        const detail = data as SessionDetail | null;
        const whole = Array.isArray(detail?.recordings) && Array.isArray(detail.questions);
        return whole ? { data: detail } : { error: noData(messages.noDetail) };
      },
      providesTags: (detail) => [{ type: 'SessionDetail', id: detail?.sessionId ?? missingSession }],
    }),
    deleteAnswer: build.mutation<null, { recordingId: string; kind: SessionKind; detailId: string }>({
      query: ({ recordingId }) => routeRequest('deleteAnswer', { recordingId }),
      extraOptions: { fallback: 'Failed to delete the answer' },
      invalidatesTags: (_result, error, { kind }) => (error ? [] : [sessionKinds[kind].tag]),
      async onQueryStarted({ recordingId, kind, detailId }, { dispatch, queryFulfilled }) {
        if (!(await isAccepted(queryFulfilled))) return;
        // A reload now could still return the answer, so remove it here.
        dispatch(
          historyApi.util.updateQueryData('sessionDetail', { kind, id: detailId }, (detail) => {
            detail.recordings = detail.recordings.filter(({ _id }) => _id !== recordingId);
          }),
        );
      },
    }),
    deleteSession: build.mutation<null, { id: string; kind: SessionKind }>({
      query: ({ id }) => routeRequest('deleteSession', { id }),
      extraOptions: { fallback: 'Failed to delete the session' },
      invalidatesTags: (_result, error, { kind }) => (error ? [] : [sessionKinds[kind].tag]),
    }),
    questionTakes: build.query({
      ...endpoint('questionTakes'),
      extraOptions: { fallback: sessionKinds.interview.messages.fetchDetail },
    }),
    reprocess: build.mutation<RouteResult<'reprocess'>, { recordingId: string; kind: SessionKind; detailId: string }>({
      query: ({ recordingId }) => routeRequest('reprocess', { id: recordingId }),
      extraOptions: { fallback: 'Failed to process the recording again' },
      async onQueryStarted({ recordingId, kind, detailId }, { dispatch, queryFulfilled }) {
        // The caller shows the error. A reload now would still return the old state, so mark it here.
        if (!(await isAccepted(queryFulfilled))) return;
        dispatch(
          historyApi.util.updateQueryData('sessionDetail', { kind, id: detailId }, (detail) => {
            const recording = detail.recordings.find(({ _id }) => _id === recordingId);
            if (recording) markPending(recording);
          }),
        );
      },
    }),
  }),
});

export const {
  useSessionHistoryInfiniteQuery,
  useSessionGroupsQuery,
  useSessionDetailQuery,
  useQuestionTakesQuery,
  useReprocessMutation,
  useDeleteAnswerMutation,
  useDeleteSessionMutation,
} = historyApi;

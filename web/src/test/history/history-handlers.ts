import { type HttpResponse, http, type JsonBodyType } from 'msw';

/** The parameters of a list request. */
export type AskedFilter = Partial<Record<'email' | 'text' | 'technology' | 'cursor', string>>;

/** Serves both calls of a history: by query without an email, by body with one. */
export function historyHandlers(answer: (filter: AskedFilter, url: URL) => HttpResponse<JsonBodyType>) {
  return [
    http.get('/api/:kind/history', ({ request }) => {
      const url = new URL(request.url);
      return answer(Object.fromEntries(url.searchParams), url);
    }),
    http.post('/api/:kind/history/search', async ({ request }) =>
      answer((await request.json()) as AskedFilter, new URL(request.url)),
    ),
  ];
}

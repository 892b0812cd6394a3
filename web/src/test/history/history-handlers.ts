import { type HttpResponse, http, type JsonBodyType } from 'msw';

/** What a list was asked for. */
export type AskedFilter = Partial<Record<'email' | 'text' | 'technology' | 'cursor', string>>;

/** Answers both calls of a history: without an email by its query, with one by its body. */
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

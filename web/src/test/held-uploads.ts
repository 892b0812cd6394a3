import type { AnswerTarget } from '@interview-prep/contracts/recording/uploads';
import { waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect } from 'vitest';
import { server } from './fake-api.ts';

/** An answer whose parts have arrived and whose completion is pending. */
interface HeldUpload {
  target: AnswerTarget;
  sizeBytes: number;
  answer: (response: Response) => void;
}

interface Stored {
  target: AnswerTarget;
  parts: number[];
}

/** Handlers that store uploads in parts, and the uploads by id. */
export function uploadHandlers(complete: (upload: Stored, id: string) => Response | Promise<Response>) {
  const stored = new Map<string, Stored>();
  const present = (id: unknown) => {
    const { parts = [] } = stored.get(String(id)) ?? {};
    const upload = { nextPart: parts.length, receivedBytes: parts.reduce((sum, bytes) => sum + bytes, 0) };
    return HttpResponse.json({ upload });
  };
  const handlers = [
    http.get('*/api/uploads', () => HttpResponse.json({ uploads: [] })),
    http.put('*/api/uploads/:id', async ({ request, params: { id } }) => {
      const target = (await request.json()) as AnswerTarget;
      if (!stored.has(String(id))) stored.set(String(id), { target, parts: [] });
      return present(id);
    }),
    http.put('*/api/uploads/:id/parts/:number', async ({ request, params: { id, number } }) => {
      const { parts } = stored.get(String(id)) ?? { parts: [] };
      parts[Number(number)] = (await request.arrayBuffer()).byteLength;
      return present(id);
    }),
    http.delete('*/api/uploads/:id', () => new HttpResponse(null, { status: 204 })),
    http.post('*/api/uploads/:id/complete', ({ params: { id } }) => {
      const upload = stored.get(String(id));
      return upload ? complete(upload, String(id)) : new HttpResponse(null, { status: 404 });
    }),
  ];
  return { stored, handlers };
}

/** Serves uploads that complete when the test says so. */
export function holdUploads() {
  const uploads: HeldUpload[] = [];
  /** The connection breaks twice, since the page retries once on its own. */
  const broken = new Set<string>();
  const { handlers } = uploadHandlers(({ target, parts }, id) => {
    if (broken.delete(id)) return HttpResponse.error();
    const sizeBytes = parts.reduce((sum, bytes) => sum + bytes, 0);
    return new Promise<Response>((resolve) => {
      const answer = (response: Response) => {
        if (response.type === 'error') broken.add(id);
        resolve(response);
      };
      uploads.push({ target, sizeBytes, answer });
    });
  });
  server.use(...handlers);
  return {
    uploads,
    /** Resolves with the last of `count` uploads once there are that many. */
    latest: async (count: number): Promise<HeldUpload> => {
      await waitFor(() => expect(uploads).toHaveLength(count));
      return uploads.at(-1) as HeldUpload;
    },
  };
}

/** The event that the server has saved a question's answer. */
export function savedAs(questionId: number) {
  return HttpResponse.json({ recording: { _id: `r${questionId}`, questionId } }, { status: 201 });
}

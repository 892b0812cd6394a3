import { waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect } from 'vitest';
import { server } from './fake-api.ts';

/** An upload that waits for its answer. */
interface HeldUpload {
  form: FormData;
  answer: (response: Response) => void;
}

/** Puts a server behind the interview uploads that answers each when the test says so. */
export function holdUploads() {
  const uploads: HeldUpload[] = [];
  server.use(
    http.post('*/api/interviews/recordings', async ({ request }) => {
      const form = await request.formData();
      return new Promise<Response>((resolve) => {
        uploads.push({ form, answer: resolve });
      });
    }),
  );
  return {
    uploads,
    /** The last of `count` uploads, once there are this many. */
    latest: async (count: number): Promise<HeldUpload> => {
      await waitFor(() => expect(uploads).toHaveLength(count));
      return uploads.at(-1) as HeldUpload;
    },
  };
}

/** The server's word that a question's answer is saved. */
export function savedAs(questionId: number) {
  return HttpResponse.json({ recording: { _id: `r${questionId}`, questionId } }, { status: 201 });
}

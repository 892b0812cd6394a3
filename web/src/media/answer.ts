/** A recorded answer, whole. `draftId` finds its copy in the browser's database. */
export interface Answer {
  draftId: string;
  blob: Blob;
  durationMs: number;
}

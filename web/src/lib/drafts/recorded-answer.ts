/** A recorded answer, whole. `draftId` finds its copy in the browser's database. */
export interface RecordedAnswer {
  draftId: string;
  blob: Blob;
  durationMs: number;
}

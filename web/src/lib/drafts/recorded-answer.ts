/** A whole recorded answer. `draftId` is the key of its copy in the browser's database. */
export interface RecordedAnswer {
  draftId: string;
  blob: Blob;
  durationMs: number;
  /** Whether the level meter heard nothing in all of it; absent where that is not known. */
  silent?: boolean;
}

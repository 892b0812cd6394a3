import { limits } from '@interview-prep/contracts/api/limits';
import { unavailable } from '@interview-prep/kit/http/http-error';

/** The disk space for this process's incoming uploads. */
export interface SpoolRoom {
  /**
   * Reserves space for an upload until the returned function is called.
   * @param declaredBytes the request's Content-Length, if any
   * @throws HttpError 503 while there is no space
   */
  take(declaredBytes: number | undefined): () => void;
}

/** @param maxBytes the total for all uploads */
export function createSpoolRoom(maxBytes: number): SpoolRoom {
  let takenBytes = 0;
  return {
    take(declaredBytes = limits.recordingMaxBytes) {
      // No more than this is ever stored, whatever the request's length.
      const bytes = Math.min(declaredBytes, limits.recordingMaxBytes);
      if (takenBytes + bytes > maxBytes)
        throw unavailable('Too many recordings are arriving at once. Please try again.');
      takenBytes += bytes;
      return () => {
        takenBytes -= bytes;
      };
    },
  };
}

import { limits } from '@interview-prep/contracts/api/limits';
import { unavailable } from '@interview-prep/kit/http/http-error';

/** The room for uploads on their way in, on this process's disk. */
export interface SpoolRoom {
  /**
   * Takes room for an upload until the returned function is called.
   * @param declaredBytes the length of the request; undefined where it does not say
   * @throws HttpError 503 while there is none
   */
  take(declaredBytes: number | undefined): () => void;
}

/** @param maxBytes of all uploads together */
export function createSpoolRoom(maxBytes: number): SpoolRoom {
  let takenBytes = 0;
  return {
    take(declaredBytes = limits.recordingMaxBytes) {
      // More than this is not kept, whatever the request's length.
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

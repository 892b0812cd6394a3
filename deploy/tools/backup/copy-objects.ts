import { Readable } from 'node:stream';
import type { BSON } from 'mongodb';
import type { Installation } from './installation.ts';
import type { CollectionPart, Manifest, ObjectLine } from './manifest.ts';
import { readDocuments, writePart } from './part-files.ts';

/** Objects that are copied at once. */
const concurrency = 8;

interface NamedObject {
  recordingId: BSON.ObjectId;
  key: string;
  mediaType: string;
  /** Of the uploaded bytes. */
  sha256?: string;
}

interface CopiedRecording {
  _id: BSON.ObjectId;
  sha256: string;
  original: { key: string; mediaType: string } | null;
  playback: { key: string; mediaType: string } | null;
  /** Absent while its media is stored. */
  mediaDeletion?: unknown;
}

/** The objects that the copied recordings name. */
async function* namedObjects(folder: string, { path }: CollectionPart): AsyncGenerator<NamedObject> {
  for await (const document of readDocuments(folder, path)) {
    const { _id: recordingId, sha256, original, playback, mediaDeletion } = document as CopiedRecording;
    if (mediaDeletion) continue;
    if (original) yield { recordingId, ...original, sha256 };
    if (playback && playback.key !== original?.key) yield { recordingId, ...playback };
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/**
 * Copies the objects that the copied recordings name. Objects never change, and one is written before its recording, so they
 * fit what was copied from MongoDB before. One that was deleted meanwhile, with its recording, is left out.
 * @throws Error where an object is not the one that was uploaded
 */
export async function copyObjects(
  { objects, bucket, mongo, databaseName }: Installation,
  recordings: CollectionPart | undefined,
  folder: string,
): Promise<Manifest['objects']> {
  const stored = mongo.db(databaseName('recording')).collection('recordings');
  const missing: string[] = [];
  let count = 0;
  let sizeBytesInAll = 0;

  const copy = async ({ recordingId, key, mediaType, sha256 }: NamedObject): Promise<{ line: ObjectLine | null }> => {
    try {
      const part = await writePart(folder, `objects/${key}`, await objects.getObject(bucket, key));
      if (sha256 !== undefined && part.sha256 !== sha256) {
        throw new Error(`The object ${key} is damaged: it does not have the bytes that were uploaded.`);
      }
      return { line: { key, mediaType, part } };
    } catch (error) {
      if (codeOf(error) !== 'NoSuchKey') throw error;
      const isNamed = await stored.findOne({
        _id: recordingId,
        mediaDeletion: null,
        $or: [{ 'original.key': key }, { 'playback.key': key }],
      });
      return { line: isNamed ? { key, mediaType, part: null } : null };
    }
  };
  const lines = async function* () {
    const named = recordings ? namedObjects(folder, recordings) : [];
    // A stream takes no null.
    const copied: AsyncIterable<{ line: ObjectLine | null }> = Readable.from(named).map(copy, { concurrency });
    for await (const { line } of copied) {
      if (line === null) continue;
      if (line.part === null) missing.push(line.key);
      else {
        count += 1;
        sizeBytesInAll += line.part.sizeBytes;
      }
      yield Buffer.from(`${JSON.stringify(line)}\n`);
    }
  };
  const part = await writePart(folder, 'objects.jsonl.gz', lines(), { gzip: true });
  return { ...part, count, sizeBytesInAll, missing };
}

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { limits } from '@interview-prep/contracts/api/limits';
import { uploadMessages } from '@interview-prep/contracts/recording/recordings';
import { badRequest, HttpError, tooLarge } from '@interview-prep/kit/http/http-error';
import type { WorkFolder } from '../work-folder.ts';

/** An uploaded file on disk. The caller removes it. */
export interface SpooledFile {
  path: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** The parts of an upload: its text fields by name, and its file, if any. */
export interface ReceivedUpload {
  fields: Record<string, string>;
  file: SpooledFile | null;
}

/**
 * Receives a multipart upload, its parts in any order. The file is hashed on its way to disk and never held in memory. An
 * upload that is refused leaves nothing on disk, and the rest of its request unread.
 * @param fileField name of the file part; files of other names are ignored
 * @throws HttpError 400 if it is not multipart, is cut short or has a duplicate part; 413 if the file is too large
 */
export async function receiveUpload(
  req: IncomingMessage,
  fileField: string,
  spool: WorkFolder,
): Promise<ReceivedUpload> {
  const form = openForm(req);
  const fields: Record<string, string> = {};
  const stop = new AbortController();
  let spooling: Promise<SpooledFile> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      // Parts already buffered with the refused one still arrive.
      const refuse = (error: Error) => {
        stop.abort();
        reject(error);
      };
      form.on('field', (name: string, value: string, _nameCut: boolean, valueCut: boolean) => {
        if (Object.hasOwn(fields, name)) refuse(badRequest(`The field ${printable(name)} was sent twice`));
        else if (valueCut) refuse(badRequest(`The field ${printable(name)} is too long`));
        else fields[name] = value;
      });
      form.on('file', (name: string, file: BusboyFileStream) => {
        // A truncated part emits an error on its stream, even if nobody reads it. Unhandled, it would crash the process.
        file.on('error', () => refuse(cutShortError()));
        if (name !== fileField || stop.signal.aborted) {
          file.resume();
        } else if (spooling) {
          file.resume();
          refuse(badRequest('Only one recording can be sent at a time'));
        } else {
          file.once('limit', () => refuse(tooLarge(uploadMessages.tooLarge)));
          spooling = spoolFile(file, spool.newPath(), stop.signal);
          spooling.catch(refuse);
        }
      });
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
        form.once(limit, () => refuse(badRequest('The upload has too many parts')));
      }
      // A closed request can't be read to its end, even if all of it had arrived.
      const close = () => {
        if (!req.readableEnded) refuse(badRequest('The upload was cut short'));
      };
      form.once('finish', () => {
        req.off('close', close);
        resolve();
      });
      // Use `on`, not `once`: a form may fail more than once.
      form.on('error', () => refuse(cutShortError()));
      if (req.closed) close();
      req.once('close', close);
      req.pipe(form);
    });
    return { fields, file: (await spooling) ?? null };
  } catch (error) {
    req.unpipe(form);
    const [spooled] = await Promise.allSettled([spooling]);
    // If spooling failed, it already removed its file.
    if (spooled.status === 'fulfilled' && spooled.value) await rm(spooled.value.path, { force: true });
    throw error;
  }
}

const cutShortError = () => badRequest('The upload is malformed or was cut short');

function openForm(req: IncomingMessage): BusboyInstance {
  const notMultipart = 'An upload must be sent as multipart/form-data';
  if (!/^multipart\/form-data\b/i.test(req.headers['content-type'] ?? '')) throw badRequest(notMultipart);
  try {
    return new Busboy({
      headers: req.headers as BusboyHeaders,
      limits: {
        // One byte of slack, so that a file of exactly the maximum is never truncated. `detectMedia` checks the exact size.
        fileSize: limits.recordingMaxBytes + 1,
        fieldSize: 10_000,
        fields: 30,
        files: 5,
        parts: 35,
        headerPairs: 50,
      },
    });
  } catch (error) {
    throw new HttpError(400, 'invalid_request', notMultipart, { cause: error });
  }
}

export async function spoolFile(file: Readable, path: string, signal: AbortSignal): Promise<SpooledFile> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const written = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(
      file,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          sizeBytes += chunk.length;
          yield chunk;
        }
      },
      written,
      { signal },
    );
  } catch (error) {
    // Wait for the open to finish, or the file would be created after its removal.
    if (!written.closed) await new Promise<void>((resolve) => written.once('close', resolve));
    await rm(path, { force: true });
    throw error;
  }
  return { path, sizeBytes, sha256: hash.digest('hex') };
}

/** A part's name, safe to quote in a message. */
const printable = (name: string | undefined) =>
  String(name)
    .replace(/[^\w.-]/g, '?')
    .slice(0, 50);

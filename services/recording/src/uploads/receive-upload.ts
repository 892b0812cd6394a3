import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { limits } from '@interview-prep/contracts/limits';
import { uploadMessages } from '@interview-prep/contracts/recordings';
import { badRequest, HttpError, tooLarge } from '@interview-prep/kit/http-error';
import type { WorkFolder } from '../work-folder.ts';

/** An uploaded file on disk; whoever receives it removes it. */
export interface SpooledFile {
  path: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** The parts of an upload. A field that was not sent is not in `fields`; `file` is null where no file part was. */
export interface ReceivedUpload {
  fields: Record<string, string>;
  file: SpooledFile | null;
}

/**
 * Receives a multipart upload, its parts in any order: the file goes to disk while it is hashed and counted, never into
 * memory. Nothing stays on disk where it fails; the rest of the request is then left unread.
 * @param fileField name of the file part; files under other names are passed over
 * @throws HttpError 400 for what is no multipart, is cut short or has a part twice; 413 once the file is too large
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
      // Parts that were read along with the faulty one still come in.
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
        // A part that ends too soon breaks its stream too, also one that nobody reads; an error unheard ends the process.
        file.on('error', () => refuse(cutShort()));
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
      // Also where all of it has come in (`complete`) and not been read yet: nothing more can be read then.
      const close = () => {
        if (!req.readableEnded) refuse(badRequest('The upload was broken off'));
      };
      form.once('finish', () => {
        req.off('close', close);
        resolve();
      });
      // Stays, since a form that has failed once may do so again.
      form.on('error', () => refuse(cutShort()));
      if (req.closed) close();
      req.once('close', close);
      req.pipe(form);
    });
    return { fields, file: (await spooling) ?? null };
  } catch (error) {
    req.unpipe(form);
    const [spooled] = await Promise.allSettled([spooling]);
    // Where spooling failed it has removed its file itself.
    if (spooled.status === 'fulfilled' && spooled.value) await rm(spooled.value.path, { force: true });
    throw error;
  }
}

const cutShort = () => badRequest('The upload is malformed or was cut short');

function openForm(req: IncomingMessage): BusboyInstance {
  const notMultipart = 'An upload must be sent as multipart/form-data';
  if (!/^multipart\/form-data\b/i.test(req.headers['content-type'] ?? '')) throw badRequest(notMultipart);
  try {
    return new Busboy({
      headers: req.headers as BusboyHeaders,
      limits: {
        // One more than is allowed, so that exactly the allowed size is no limit hit.
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

async function spoolFile(file: Readable, path: string, signal: AbortSignal): Promise<SpooledFile> {
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
    // A file that is still being opened would be there again after its removal.
    if (!written.closed) await new Promise<void>((resolve) => written.once('close', resolve));
    await rm(path, { force: true });
    throw error;
  }
  return { path, sizeBytes, sha256: hash.digest('hex') };
}

/** A part's name as a message may repeat it. */
const printable = (name: string | undefined) =>
  String(name)
    .replace(/[^\w.-]/g, '?')
    .slice(0, 50);

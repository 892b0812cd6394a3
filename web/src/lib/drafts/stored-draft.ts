import type { Draft, DraftHead, Piece } from './draft.ts';
import { cipherOverheadBytes, type DraftCipher } from './draft-cipher.ts';

/**
 * An encrypted draft as the database has it. The owner's field has another name than in a draft in clear, so that a page of
 * an earlier release, which could not read the draft, does not find it.
 */
interface EncryptedDraft extends Omit<DraftHead, 'userId'> {
  owner: string;
  /** The rest of the draft as JSON. */
  encrypted: ArrayBuffer;
}

/** In clear: of earlier releases, or begun without a key. */
export type StoredDraft = Draft | EncryptedDraft;

interface ChunkHead {
  draftId: string;
  seq: number;
  /** Milliseconds since 1970. */
  atMs: number;
}

/**
 * A piece in the database, as bytes: WebKit stores no Blob in a private window. Unencrypted without a key and in earlier
 * releases; 0.1.0 stored Blobs.
 */
export type StoredChunk = ChunkHead & ({ encrypted: ArrayBuffer } | { bytes: ArrayBuffer } | { blob: Blob });

export function isEncryptedDraft(stored: StoredDraft): stored is EncryptedDraft {
  return 'encrypted' in stored;
}

/** What a stored draft says without a key. */
export function headOf(stored: StoredDraft): DraftHead {
  const { id, kind, setId, sessionId, questionId, startedAtMs } = stored;
  const userId = isEncryptedDraft(stored) ? stored.owner : stored.userId;
  return { id, userId, setId, sessionId, questionId, startedAtMs, ...(kind && { kind }) };
}

/** What is in clear beside the rest of a draft cannot be changed without notice. */
const detailsName = ({ id, kind, userId, setId, sessionId, questionId, startedAtMs }: DraftHead) =>
  JSON.stringify([id, kind ?? null, userId, setId, sessionId, questionId, startedAtMs]);

const chunkName = ({ draftId, seq }: ChunkHead) => JSON.stringify([draftId, seq]);

/** A draft as it is stored. @param cipher null stores it in clear */
export async function storedDraftOf(draft: Draft, cipher: DraftCipher | null): Promise<StoredDraft> {
  if (cipher === null) return draft;
  const head = headOf(draft);
  const { userId: owner, ...shown } = head;
  const details = new TextEncoder().encode(JSON.stringify(draft));
  return { ...shown, owner, encrypted: await cipher.encrypt(details, detailsName(head)) };
}

/** A stored draft in clear; null where the cipher does not decrypt it. */
export async function openedDraft(stored: StoredDraft, cipher: DraftCipher | null): Promise<Draft | null> {
  if (!isEncryptedDraft(stored)) return stored;
  const details = await cipher?.decrypt(stored.encrypted, detailsName(headOf(stored)));
  return details ? (JSON.parse(new TextDecoder().decode(details)) as Draft) : null;
}

/** A piece as it is stored. @param cipher null stores it in clear */
export async function storedChunkOf(
  head: ChunkHead,
  bytes: ArrayBuffer,
  cipher: DraftCipher | null,
): Promise<StoredChunk> {
  return cipher === null ? { ...head, bytes } : { ...head, encrypted: await cipher.encrypt(bytes, chunkName(head)) };
}

/** A stored piece in clear; null where the cipher does not decrypt it. */
export async function openedPiece(chunk: StoredChunk, cipher: DraftCipher | null): Promise<Piece | null> {
  const { atMs } = chunk;
  if ('blob' in chunk) return { blob: chunk.blob, atMs };
  const bytes = 'bytes' in chunk ? chunk.bytes : await cipher?.decrypt(chunk.encrypted, chunkName(chunk));
  return bytes ? { blob: new Blob([bytes]), atMs } : null;
}

/** The size of a stored piece in clear. */
export function pieceBytesOf(chunk: StoredChunk): number {
  if ('blob' in chunk) return chunk.blob.size;
  return 'bytes' in chunk ? chunk.bytes.byteLength : chunk.encrypted.byteLength - cipherOverheadBytes;
}

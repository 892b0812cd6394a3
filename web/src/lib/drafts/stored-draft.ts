import type { Draft, DraftHead, Piece } from './draft.ts';
import { cipherOverheadBytes, type DraftCipher } from './draft-cipher.ts';

/**
 * An encrypted draft in the database. The owner's field has a different name than in unencrypted drafts, so that a page of
 * an earlier release, which couldn't read the draft, doesn't find it.
 */
interface EncryptedDraft extends Omit<DraftHead, 'userId'> {
  owner: string;
  /** The rest of the draft as JSON. */
  encrypted: ArrayBuffer;
}

/** Plain drafts are from earlier releases, or were begun without a key. */
export type StoredDraft = Draft | EncryptedDraft;

interface ChunkHead {
  draftId: string;
  seq: number;
  /** Milliseconds since 1970. */
  atMs: number;
}

/**
 * A piece in the database, as bytes: WebKit can't store Blobs in private windows. Unencrypted without a key and in
 * earlier releases; 0.1.0 stored Blobs.
 */
export type StoredChunk = ChunkHead & ({ encrypted: ArrayBuffer } | { bytes: ArrayBuffer } | { blob: Blob });

export function isEncryptedDraft(stored: StoredDraft): stored is EncryptedDraft {
  return 'encrypted' in stored;
}

/** The fields of a stored draft that are readable without a key. */
export function headOf(stored: StoredDraft): DraftHead {
  const { id, kind, setId, sessionId, questionId, startedAtMs } = stored;
  const userId = isEncryptedDraft(stored) ? stored.owner : stored.userId;
  return { id, userId, setId, sessionId, questionId, startedAtMs, ...(kind && { kind }) };
}

/** Authenticates the unencrypted fields along with the encrypted rest of a draft. */
const detailsName = ({ id, kind, userId, setId, sessionId, questionId, startedAtMs }: DraftHead) =>
  JSON.stringify([id, kind ?? null, userId, setId, sessionId, questionId, startedAtMs]);

const chunkName = ({ draftId, seq }: ChunkHead) => JSON.stringify([draftId, seq]);

/** Encrypts a draft for storage. @param cipher null stores it unencrypted */
export async function toStoredDraft(draft: Draft, cipher: DraftCipher | null): Promise<StoredDraft> {
  if (cipher === null) return draft;
  const head = headOf(draft);
  const { userId: owner, ...shown } = head;
  const details = new TextEncoder().encode(JSON.stringify(draft));
  return { ...shown, owner, encrypted: await cipher.encrypt(details, detailsName(head)) };
}

/** Decrypts a stored draft; null if the cipher can't. */
export async function openDraft(stored: StoredDraft, cipher: DraftCipher | null): Promise<Draft | null> {
  if (!isEncryptedDraft(stored)) return stored;
  const details = await cipher?.decrypt(stored.encrypted, detailsName(headOf(stored)));
  return details ? (JSON.parse(new TextDecoder().decode(details)) as Draft) : null;
}

/** Encrypts a piece for storage. @param cipher null stores it unencrypted */
export async function toStoredChunk(
  head: ChunkHead,
  bytes: ArrayBuffer,
  cipher: DraftCipher | null,
): Promise<StoredChunk> {
  return cipher === null ? { ...head, bytes } : { ...head, encrypted: await cipher.encrypt(bytes, chunkName(head)) };
}

/** Decrypts a stored piece; null if the cipher can't. */
export async function openPiece(chunk: StoredChunk, cipher: DraftCipher | null): Promise<Piece | null> {
  const { atMs } = chunk;
  if ('blob' in chunk) return { blob: chunk.blob, atMs };
  const bytes = 'bytes' in chunk ? chunk.bytes : await cipher?.decrypt(chunk.encrypted, chunkName(chunk));
  return bytes ? { blob: new Blob([bytes]), atMs } : null;
}

/** The unencrypted size of a stored piece. */
export function pieceBytesOf(chunk: StoredChunk): number {
  if ('blob' in chunk) return chunk.blob.size;
  return 'bytes' in chunk ? chunk.bytes.byteLength : chunk.encrypted.byteLength - cipherOverheadBytes;
}

import { S3Error } from './s3-error.ts';

/** First and last byte, both inclusive. */
export type ByteRange = { start: number; end: number };

/**
 * Reads the Range header of a request for an object of `size` bytes. Returns undefined without a header, for several ranges,
 * and for a header that is not a byte range: S3 then answers with the whole object.
 * @throws {S3Error} InvalidRange where the range ends before it starts, or the object has none of it
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [first, last] = [match?.[1] ?? '', match?.[2] ?? ''];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size || end < start) {
    throw new S3Error('InvalidRange', 'The requested range is not satisfiable', { ActualObjectSize: String(size) });
  }
  return { start, end };
}

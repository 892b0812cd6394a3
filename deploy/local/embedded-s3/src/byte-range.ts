import { S3Error } from './s3-error.ts';

/** First and last byte, both inclusive. */
export type ByteRange = { start: number; end: number };

/**
 * The one range of a Range header within an object of `size` bytes; undefined where there is none to honour: S3 answers
 * several ranges, and a header it cannot read, with the whole object. Throws InvalidRange when nothing of it exists.
 */
export const parseByteRange = (header: string | undefined, size: number): ByteRange | undefined => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [first, last] = [match?.[1] ?? '', match?.[2] ?? ''];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size || end < start) {
    throw new S3Error('InvalidRange', 'The requested range is not satisfiable', { ActualObjectSize: String(size) });
  }
  return { start, end };
};

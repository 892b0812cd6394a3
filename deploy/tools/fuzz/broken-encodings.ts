import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from './api-document.ts';
import type { FuzzRequest } from './request.ts';

type Sent = Pick<FuzzRequest, 'headers' | 'body'>;

const sent = (text: string, headers: Record<string, string>): Sent => ({ headers, body: { kind: 'text', text } });
const asJson = (text: string) => sent(text, { 'content-type': 'application/json' });

/** Invalid only if a field is required. */
const emptyJson: readonly Sent[] = [
  ...['', '{}', '{"__proto__":{}}'].map(asJson),
  { headers: { 'content-type': 'application/json' }, body: { kind: 'none' } },
];

const brokenJson: readonly Sent[] = [
  ...['null', '"text"', '42', 'true', '[]', '{"title": ', '{}{}', '\u0000', '{"a":1,}'].map(asJson),
  asJson('['.repeat(20_000)),
  asJson(`{"title":"${'x'.repeat(4_200_000)}`),
  sent('{}', { 'content-type': 'text/plain' }),
  sent('<a/>', { 'content-type': 'application/xml' }),
  sent('a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
  sent('{}', { 'content-type': 'application/json; charset=utf-99' }),
  sent('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
  sent('{}', { 'content-type': 'application/json', 'content-encoding': 'unknown' }),
  sent('{}', { 'content-type': ';' }),
  sent('{}', {}),
];

const boundary = { 'content-type': 'multipart/form-data; boundary=b' };
const part = '--b\r\nContent-Disposition: form-data; name="sessionId"\r\n\r\nx';

const brokenForms: readonly Sent[] = [
  sent('', boundary),
  sent('--b--\r\n', boundary),
  sent(part, boundary),
  sent('--b\r\n', boundary),
  sent('--b\r\nContent-Disposition: nonsense\r\n\r\nx\r\n--b--\r\n', boundary),
  sent(`${part}\r\n${part}\r\n--b--\r\n`, boundary),
  sent(`${part}\r\n--b--\r\n`, { 'content-type': 'multipart/form-data' }),
  sent(`${part}\r\n--b--\r\n`, { 'content-type': 'multipart/form-data; boundary=' }),
  sent('--b\r\nContent-Disposition: form-data; name="audio"; filename="x"\r\n\r\nx', boundary),
  sent('{}', { 'content-type': 'application/json' }),
  sent('{}', {}),
  { headers: boundary, body: { kind: 'none' } },
];

/** Bodies that are rejected before schema validation: malformed, of a wrong type, or far too large. */
export function brokenEncodings(body: Operation['body']): Arbitrary<Sent> {
  if (body?.mediaType === 'multipart/form-data') return fc.constantFrom(...brokenForms);
  return fc.constantFrom(...brokenJson, ...(body?.matches({}) ? [] : emptyJson));
}

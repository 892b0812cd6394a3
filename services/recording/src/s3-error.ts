/** A refusal of an S3 server. `code` is S3's, e.g. NoSuchKey; '' if the response isn't S3's. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;
  readonly code: string;
  /** The server's message, or ''. */
  readonly detail: string;

  constructor(method: string, status: number, body: string) {
    const code = elementOf(body, 'Code');
    const detail = elementOf(body, 'Message');
    const refusal = ['the object store responded', status, code, `to ${method}`].filter(Boolean).join(' ');
    super(detail ? `${refusal}: ${detail}` : refusal);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

/** The text of an element of S3's error document, or ''. */
const elementOf = (body: string, name: string): string =>
  new RegExp(`<${name}>([^<]{1,500})</${name}>`).exec(body)?.[1]?.trim() ?? '';

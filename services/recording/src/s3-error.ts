/** What an S3 server refused. `code` is S3's, e.g. NoSuchKey; '' where the answer was not S3's. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;
  readonly code: string;
  /** The server's own words; '' where it gave none. */
  readonly detail: string;

  /** @param body of the answer */
  constructor(operation: string, status: number, body: string) {
    const code = elementOf(body, 'Code');
    const detail = elementOf(body, 'Message');
    const answer = ['the object store answered', status, code, `to a ${operation}`].filter(Boolean).join(' ');
    super(detail ? `${answer}: ${detail}` : answer);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

/** The text of an element of S3's error document; '' where there is none. */
const elementOf = (body: string, name: string): string =>
  new RegExp(`<${name}>([^<]{1,500})</${name}>`).exec(body)?.[1]?.trim() ?? '';

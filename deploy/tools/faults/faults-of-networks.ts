import type { FaultProxy } from '@interview-prep/kit/testing/fault-proxy';
import type { MongoFault } from '@interview-prep/kit/testing/mongo-faults';
import type { Fault } from './fault.ts';

type Part = 'mongo' | 'redis' | 's3';
const PARTS: readonly Part[] = ['mongo', 'redis', 's3'];

/** What a network does to the connections of one part, and for how many seconds. */
const NETWORK_FAULTS: readonly { what: string; seconds: number; begin: (proxy: FaultProxy) => void }[] = [
  { what: 'refuses connections', seconds: 4, begin: (proxy) => proxy.cut() },
  { what: 'behind a slow network', seconds: 8, begin: (proxy) => proxy.slow(150) },
  { what: 'half-open', seconds: 15, begin: (proxy) => proxy.freeze() },
  { what: 'accepts and never answers', seconds: 12, begin: (proxy) => proxy.stall() },
];

function s3Refusal(status: string, code: string): string {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  return `HTTP/1.1 ${status}\r\ncontent-type: application/xml\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
}

/** What an object store answers that refuses. */
const S3_REFUSALS = [
  ['S3 answers 403', '403 Forbidden', 'AccessDenied'],
  ['S3 answers 503', '503 Service Unavailable', 'SlowDown'],
  ['S3 is full', '507 Insufficient Storage', 'XMinioStorageFull'],
] as const;

/** What a replica set does, and for how many seconds. */
const MONGO_FAULTS: readonly { what: MongoFault; name: string; seconds: number }[] = [
  { what: 'racing upserts', name: 'MongoDB lets upserts race', seconds: 8 },
  { what: 'lost replies', name: 'MongoDB writes, and its reply is lost', seconds: 5 },
  { what: 'stepping down', name: 'MongoDB primary steps down', seconds: 4 },
];

export const networkFaults: readonly Fault[] = [
  ...MONGO_FAULTS.map(
    ({ what, name, seconds }): Fault => ({
      name,
      isShort: true,
      async run({ system, wait }) {
        system.mongoFaults.begin(what);
        await wait(seconds);
        system.mongoFaults.end();
      },
    }),
  ),
  ...S3_REFUSALS.map(
    ([name, status, code]): Fault => ({
      name,
      async run({ system, wait }) {
        system.proxies.s3.answer(s3Refusal(status, code));
        await wait(4);
        system.proxies.s3.mend();
      },
    }),
  ),
  ...PARTS.flatMap((part) =>
    NETWORK_FAULTS.map(
      ({ what, seconds, begin }): Fault => ({
        name: `${part} ${what}`,
        isOnce: seconds > 10,
        async run({ system, wait }) {
          begin(system.proxies[part]);
          await wait(seconds);
          system.proxies[part].mend();
        },
      }),
    ),
  ),
];

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { type RunOperation, requireBucket, sendXml } from './operation.ts';
import { receiveText } from './receive-body.ts';
import { S3Error } from './s3-error.ts';
import { S3_NAMESPACE } from './xml.ts';

/** Fits a thousand keys of 1024 escaped bytes. */
const MAX_BODY_BYTES = 8 * 1024 ** 2;
const MAX_KEYS = 1000;

const parser = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  isArray: (_name, path) => path === 'Delete.Object',
  processEntities: { enabled: true, maxTotalExpansions: Number.POSITIVE_INFINITY, maxExpandedLength: MAX_BODY_BYTES },
});

type DeleteDocument = { Delete?: { Quiet?: string; Object?: unknown[] } };

const malformed = (): S3Error =>
  new S3Error('MalformedXML', 'The XML you provided was not well-formed or did not validate against our schema.');

function parseKeys(xml: string): { keys: string[]; quiet: boolean } {
  if (XMLValidator.validate(xml) !== true) throw malformed();
  const { Delete: document } = parser.parse(xml) as DeleteDocument;
  const objects = document?.Object ?? [];
  if (objects.length === 0 || objects.length > MAX_KEYS) throw malformed();
  const keys = objects.map((object) => {
    if (typeof object !== 'object' || object === null || !('Key' in object)) throw malformed();
    if ('VersionId' in object && object.VersionId !== 'null') {
      throw new S3Error('NotImplemented', 'This server keeps no versions of objects.');
    }
    if (typeof object.Key !== 'string' || object.Key === '') throw malformed();
    return object.Key;
  });
  return { keys, quiet: document?.Quiet === 'true' };
}

export const deleteObjects: RunOperation = async (call) => {
  requireBucket(call);
  const { keys, quiet } = parseKeys(await receiveText(call.request, call.payload, MAX_BODY_BYTES));
  for (const key of keys) await call.store.remove(call.target.bucket, key);
  const deleted = quiet ? [] : keys.map((Key) => ({ Key }));
  sendXml(call.response, 200, { DeleteResult: { '@xmlns': S3_NAMESPACE, Deleted: deleted } });
};

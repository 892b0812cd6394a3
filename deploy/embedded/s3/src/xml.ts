import { XMLBuilder } from 'fast-xml-parser';

export const S3_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', suppressEmptyNode: false });

/** Encodes plain objects as an XML document. A name with a leading `@` is an attribute; an array repeats its element. */
export function toXml(document: object): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(document)}`;
}

/**
 * The options of minio's client for an address in S3_ENDPOINT. Buckets are addressed by path, and by host where the
 * address has a place for it: `https://{bucket}.s3.example.com`.
 */
export function s3Address(endpoint: string) {
  const { protocol, hostname, port } = new URL(endpoint);
  const [, bucket, host = ''] = /^({bucket}\.)?\[?(.+?)\]?$/i.exec(hostname) ?? [];
  return {
    endPoint: host,
    ...(port ? { port: Number(port) } : {}),
    useSSL: protocol === 'https:',
    pathStyle: bucket === undefined,
  };
}

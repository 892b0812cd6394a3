import { parseArgs } from 'node:util';
import { type EmbeddedS3, startEmbeddedS3 } from './embedded-s3.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9000' },
    host: { type: 'string', default: '127.0.0.1' },
    data: { type: 'string' },
  },
});
const { S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_REGION: region = 'us-east-1' } = process.env;
const port = Number(values.port);

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

if (!values.data) fail('Say where to keep the objects: --data FOLDER');
if (!accessKey || !secretKey) fail('Set S3_ACCESS_KEY and S3_SECRET_KEY.');
if (!Number.isInteger(port) || port < 0 || port > 65_535) fail(`--port ${values.port} is not a port number.`);

function stopOn(server: EmbeddedS3): void {
  const stop = async (): Promise<void> => {
    await server.close();
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

try {
  const server = await startEmbeddedS3({
    port,
    host: values.host,
    dataDir: String(values.data),
    accessKey: String(accessKey),
    secretKey: String(secretKey),
    region,
  });
  stopOn(server);
  console.log(`embedded-s3 listens at ${server.endpoint}, objects in ${values.data}`);
} catch (error) {
  const reason = (error as Error).message.includes('locked') ? 'another process has it open' : (error as Error).message;
  fail(`embedded-s3 cannot start with ${values.data} on ${values.host}:${values.port}: ${reason}`);
}

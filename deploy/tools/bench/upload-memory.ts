import { randomBytes } from 'node:crypto';
import { limits } from '@interview-prep/contracts/api/limits';
import { signIn } from './api-client.ts';
import { type Measure, metricsToken } from './measure.ts';

const clients = 50;
const mebibyte = 1024 * 1024;
/** What a WebM file begins with: enough for the service to take it as one. */
const webmStart = Buffer.from(
  '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff',
  'hex',
);

const metricsHeaders = { authorization: `Bearer ${metricsToken}` };

async function residentBytes(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: metricsHeaders })).text();
  const value = /^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1];
  if (!value) throw new Error('The recording service reports no memory');
  return Number(value);
}

export const uploadMemory: Measure = {
  what: `memory of the recording service while ${clients} clients upload 10 MB each: growth`,
  unit: 'MB',
  limit: 64 + clients,
  async run({ stack }) {
    const client = await signIn(stack);
    const set = (await client.interviewSets())[0];
    if (!set) throw new Error('There is no interview set');
    const body = Buffer.concat([webmStart, randomBytes(limits.recordingMaxBytes - webmStart.length - 64)]);
    const upload = (index: number) =>
      client.upload(new Blob([body, Buffer.from(`client ${index}`)], { type: 'audio/webm' }), set, 0);

    await upload(-1);
    const before = await residentBytes(stack.ports.recording);
    let peak = before;
    let uploading = true;
    const watching = (async () => {
      while (uploading) {
        peak = Math.max(peak, await residentBytes(stack.ports.recording));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    await Promise.all(Array.from({ length: clients }, (_, index) => upload(index)));
    uploading = false;
    await watching;
    return {
      value: (peak - before) / mebibyte,
      from: `${(before / mebibyte).toFixed(0)} MB before, ${(peak / mebibyte).toFixed(0)} MB at the most`,
    };
  },
};

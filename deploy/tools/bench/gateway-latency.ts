import { execFileSync } from 'node:child_process';
import { Agent, get } from 'node:http';
import { availableParallelism } from 'node:os';
import { createGatewayTokens, gatewayTokenHeader } from '@interview-prep/kit/tokens/gateway-tokens';
import { type Bench, type Measure, median, timed } from './measure.ts';
import { descendants } from './processes.ts';

const warmUps = 200;
const requests = 1500;

/** The same small GET through the gateway, and directly to the service as the gateway would send it. */
function addresses({ url, ports, gatewaySecrets }: Bench['stack']) {
  const token = createGatewayTokens(gatewaySecrets.catalog);
  const path = '/api/technologies';
  const direct = `http://127.0.0.1:${ports.catalog}${path}`;
  return { through: `${url}${path}`, direct, headers: () => ({ [gatewayTokenHeader]: token() }) };
}

export const gatewayLatency: Measure = {
  what: 'median latency that the gateway adds to a small GET',
  unit: 'ms',
  limit: 0.3,
  async run({ stack }) {
    const { through, direct, headers } = addresses(stack);
    const get = (url: string) => timed(async () => (await fetch(url, { headers: headers() })).arrayBuffer());
    for (let i = 0; i < warmUps; i += 1) {
      await get(through);
      await get(direct);
    }
    const gateway: number[] = [];
    const service: number[] = [];
    for (let i = 0; i < requests; i += 1) {
      gateway.push(await get(through));
      service.push(await get(direct));
    }
    return {
      value: median(gateway) - median(service),
      from: `${median(gateway).toFixed(2)} ms over ${median(service).toFixed(2)} ms, medians of ${requests}`,
    };
  },
};

const connections = 16;
const roundMs = 4000;
const rounds = 5;

/** Sends requests on all connections in parallel, back to back on each. @returns responses per second */
async function requestsPerSecond(url: string, headers: () => Record<string, string>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + roundMs;
  let answered = 0;
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      get(url, { agent, headers: headers() }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} returned ${response.statusCode}`));
        response.resume().once('end', resolve).once('error', reject);
      }).once('error', reject);
    });
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (; performance.now() < end; answered += 1) await ask();
    }),
  );
  agent.destroy();
  return (answered * 1000) / roundMs;
}

/** Runs an action with the gateway on a core of its own, as on a machine of its own, and all other processes on the others. */
async function withGatewayApart(action: () => Promise<void>): Promise<void> {
  const last = availableParallelism() - 1;
  if (last === 0) throw new Error('The gateway needs a core of its own, and this machine has only one');
  const pinAll = (coresOf: (command: string) => string) => {
    for (const { pid, command } of [{ pid: process.pid, command: '' }, ...descendants(process.pid)])
      execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', coresOf(command), String(pid)], {
        stdio: 'ignore',
      });
  };
  pinAll((command) => (command.includes('gateway/src/main.ts') ? `${last}` : `0-${last - 1}`));
  try {
    await action();
  } finally {
    // Lists the processes again: idle children of the worker may have exited meanwhile.
    pinAll(() => `0-${last}`);
  }
}

export const gatewayThroughput: Measure = {
  what: 'small GETs per second through one gateway on a core of its own, relative to the service directly',
  unit: '×',
  limit: 0.9,
  atLeast: true,
  async run({ stack }) {
    const { through, direct, headers } = addresses(stack);
    const [gateway, service]: [number[], number[]] = [[], []];
    await withGatewayApart(async () => {
      for (let round = 0; round < rounds; round += 1) {
        service.push(await requestsPerSecond(direct, headers));
        gateway.push(await requestsPerSecond(through, headers));
      }
    });
    return {
      value: median(gateway) / median(service),
      from: `${median(gateway).toFixed(0)} over ${median(service).toFixed(0)}, medians of ${rounds} rounds of ${connections} connections`,
    };
  },
};

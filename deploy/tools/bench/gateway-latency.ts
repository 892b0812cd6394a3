import { createGatewayTokens, gatewayTokenHeader } from '@interview-prep/kit/tokens/gateway-tokens';
import { type Measure, median, timed } from './measure.ts';

const warmUps = 200;
const requests = 1500;

export const gatewayLatency: Measure = {
  what: 'median latency that the gateway adds to a small GET, over the service directly',
  unit: 'ms',
  limit: 0.5,
  async run({ stack }) {
    const gatewayToken = createGatewayTokens(stack.gatewaySecrets.catalog);
    const get = (url: string) =>
      timed(async () => (await fetch(url, { headers: { [gatewayTokenHeader]: gatewayToken() } })).arrayBuffer());
    const path = '/api/technologies';
    const through = `${stack.url}${path}`;
    const direct = `http://127.0.0.1:${stack.ports.catalog}${path}`;
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

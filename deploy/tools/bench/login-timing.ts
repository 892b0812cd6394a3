import { randomUUID } from 'node:crypto';
import { createGatewayTokens, gatewayTokenHeader } from '@interview-prep/kit/tokens/gateway-tokens';
import { type Measure, median, timed } from './measure.ts';

const warmUps = 10;
const tries = 400;

export const loginTiming: Measure = {
  what: 'difference in response time between failed sign-ins with an unknown email and with a wrong password (medians)',
  unit: 'ms',
  limit: 1,
  async run({ stack }) {
    const url = `http://127.0.0.1:${stack.ports.auth}/api/auth/login`;
    const gatewayToken = createGatewayTokens(stack.gatewaySecrets.auth);
    const refusal = (email: string) =>
      timed(async () => {
        const headers = { 'content-type': 'application/json', [gatewayTokenHeader]: gatewayToken() };
        const body = JSON.stringify({ email, password: 'a wrong password' });
        const response = await fetch(url, { method: 'POST', headers, body });
        await response.arrayBuffer();
        if (response.status !== 401) throw new Error(`The sign-in returned ${response.status}`);
      });
    const [known = ''] = stack.demo.emails;
    const unknown = () => `${randomUUID().slice(0, known.indexOf('@'))}${known.slice(known.indexOf('@'))}`;
    for (let n = 0; n < warmUps; n += 1) {
      await refusal(known);
      await refusal(unknown());
    }
    const wrong: number[] = [];
    const nobody: number[] = [];
    for (let n = 0; n < tries; n += 1) {
      // Alternates both kinds and their order, so that other load on the machine affects both equally.
      const order = [
        () => refusal(known).then((ms) => wrong.push(ms)),
        () => refusal(unknown()).then((ms) => nobody.push(ms)),
      ];
      for (const one of n % 2 === 0 ? order : order.reverse()) await one();
    }
    const [ofUnknown, ofWrong] = [median(nobody), median(wrong)];
    return {
      value: Math.abs(ofUnknown - ofWrong),
      from: `${ofUnknown.toFixed(2)} ms for an unknown email, ${ofWrong.toFixed(2)} ms for a wrong password, medians of ${tries}`,
    };
  },
};

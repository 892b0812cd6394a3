import { parseArgs } from 'node:util';
import { PublicSettings } from '@interview-prep/contracts/api/operations';
import { Calibration } from '@interview-prep/contracts/recording/calibration';
import { ReviewAgreement } from '@interview-prep/contracts/recording/reviews';
import { agreementText, calibrationText } from './calibration-text.ts';

const usage = `Usage: npm run calibrate -- [URL]
Prints how closely the judge's verdicts match people's, by set and question, of the product at URL
(http://localhost:8080), and the points that people overruled most. Fits the built-in judge's thresholds to people's
decisions and says whether they are used now. It signs in as the admin of CALIBRATE_EMAIL and CALIBRATE_PASSWORD, or of a demonstration.
`;

async function fetchJson(url: URL, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, init).catch((cause: unknown) => {
    const message = `No product answers at ${url.origin}; give its address: npm run calibrate -- URL`;
    throw new Error(message, { cause });
  });
  const body = (await response.json()) as { message?: string };
  if (!response.ok) throw new Error(`${url.pathname} returned ${response.status}: ${body.message ?? 'no reason'}`);
  return body;
}

async function findAdmin(base: URL): Promise<{ email: string; password: string }> {
  const { CALIBRATE_EMAIL: email, CALIBRATE_PASSWORD: password } = process.env;
  if (email && password) return { email, password };
  const { demoLogins } = PublicSettings.parse(await fetchJson(new URL('/api/settings', base)));
  const demo = demoLogins.find((login) => login.email.startsWith('admin@'));
  if (!demo) throw new Error('Set CALIBRATE_EMAIL and CALIBRATE_PASSWORD: this product has no demonstration users');
  return demo;
}

/** Fetches the tables of agreement, and the judge's new calibration. */
async function calibrate(base: URL): Promise<string> {
  const login = await fetchJson(new URL('/api/auth/login', base), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await findAdmin(base)),
  });
  const { token } = (login as { user: { token: string } }).user;
  const headers = { authorization: `Bearer ${token}` };
  const agreement = ReviewAgreement.parse(await fetchJson(new URL('/api/recordings/agreement', base), { headers }));
  const url = new URL('/api/recordings/calibration', base);
  const calibration = Calibration.parse(await fetchJson(url, { method: 'POST', headers }));
  return `${agreementText(agreement)}\n${calibrationText(calibration)}`;
}

try {
  const { positionals } = parseArgs({ allowPositionals: true });
  const base = new URL(positionals[0] ?? 'http://localhost:8080');
  process.stdout.write(await calibrate(base));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 1;
}

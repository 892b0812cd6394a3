import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Google's token check and user info, for one token and one account. */
export interface GoogleStandIn {
  token: string;
  /** The settings that lead the product there. */
  settings: Record<string, string>;
  close(): Promise<void>;
}

/** Starts a stand-in for Google, which a test machine does not reach. It takes one token and refuses all others. */
export async function startGoogleStandIn(): Promise<GoogleStandIn> {
  const [token, clientId] = [randomUUID(), 'fuzz-client'];
  const account = { aud: clientId, sub: '1234567890', email: 'google-user@example.com', email_verified: true };
  const server = createServer((req, res) => {
    const isKnown = req.url?.includes(token) || req.headers.authorization === `Bearer ${token}`;
    res.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/json' });
    res.end(JSON.stringify(isKnown ? account : { error: 'invalid_token' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    token,
    settings: {
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_TOKENINFO_URL: `${url}/tokeninfo`,
      GOOGLE_USERINFO_URL: `${url}/userinfo`,
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

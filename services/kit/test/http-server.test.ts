import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ErrorBody } from '@interview-prep/contracts/api/error-body';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpServer } from '../src/http/http-server.ts';

const server = createHttpServer((_req, res) => res.end('reached'));

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

/** The server's response to these bytes, until it closes the connection. */
async function answerTo(bytes: string): Promise<{ status: number; headers: string; body: string }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  const answer = await text(socket);
  const [headers = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+) /.exec(headers)?.[1]), headers, body };
}

describe('errors of the HTTP server itself have a JSON body', () => {
  it.each([
    ['a request that is not HTTP', 'nonsense\r\n\r\n', 400, 'invalid_request'],
    ['a header that is none', 'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n', 400, 'invalid_request'],
    ['a request without Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
    [
      'headers that are too large',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'a request whose length is declared in two ways',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'invalid_request',
    ],
  ])('and security headers: %s', async (_name, bytes, status, code) => {
    const answer = await answerTo(bytes);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatch(/content-type: application\/json/i);
    expect(answer.headers).toMatch(/x-content-type-options: nosniff/i);
    expect(answer.headers).toMatch(/content-security-policy: .*base-uri 'none'; frame-ancestors 'none'/i);
    expect(answer.headers).toMatch(/strict-transport-security: max-age=31536000; includeSubDomains/i);
    expect(answer.headers).toMatch(/referrer-policy: strict-origin/i);
    expect(answer.headers).toMatch(/cross-origin-resource-policy: same-origin/i);
    expect(ErrorBody.parse(JSON.parse(answer.body))).toMatchObject({ code, requestId: expect.any(String) });
  });

  it('and an unknown Expect header reaches the app, which responds with its headers', async () => {
    const answer = await answerTo('GET / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n');
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('reached')]);
  });

  it('and an accepted request reaches the app', async () => {
    const answer = await answerTo('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('reached')]);
  });
});

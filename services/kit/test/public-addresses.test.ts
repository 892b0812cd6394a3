import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { isPrivateAddress, isPublicAddress, lookupPublic, PrivateAddress } from '../src/http/public-addresses.ts';

test('addresses in private and special networks are not public', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450::1'])
    expect([isPublicAddress(address), isPrivateAddress(address)], address).toEqual([true, false]);
  for (const address of [
    '10.0.0.1',
    '127.9.9.9',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '::1',
    'fd12::1',
    'fe80::1',
  ])
    expect([isPublicAddress(address), isPrivateAddress(address)], address).toEqual([false, true]);
  for (const address of [
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '::',
    '::ffff:8.8.8.8',
    '2002:7f00:1::',
    '64:ff9b::a00:1',
    'ff02::1',
    'example.com',
    '',
  ])
    expect(isPublicAddress(address), address).toBe(false);
});

test('a connection to a host name that resolves to this machine is refused before it is opened', async () => {
  let connections = 0;
  const server = createServer().on('connection', () => {
    connections += 1;
  });
  server.listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const attempt = request({ host: 'localhost', port, lookup: lookupPublic, agent: false });
  attempt.end();
  const [error] = await once(attempt, 'error');
  expect(error).toBeInstanceOf(PrivateAddress);
  expect(connections).toBe(0);
  server.close();
});

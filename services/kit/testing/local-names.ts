import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';

/** Lets this process find every name that ends in `.localhost` at 127.0.0.1, as browsers do. @returns what ends it */
export function resolveLocally(): () => void {
  const { lookup } = dns;
  const locally = (name: string, ...rest: unknown[]) =>
    (lookup as (...given: unknown[]) => void)(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest);
  dns.lookup = Object.assign(locally, lookup) as typeof lookup;
  return () => {
    dns.lookup = lookup;
  };
}

/** Answers each question for services (SRV) with one target, and knows nothing else. @returns what ends it */
export async function serveSrv(target: { name: string; port: number }): Promise<() => void> {
  const socket = createSocket('udp4', (query, { address, port }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const isSrv = question.readUInt16BE(question.length - 4) === 33;
    const header = Buffer.from([0, 0, 0x81, isSrv ? 0x80 : 0x83, 0, 1, 0, isSrv ? 1 : 0, 0, 0, 0, 0]);
    query.copy(header, 0, 0, 2);
    const name = Buffer.concat(
      target.name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    );
    // Name as in the question, type SRV, class IN, ten seconds, length; priority, weight, port, target.
    const answer = Buffer.from([0xc0, 12, 0, 33, 0, 1, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0]);
    answer.writeUInt16BE(name.length + 7, 10);
    answer.writeUInt16BE(target.port, 16);
    socket.send(Buffer.concat([header, question, ...(isSrv ? [answer, name, Buffer.alloc(1)] : [])]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const before = dns.getServers();
  dns.setServers([`127.0.0.1:${socket.address().port}`]);
  return () => {
    dns.setServers(before);
    socket.close();
  };
}

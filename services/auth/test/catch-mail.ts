import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server on a free port that keeps the mails it receives. */
export async function catchMail() {
  const mails: Email[] = [];
  let refusals = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo(_address, _session, done) {
      if (refusals === 0) return done();
      refusals -= 1;
      done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
    },
    onData(stream, _session, done) {
      const keep = async () => {
        mails.push(await PostalMime.parse(await buffer(stream)));
      };
      keep().then(() => done(), done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** Refuses the next `count` mails temporarily. */
    refuse: (count: number) => {
      refusals = count;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

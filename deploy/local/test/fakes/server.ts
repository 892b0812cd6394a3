/**
 * A fake product process. Responds to /readyz on PORT, and logs to FAKE_FILE its own and its child's
 * process ids, and each request to stop.
 */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { PORT, FAKE_NAME = '', FAKE_FILE = '', FAKE_FAILS, FAKE_STUBBORN } = process.env;
const log = (what: string): void => appendFileSync(FAKE_FILE, `${FAKE_NAME} ${what}\n`);

if (FAKE_FAILS) throw new TypeError(FAKE_FAILS);

const grandchild = spawn('sleep', ['600'], { stdio: 'ignore' });
log(`runs ${process.pid} ${grandchild.pid}`);

process.on('SIGTERM', () => {
  log('stops');
  if (!FAKE_STUBBORN) process.exit(0);
});

const server = createServer((request, response) => {
  if (request.url === '/crash') throw new RangeError('crashed as asked');
  response.end('ready');
});
server.listen(Number(PORT), '127.0.0.1');

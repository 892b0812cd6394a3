import { get } from 'node:http';
import { get as getSecurely } from 'node:https';

/** A container's health check: exits with status 0 if the process listening on PORT is ready. */
const { PORT, TLS_CERT_FILE } = process.env;
const target = { host: '127.0.0.1', port: PORT, path: '/readyz', timeout: 3000 };
// The certificate is not issued for this container's loopback address.
const asked = TLS_CERT_FILE ? getSecurely({ ...target, rejectUnauthorized: false }) : get(target);
asked.once('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));
asked.once('timeout', () => process.exit(1));
asked.once('error', () => process.exit(1));

import { z } from 'zod';

/** With both a process speaks TLS alone: the paths of a certificate with its chain, and of its key, both PEM. */
export const tlsSettings = { TLS_CERT_FILE: z.string().optional(), TLS_KEY_FILE: z.string().optional() };

import type { RequestHandler } from 'express';
import helmet from 'helmet';

const google = 'https://accounts.google.com';

/** Security headers: only the page's own scripts run, and it may use the microphone and the camera. */
export function securityHeaders(options: {
  development: boolean;
  avatarUrl: string | undefined;
  /** Whether people sign in with Google, whose script writes markup as text. */
  google: boolean;
}): RequestHandler[] {
  const ofGoogle = (path: string) => (options.google ? [`${google}/gsi/${path}`] : []);
  const avatars = options.avatarUrl ? [new URL(options.avatarUrl.replace('{seed}', '')).origin] : [];
  return [
    helmet({
      contentSecurityPolicy: options.development
        ? false
        : {
            useDefaults: false,
            directives: {
              defaultSrc: ["'self'"],
              scriptSrc: ["'self'", ...ofGoogle('client')],
              connectSrc: ["'self'", ...ofGoogle('')],
              frameSrc: options.google ? ofGoogle('') : ["'none'"],
              // The component library sets style attributes; Google's button loads a style sheet.
              styleSrc: ["'self'", "'unsafe-inline'", ...ofGoogle('style')],
              imgSrc: ["'self'", 'data:', 'blob:', ...avatars],
              mediaSrc: ["'self'", 'blob:'],
              fontSrc: ["'self'", 'data:'],
              workerSrc: ["'self'", 'blob:'],
              objectSrc: ["'none'"],
              baseUri: ["'none'"],
              formAction: ["'self'"],
              frameAncestors: ["'none'"],
              ...(options.google ? {} : { requireTrustedTypesFor: ["'script'"], trustedTypes: ['default'] }),
            },
          },
      // Google's sign-in window reports back to the page that opened it.
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      // Requests of a page name its site, not its address.
      referrerPolicy: { policy: 'strict-origin' },
    }),
    (_req, res, next) => {
      res.setHeader('Permissions-Policy', 'camera=(self), microphone=(self)');
      next();
    },
  ];
}

import type { RequestHandler } from 'express';
import helmet from 'helmet';

const google = 'https://accounts.google.com';

/** Security headers: only the page's own scripts may run, and only they may use the microphone and the camera. */
export function securityHeaders(options: {
  development: boolean;
  avatarUrl: string | undefined;
  /** Whether Google sign-in is enabled, whose script writes HTML from strings. */
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
      // Google's sign-in popup reports back to the page that opened it.
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      // Referrers contain only the origin, not the full URL.
      referrerPolicy: { policy: 'strict-origin' },
    }),
    (_req, res, next) => {
      res.setHeader('Permissions-Policy', 'camera=(self), microphone=(self)');
      next();
    },
  ];
}

import { z } from 'zod';

const loopbackHosts = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** An address of a server to trust: without TLS only on this machine. */
function isTrustworthy(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.test(hostname));
}

/** The OpenID provider that people can sign in by: auth asks it, and the gateway names it to the login page. */
export const providerSettings = {
  /** Its issuer, which serves /.well-known/openid-configuration. */
  OIDC_ISSUER: z
    .string()
    .refine(isTrustworthy, 'must be an address that begins with https://')
    .refine((issuer) => !/[?#]/.test(issuer), 'must have no query and no fragment')
    .optional(),
  /** Its name for people, as on the button "Sign in with …". */
  OIDC_NAME: z.string().trim().min(1).max(40, 'must have at most 40 characters').default('single sign-on'),
};

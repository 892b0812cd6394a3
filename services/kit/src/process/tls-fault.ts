/** Codes of OpenSSL and Node for a certificate that is not trusted, and for a server without TLS. */
const tlsCodes =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)_|ERR_TLS_|ERR_SSL_|EPROTO$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$)/;

/** Why a server's certificate is not accepted, and what the operator can do; null for any other error. Retrying won't help. */
export function tlsFault(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : '';
    if (tlsCodes.test(code)) {
      return `its certificate is not accepted: ${cause.message} (${code}); NODE_EXTRA_CA_CERTS names a file of further authorities`;
    }
  }
  return null;
}

import { randomInt } from 'node:crypto';

/** Excludes lookalike characters. */
const signs = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new code in its stored form: ten characters, or 49 bits. */
export function makeCode(): string {
  return Array.from({ length: 10 }, () => signs[randomInt(signs.length)]).join('');
}

/** Formats a code for display: `7K3QX-M2PRT`. */
export function shownCode(code: string): string {
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

/** Normalizes a typed code to its stored form. */
export function typedCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

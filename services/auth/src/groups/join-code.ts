import { randomInt } from 'node:crypto';

/** Without letters and digits that look alike. */
const signs = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new code, as it is stored: ten signs, or 49 bits. */
export function makeCode(): string {
  return Array.from({ length: 10 }, () => signs[randomInt(signs.length)]).join('');
}

/** A code as people read it: `7K3QX-M2PRT`. */
export function shownCode(code: string): string {
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

/** A code as it is stored, from what was typed. */
export function typedCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

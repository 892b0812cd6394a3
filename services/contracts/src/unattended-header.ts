/** A request with this header is no use of its sign-in: a page sends it for what it does by itself while nobody is there. */
export const unattendedHeader = 'x-unattended';

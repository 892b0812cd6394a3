/** A request with this header does not count as a use of its sign-in: a page sends it while it is not being used. */
export const unattendedHeader = 'x-unattended';

/** A request with this header does not count as a use of its sign-in: a page sends it while nobody is using the page. */
export const unattendedHeader = 'x-unattended';

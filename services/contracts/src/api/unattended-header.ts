/** Marks background requests of an idle page: they don't extend the sign-in. */
export const unattendedHeader = 'x-unattended';

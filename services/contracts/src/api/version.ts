/** The release of this code, as in the root `package.json`. */
export const productVersion = '0.2.0';

/** The release that this code is, as in the top `package.json`. */
export const productVersion = '0.2.0';

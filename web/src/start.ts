import interFont from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import { fetchPageAt } from './app/fetch-page.ts';
import { prepareForTrustedTypes, reloadWhenReplaced } from './app/trusted-types.ts';
import { readStoredSignIn } from './lib/state/sign-in-storage.ts';

// A chunk of its own, which is there long before React is: what the page needs is then on its way while React loads and starts.
prepareForTrustedTypes();
// A page that stayed open over an upgrade asks for code that is gone.
reloadWhenReplaced();
const signIn = readStoredSignIn();

/** Settles when the code of the page is there. A visitor sees the login screen, which is in the first chunk. */
export const pageCode = signIn ? fetchPageAt(window.location, signIn) : Promise.resolve();

// Load the font now. If it came after the first text, lines would break differently and the page would shift.
const font = document.createElement('link');
document.head.append(
  Object.assign(font, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href: interFont }),
);

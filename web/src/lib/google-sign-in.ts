const scriptUrl = 'https://accounts.google.com/gsi/client';
const scope = 'openid profile email';

/** The parts of Google's identity script that are used (https://developers.google.com/identity/oauth2/web/reference/js-reference). */
interface TokenClient {
  requestAccessToken: () => void;
}
interface GoogleIdentity {
  accounts: {
    oauth2: {
      initTokenClient: (options: {
        client_id: string;
        scope: string;
        callback: (answer: { access_token?: string; error?: string }) => void;
        error_callback: (error: { type: string }) => void;
      }) => TokenClient;
    };
  };
}

declare global {
  interface Window {
    google?: GoogleIdentity;
  }
}

/** Loads Google's identity script lazily, so that password sign-ins never contact Google. */
function loadIdentity(): Promise<GoogleIdentity> {
  if (window.google?.accounts?.oauth2) return Promise.resolve(window.google);
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = scriptUrl;
    script.async = true;
    script.onload = () => {
      if (window.google?.accounts?.oauth2) resolve(window.google);
      else reject(new Error("Google's identity script did not start"));
    };
    script.onerror = () => {
      script.remove();
      reject(new Error("Google's identity script could not be loaded"));
    };
    document.head.append(script);
  });
}

/**
 * Opens Google's account chooser and resolves to an access token.
 * @throws if the window is closed or the script can't be loaded
 */
export async function requestGoogleAccessToken(clientId: string): Promise<string> {
  const google = await loadIdentity();
  return new Promise((resolve, reject) => {
    const client = google.accounts.oauth2.initTokenClient({
      client_id: clientId,
      scope,
      callback: ({ access_token, error }) =>
        access_token ? resolve(access_token) : reject(new Error(error ?? 'Google gave no access token')),
      error_callback: ({ type }) => reject(new Error(type)),
    });
    client.requestAccessToken();
  });
}

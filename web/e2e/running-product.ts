import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOpenIdProvider } from '@interview-prep/kit/testing/openid-provider';
import { buildWebWhenStale } from '@interview-prep/local/build-web';
import { removeFolder } from '@interview-prep/local/data-folder';
import { readAddresses } from '@interview-prep/local/running-addresses';
import { startStack } from '@interview-prep/local/stack';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of this run's product. */
    productUrl: string;
    /** The password of admin@, dev@ and candidate@example.com. */
    demoPassword: string;
    /** Its data folder, with logs and secrets. */
    productDataDir: string;
    /** The page of the caught mail. */
    mailUrl: string;
    /** The URL of the product's MongoDB, with full access. */
    productMongo: string;
  }
}

/** Vitest's global setup: builds and seeds the product in a temporary folder, for all browser tests of a run. */
export default async function startProduct(project: TestProject): Promise<() => Promise<void>> {
  await buildWebWhenStale(() => console.error('Building the web app'));
  const dataDir = await mkdtemp(join(tmpdir(), 'interview-prep-e2e-'));
  const provider = await startOpenIdProvider();
  const stack = await startStack({
    env: {
      PORT: '0',
      DATA_DIR: dataDir,
      SEED: 'demo',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.client.id,
      OIDC_CLIENT_SECRET: provider.client.secret,
      OIDC_OPTIONS: 'name=Acme',
      // The tests sign in, and fail to, more often than an account normally may.
      LOGIN_ATTEMPTS: '0',
    },
    onEvent: (event) => {
      if (event.kind === 'died') console.error(`The ${event.name} of the browser tests ${event.how}: ${event.message}`);
    },
  });
  provider.redirectUris.add(`${stack.url}/sign-in/callback`);
  project.provide('productUrl', stack.url);
  project.provide('productDataDir', dataDir);
  project.provide('demoPassword', stack.demo.password);
  project.provide('mailUrl', stack.mailUrl ?? '');
  project.provide('productMongo', (await readAddresses(dataDir)).MONGODB_URI ?? '');
  return async () => {
    await stack.stop();
    await provider.stop();
    await removeFolder(dataDir);
  };
}

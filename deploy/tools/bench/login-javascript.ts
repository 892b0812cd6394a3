import { findChromium } from '@interview-prep/local/find-chromium';
import { chromium } from 'playwright-core';
import { chromiumFlags } from './chromium-flags.ts';
import type { Measure } from './measure.ts';

export const loginJavascript: Measure = {
  what: 'JavaScript before the login page works, gzipped',
  unit: 'KB',
  limit: 150,
  async run({ stack }) {
    const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
    try {
      const page = await browser.newPage();
      await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });
      const wire = await page.context().newCDPSession(page);
      const scripts = new Set<string>();
      let bytes = 0;
      await wire.send('Network.enable');
      wire.on('Network.responseReceived', ({ requestId, type }) => {
        if (type === 'Script') scripts.add(requestId);
      });
      wire.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
        if (scripts.has(requestId)) bytes += encodedDataLength;
      });
      await page.goto(stack.url);
      await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
      await page.waitForLoadState('networkidle');
      return { value: bytes / 1000, from: `${scripts.size} scripts as they came over the wire` };
    } finally {
      await browser.close();
    }
  },
};

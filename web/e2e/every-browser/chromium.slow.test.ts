import { startChromium } from './puppeteer-browser.ts';
import { testKilledBrowser, visitWith } from './walk-through.ts';

testKilledBrowser(visitWith(startChromium));

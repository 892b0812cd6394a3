import { startChromium } from './puppeteer-browser.ts';
import { walkThrough } from './walk-through.ts';

walkThrough(startChromium, { camera: true, sound: true });

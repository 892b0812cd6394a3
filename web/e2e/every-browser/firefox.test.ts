import { startFirefox } from './puppeteer-browser.ts';
import { walkThrough } from './walk-through.ts';

walkThrough(startFirefox, { camera: true, sound: true });

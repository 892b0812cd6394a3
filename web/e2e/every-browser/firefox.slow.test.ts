import { startFirefox } from './puppeteer-browser.ts';
import { testKilledBrowser, testRecording, visitWith } from './walk-through.ts';

const visit = visitWith(startFirefox);
testRecording(visit, { camera: true, sound: true });
testKilledBrowser(visit);

import { testKilledBrowser, testRecording, visitWith } from './walk-through.ts';
import { startWebKit } from './webkit-browser.ts';

const visit = visitWith(() => startWebKit());
testRecording(visit, { camera: false, sound: false });
testKilledBrowser(visit);

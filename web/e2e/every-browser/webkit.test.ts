import { walkThrough } from './walk-through.ts';
import { startWebKit } from './webkit-browser.ts';

walkThrough(() => startWebKit(), { camera: false, sound: false });

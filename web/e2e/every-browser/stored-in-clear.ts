import type { DrivenBrowser } from './driven-browser.ts';
import type { Walk } from './walk.ts';

/** Must not be readable in a browser's storage: the start of a recording, a draft's set data, and emails. */
const secrets = {
  WebM: '\x1aE\xdf\xa3',
  MP4: 'ftyp',
  Ogg: 'OggS',
  title: 'JavaScript Warm-up',
  type: 'audio/',
} as const;

/** Reads everything the page stores; leaves the number of pieces and anything in clear in `window.stored`. */
const readStorage = `void (window.stored = undefined, (async () => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await done(indexedDB.open('interview-answers'));
  const stored = {};
  for (const name of ['drafts', 'chunks']) stored[name] = await done(database.transaction(name).objectStore(name).getAll());
  database.close();
  let text = '';
  for (const value of [...stored.drafts, ...stored.chunks]) {
    text += JSON.stringify(value);
    for (const part of Object.values(value)) {
      const bytes = part instanceof Blob ? await part.arrayBuffer() : part;
      if (bytes instanceof ArrayBuffer) text += Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
    }
  }
  const found = Object.entries(${JSON.stringify(secrets)}).filter(([, secret]) => text.includes(secret));
  const emails = JSON.stringify([{ ...localStorage }, { ...sessionStorage }]).match(/@/g) ?? [];
  return { pieces: stored.chunks.length, found: [...found.map(([name]) => name), ...emails] };
})().then((stored) => { window.stored = stored; }, (error) => { window.stored = { error: String(error) }; }))`;

/** Fails if the browser stores part of an answer, or an email, in clear. Requires an unsent answer. */
export async function expectNothingInClear(browser: DrivenBrowser, walk: Walk): Promise<void> {
  await browser.evaluate(readStorage);
  await walk.poll<string>('JSON.stringify(window.stored)').toMatch(/^\{"pieces":[1-9]\d*,"found":\[\]\}$/);
}

import { test } from 'vitest';
import { interviewSet } from '../recorded-session.ts';
import { expectNothingInClear } from './stored-in-clear.ts';
import { button, heading, text } from './walk.ts';
import { answer, TIMEOUT_MS, visitWith } from './walk-through.ts';
import { startWebKit } from './webkit-browser.ts';

const visit = visitWith(() => startWebKit({ isPrivate: true }));

/** Tries to store a value in a new database, and leaves the outcome in `window.outcome`. */
const store = (value: string) => `void (window.outcome = undefined, new Promise((resolve, reject) => {
  const opening = indexedDB.open('trial-' + Math.random(), 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('values');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const writing = opening.result.transaction('values', 'readwrite');
    writing.oncomplete = () => resolve();
    writing.onabort = () => reject(writing.error);
    try {
      writing.objectStore('values').put(${value}, 'key');
    } catch (error) {
      reject(error);
    }
  };
}).then(() => { window.outcome = 'stored'; }, () => { window.outcome = 'refused'; }))`;

test(
  'a private window that cannot store a Blob keeps what was said, which is sent after a reload',
  async () => {
    const { browser, walk } = await visit();
    await browser.evaluate(store("new Blob(['x'])"));
    await walk.poll<string>('window.outcome').toBe('refused');
    await browser.evaluate(store('new ArrayBuffer(8)'));
    await walk.poll<string>('window.outcome').toBe('stored');

    await walk.open(`/interview/${(await interviewSet('candidate', 'JavaScript Warm-up'))._id}`);
    await walk.click(button(/^Start now$/));
    await answer(walk, '1 of 2');
    await expectNothingInClear(browser, walk);
    await walk.reload();
    await walk.see(heading(/^Unsent answer$/));
    await walk.click(button(/^Send it$/));
    await walk.see(text(/^Recording saved successfully/));
  },
  TIMEOUT_MS,
);

/**
 * Loaded before a Node program (`node --import 'clock-preload.ts?offset=FILE'`): shifts its wall clock by the milliseconds
 * in a file, and watches the file. The monotonic clock and timers are unaffected, as when an operator or NTP sets the clock.
 */
import { readFileSync, watch } from 'node:fs';

const path = new URL(import.meta.url).searchParams.get('offset');
if (path === null) throw new Error('Missing parameter: the file with the offset');

const readOffset = () => Number(readFileSync(path, 'utf8')) || 0;
const RealDate = Date;
const realNow = RealDate.now;
let offsetMs = readOffset();
watch(path, { persistent: false }, () => {
  offsetMs = readOffset();
});

const now = () => realNow() + offsetMs;
const ShiftedDate: DateConstructor = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget === ShiftedDate ? target : newTarget),
  apply: () => new RealDate(now()).toString(),
});
RealDate.now = now;
RealDate.prototype.constructor = ShiftedDate;
globalThis.Date = ShiftedDate;

import { expect, test } from 'vitest';
import { answerLength, calendarDay, detailDate, exactTime, listDate, minutesSeconds, timeAgo } from './formats.ts';

const noon = '2026-11-20T14:05:09.000Z';
/** Formats use narrow no-break spaces that change between ICU versions. */
const plain = (text: string) => text.replace(/\s/gu, ' ');

test('lists use the Indian format, details the American one', () => {
  expect(plain(listDate(noon))).toBe('20 Nov 2026, 2:05 pm');
  expect(plain(detailDate(noon))).toBe('Nov 20, 2026, 2:05 PM');
  expect(calendarDay(noon)).toBe('Friday, November 20, 2026');
  expect(plain(exactTime(noon))).toContain('2:05:09 PM');
});

test.each([listDate, detailDate, calendarDay, exactTime, timeAgo])(
  '%o is shown as a missing or invalid date',
  (format) => {
    expect(format(null)).toBe('Unknown date');
    expect(format(undefined)).toBe('Unknown date');
    expect(format('')).toBe('Unknown date');
    expect(format('yesterday')).toBe('Invalid Date');
  },
);

const now = Date.parse(noon);
test.each([
  [20, 'just now'],
  [60, '1 minute ago'],
  [3600 * 5, '5 hours ago'],
  [86_400, 'yesterday'],
  [86_400 * 3, '3 days ago'],
  [86_400 * 15, '2 weeks ago'],
  [86_400 * 400, 'last year'],
])('%i seconds ago is %s', (seconds, words) => {
  expect(timeAgo(now - seconds * 1000, now)).toBe(words);
});

test('the length of an answer is rounded', () => {
  expect([11_499, 11_500, 59_600].map(answerLength)).toEqual(['0:11', '0:12', '1:00']);
});

test.each([
  [0, '0:00'],
  [9.9, '0:09'],
  [65, '1:05'],
  [3605, '60:05'],
  [-1, '0:00'],
])('%d seconds are %s', (seconds, text) => {
  expect(minutesSeconds(seconds)).toBe(text);
});

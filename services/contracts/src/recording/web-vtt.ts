import type { Word } from './recordings.ts';

/** Maximum words per cue, and the pause that ends a cue early. */
const maxWords = 8;
const pauseMs = 700;

const two = (value: number) => String(value).padStart(2, '0');

/** `00:01:02.345` */
function timeOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const fraction = String(Math.floor(ms % 1000)).padStart(3, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${fraction}`;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Timed words as WebVTT. Source: W3C WebVTT 1. */
export function webVtt(words: readonly Word[]): string {
  const cues: Word[][] = [];
  for (const word of words) {
    const cue = cues.at(-1);
    const before = cue?.at(-1);
    if (cue && before && cue.length < maxWords && word.startMs - before.endMs < pauseMs) cue.push(word);
    else cues.push([word]);
  }
  const lines = cues.map((cue) => {
    const [from, to] = [cue[0]?.startMs ?? 0, cue.at(-1)?.endMs ?? 0];
    const text = cue.map(({ word }) => escaped(word)).join(' ');
    return `${timeOf(from)} --> ${timeOf(Math.max(to, from + 1))}\n${text}\n`;
  });
  return ['WEBVTT\n', ...lines].join('\n');
}

import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Calibration } from '@interview-prep/contracts/recording/calibration';
import { expect, it } from 'vitest';
import { agreementText, calibrationText } from '../calibrate/calibration-text.ts';

const script = fileURLToPath(new URL('../calibrate/calibrate.ts', import.meta.url));

it('reports that no product answers', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.close(resolve));
  const failed = await promisify(execFile)(process.execPath, [script, url]).catch((error) => error);
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stderr).toContain(`No product answers at ${url}; give its address: npm run calibrate -- URL\n`);
});

it('prints what the judge learned, and the points that reviewers overruled most', () => {
  const thresholds = { covered: 0.6, partial: 0.4, contradicted: 0.5 };
  const overruled = {
    title: 'Warm-up',
    question: 'What is x?',
    point: 'It is a letter.',
    decisions: 4,
    overruled: 3,
    state: 'covered',
  } as const;
  const few: Calibration = {
    engine: 'reference point-judge',
    decisions: 48,
    needed: 50,
    thresholds,
    fittedAt: null,
    fit: null,
    overruled: [overruled],
  };
  const inUse = 'In use:     covered from 0.60, partly covered from 0.40, contradicted from 0.50';
  expect(calibrationText(few).split('\n')).toEqual([
    'Judge:      reference point-judge',
    'Decisions:  48 of admins about its points',
    `${inUse} (from the model)`,
    '2 more decisions are needed to fit the thresholds.',
    '',
    'Overruled   of  point, and what people said instead. Another wording may help.',
    '        3    4  It is a letter. (What is x?, Warm-up): covered',
    '',
  ]);
  const at = '2026-11-24T02:00:00.000Z';
  const fit = { thresholds, fittedTo: 26, heldOut: 24, before: 0.25, after: 0.125, isUsed: true, at };
  const enough = { ...few, decisions: 50, fittedAt: at, fit, overruled: [] };
  expect(calibrationText(enough).split('\n').slice(2)).toEqual([
    `${inUse} (fitted 2026-11-24)`,
    'Fitted:     covered from 0.60, partly covered from 0.40, contradicted from 0.50 (2026-11-24, to 26 decisions)',
    "On the other 24 decisions, credit is 0.250 from people's before and 0.125 after.",
    'That is better: the fitted thresholds are used from now on.',
    '',
  ]);
  expect(calibrationText({ ...enough, fit: { ...fit, isUsed: false } })).toContain('That is not better');
  expect(calibrationText({ ...enough, fit: null })).toContain('about too few answers');
});

it('prints the agreement of judge and reviewers, by set and question', () => {
  const figures = { count: 2, pearson: 0.912, kappa: null, difference: 12.5 };
  const text = agreementText({
    all: figures,
    sets: [{ ...figures, title: 'Warm-up' }],
    questions: [{ ...figures, title: 'Warm-up', question: 'What is x?' }],
  });
  expect(text.split('\n')).toEqual([
    'answers  apart  Pearson  kappa',
    '      2   12.5     0.91      -  all',
    '',
    'answers  apart  Pearson  kappa  set',
    '      2   12.5     0.91      -  Warm-up',
    '',
    'answers  apart  Pearson  kappa  question',
    '      2   12.5     0.91      -  What is x? (Warm-up)',
    '',
  ]);
  expect(agreementText({ all: null, sets: [], questions: [] })).toMatch(/^No answer/);
});

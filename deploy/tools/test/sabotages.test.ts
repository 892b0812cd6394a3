import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { REPOSITORY } from '@interview-prep/local/settings';
import { expect, it } from 'vitest';
import { applySabotage, sabotages } from '../faults/sabotage/sabotages.ts';

it.each(Object.entries(sabotages))('%s applies to the sources as they are now', (_name, changes) => {
  for (const sabotage of changes) {
    const source = readFileSync(join(REPOSITORY, sabotage.file), 'utf8');
    expect(() => stripTypeScriptTypes(applySabotage(sabotage, source))).not.toThrow();
  }
});

it.each([
  ['is gone', 'const isSafe = true;'],
  ['is not the only one', 'const safe = 1; const saferThan = { safe = 1 };'],
])('is refused where its text %s', (_what, source) => {
  const sabotage = { what: 'It is not safe', file: 'a.ts', replace: [['safe = 1', 'safe = 0']] } as const;
  expect(() => applySabotage(sabotage, source)).toThrow('update the sabotage');
});

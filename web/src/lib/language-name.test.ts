import { spokenLanguages } from '@interview-prep/contracts/catalog/spoken-languages';
import { expect, test } from 'vitest';
import { languageName } from './formats.ts';

test('every supported language has a name', () => {
  const names = spokenLanguages.map(languageName);
  expect(new Set(names).size).toBe(99);
  for (const [index, name] of names.entries()) expect(name).not.toBe(spokenLanguages[index]);
  expect(languageName('jw')).toBe('Javanese');
});
